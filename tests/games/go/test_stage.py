"""¡Go! across the room: the count is played before it is told, the piles stand still, and a hand stays in its frame."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import ViewportSize, expect

from companion.events import Player, Said, Tapped
from companion.kit.in_chromium import Glass, Rendered
from companion.live.demo import Telling
from tests.chromium import PHONE, TELEVISION, Opened, in_still_time, stop_animations_at
from tests.games.go.table import BEGINNING
from tests.games.go.test_pages import ANA, BO, CLEO, call, tap
from tests.games.playing import playing, watched
from tests.web.table import PEOPLE, TestDemo, app_of, living
from tests.web.test_big import COVERED, WORDS
from tests.web.test_long_names import broken
from tests.web.test_states import all_of_scripts


def test_across_the_room_nothing_tells_what_came_before_the_headline_does(tmp_path: Path, opened: Opened) -> None:
    with playing("go", tmp_path) as (live, address):
        call(live, 1, ANA)
        tap(live, "seat-3", BO)
        tap(live, "seat-5", CLEO)
        big = opened(f"{address}/big", reduced_motion="no-preference", go=in_still_time)
        live.enter(Said(0, 0.0, 1, "series", "best"))
        covers = {
            "asked": ".soon",
            "caller": "#h1 .bar text",
            "said": ".headline:not(.soon)",
            "others": "#h3 .bar text",
            "won": ".plus",
        }
        expect(big.locator(".go.plays .plus")).to_be_attached()

        def shown(time: int) -> set[str]:
            stop_animations_at(big, time)
            return {
                name
                for name, css in covers.items()
                if big.locator(css).evaluate("one => getComputedStyle(one).opacity > .5")
            }

        def face_down(time: int) -> bool:
            stop_animations_at(big, time)
            return bool(big.locator("#h3").evaluate("one => getComputedStyle(one, '::after').opacity > .5"))

        assert face_down(100)
        assert not face_down(5550)
        assert shown(100) == shown(5550) == {"asked", "caller"}
        assert shown(6100) == {"caller", "said", "others", "won"}


UNDER_ITS_GAP = """() => [...document.querySelectorAll(".given .face")].filter(card => {
  card.scrollIntoView({ block: "center" });
  const { x, y, width, height } = card.getBoundingClientRect();
  return document.elementFromPoint(x + width / 2, y + height / 2).closest(".face") !== card;
}).map(card => card.outerHTML)"""


def test_what_the_others_add_is_seen_in_the_callers_series(tmp_path: Path, glass: Glass) -> None:
    with living(tmp_path, simulated=True) as live:
        live.begin("go", PEOPLE, {})
        call(live, 1, ANA)
        tap(live, "seat-3", BO)
        tap(live, "seat-5", CLEO)
        live.enter(Said(0, 0.0, 1, "series", "best"))
        divisions = live.snapshot.views[None]["table"]["rounds"][-1]["divisions"]
        added = [card for seat in ("3", "5") for card in divisions[seat]["additions"]]
        client = app_of(live).test_client()
        page = client.get("/big").text
        pages = [Rendered(path, "en", client.get(path).text) for path in ("/", "/big")]
    series = page[page.index('id="h1"') :].partition("</li>")[0]
    gifts = re.findall(r'class="gift nth-\d"><b class="face c-([\w-]+) v-(\d+)"', series)
    assert gifts
    assert {f"{colour}-{value}" for colour, value in gifts} == set(added)
    assert glass.ask(pages, UNDER_ITS_GAP, TELEVISION, PHONE) == []


ADDS = "B1 B2 B3 G4 G5 G6 B7 B8 O3 P7 O10 V1"
"""Three of them go to Ana's series."""


@pytest.mark.parametrize(
    ("bo", "names"),
    [(BO, ("Maximilienne", "Bo", "Jean-Christophe")), (ADDS, (*WORDS[:1], "Bot Max", *WORDS[2:4]))],
    ids=["three", "four"],
)
def test_across_the_room_no_name_breaks_within_a_word_or_lies_on_another(
    tmp_path: Path, glass: Glass, bo: str, names: tuple[str, ...]
) -> None:
    seats = (*PEOPLE, Player(6, ""))
    people = tuple(replace(person, name=name) for person, name in zip(seats, names, strict=False))
    hands = (("seat-3", bo), ("seat-5", CLEO), ("seat-6", "G1 G2 G3 K4 K5 K6 B9 V9 Y9 T9 V10 Y10"))
    with watched("go", tmp_path, people) as (live, show):
        call(live, 1, ANA)
        pages = [show("/big")]
        for place, hand in hands[: len(people) - 1]:
            tap(live, place, hand)  # type: ignore[arg-type]
            pages.append(show("/big"))
        live.enter(Said(0, 0.0, 1, "series", "best"))
        pages.append(show("/big"))
    assert 'id="counting' in pages[-1]
    amiss = all_of_scripts(broken(*" ".join(names).split(" ")), COVERED)
    assert glass.ask([Rendered("big", "en", page) for page in pages], amiss, TELEVISION) == []


PILES = """() => [[...document.querySelectorAll(".centre > div:nth-child(-n + 3) dd > :first-child")]
    .map((one) => one.getBoundingClientRect()).map((one) => `${Math.round(one.x)} ${Math.round(one.y)}`).join()]"""


RINGED = """() => [...document.querySelectorAll(".offered dd > :is(.face, .pile):first-child")].filter((one) => {
  const name = document.createRange(), { outlineWidth, outlineOffset } = getComputedStyle(one);
  name.selectNodeContents(one.closest("div").querySelector("dt"));
  const { top, height } = name.getBoundingClientRect(), ring = parseFloat(outlineWidth) + parseFloat(outlineOffset);
  return one.getBoundingClientRect().top - ring < top + 0.9 * height;
}).map((one) => `its ring lies on its name: ${one.className}`)"""


def test_across_the_room_row_and_piles_stand_still(tmp_path: Path, glass: Glass) -> None:
    with watched("go", tmp_path, tracking="turns") as (live, show):
        live.enter(Tapped(0, 0.0, "discard", "violet-3"), Tapped(0, 0.0, "row", "blue-5"))
        pages = [show("/big")]
        for place, card in (("seat-1", "blue-5"), ("row", "pink-2"), ("discard", "grey-9"), ("seat-3", "grey-9")):
            live.enter(Tapped(0, 0.0, place, card))  # type: ignore[arg-type]
            pages.append(show("/big"))
    assert len({*pages}) == 5
    lines = glass.ask([Rendered("big", "en", page) for page in pages], PILES, TELEVISION)
    (places,) = {line.partition(": ")[2] for line in lines}
    assert len({*places.split(",")}) == 3
    assert "offered" in pages[0]
    assert glass.ask([Rendered("big", "en", page) for page in pages], RINGED, TELEVISION) == []


OUT_OF_FRAME = """() => {
  const found = [], right = (one) => one.getBoundingClientRect().right;
  for (const row of document.querySelectorAll(".hand-of")) {
    const bar = row.querySelector(".bar"), cards = [...row.querySelectorAll(".face")];
    if (!bar) continue;
    for (const one of [...bar.children, ...cards]) if (right(one) > right(row)) found.push(one.outerHTML.slice(0, 150));
    const end = Math.max(...[...row.querySelectorAll(".groups:not(.first) dd")].map(right)) + innerWidth / 200;
    if (innerWidth > innerHeight && end > bar.getBoundingClientRect().left)
      found.push(`${row.id}: cards lie on what they cost, or touch it`);
  }
  return document.querySelector(".bar") ? found : ["no hand lies open"];
}"""


@pytest.mark.parametrize(
    "hand",
    ["R1 P4 R7 R8 P9 R10 K7 N1 B2 T2 G3 N4", "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 K7 G3"],
    ids=["much left", "little"],
)
def test_across_the_room_the_callers_hand_stays_in_its_frame(tmp_path: Path, glass: Glass, hand: str) -> None:
    with watched("go", tmp_path) as (live, show):
        call(live, 1, hand)
        live.enter(Said(0, 0.0, 1, "series", "best"))
        big = show("/big?lang=fr")
    assert glass.ask([Rendered("big", "fr", big)], OUT_OF_FRAME, TELEVISION) == []


def test_what_several_add_to_one_place_makes_no_row_longer(tmp_path: Path, glass: Glass) -> None:
    with watched("go", tmp_path) as (live, show):
        call(live, 1, ANA)
        tap(live, "seat-3", ADDS)
        tap(live, "seat-5", CLEO)
        live.enter(Said(0, 0.0, 1, "series", "best"))
        big = show("/big")
    assert re.search(r'class="given">(?:(?!class="given").)*"gift(?:(?!class="given").)*"gift', big, re.DOTALL)
    assert glass.ask([Rendered("big", "en", big)], all_of_scripts(OUT_OF_FRAME, UNDER_ITS_GAP), TELEVISION) == []


def test_in_a_demonstration_every_hand_stays_in_its_frame(tmp_path: Path, glass: Glass) -> None:
    pages = []
    with living(tmp_path, simulated=True) as live:
        demo = TestDemo(live)
        screen = app_of(live, demo=demo).test_client()
        live.begin_demo("go", PEOPLE, {"tracking": "turns"})
        for card in BEGINNING:
            live.enter(card)
        for series, gone in ((10, 1), (2, 1), (5, 4), (11, 0)):
            series_cards = [f"violet-{value}" for value in range(1, series + 1)]
            out = [f"grey-{value}" for value in range(1, gone + 1)]
            left = [f"pink-{value}" for value in range(1, 13 - series - gone)]
            hand_of_seat = {
                "hand": [*series_cards, *out, *left, "blue-11"],
                "row": ["grey-1"],
                "series": series_cards,
                "left": left,
            }
            hand_of_seat |= {
                "drawn": "blue-11",
                "penalty": 1,
                "held": {"series": series_cards, "left": left, "penalty": 45},
            }
            hand_before = {**hand_of_seat, "held": {**hand_of_seat["held"], "penalty": 56}}
            hands = {
                name: dict.fromkeys((1, 3, 5), hand)
                for name, hand in (("hands", hand_of_seat), ("before", hand_before))
            }
            demo.telling = Telling("go", opening="", followed=1, **hands)
            pages.append(Rendered(f"{series} and {gone}", "fr", screen.get("/big?lang=fr").text))
    assert all('class="was"' in page.html for page in pages)
    tall: list[ViewportSize] = [{"width": 1280, "height": height} for height in (720, 1706)]
    assert glass.ask(pages, OUT_OF_FRAME, *tall) == []


def test_what_may_be_taken_stands_out_until_it_is(tmp_path: Path) -> None:
    with living(tmp_path, simulated=True) as live:
        live.begin("go", PEOPLE, {"tracking": "turns"})
        screen = app_of(live).test_client()
        offered = []
        for card in BEGINNING:
            live.enter(card)
            offered.append('class="centre offered"' in screen.get("/big").text)
        assert offered == [True, True, False]
