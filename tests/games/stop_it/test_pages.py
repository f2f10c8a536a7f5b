"""The pages of stop it!: the photo finish and the count on the big screen."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from companion.events import Elapsed, Event, Player, Pressed, Said, Tapped
from companion.kit.in_chromium import Glass, Rendered
from companion.live.demo import Telling
from companion.live.table import Live
from tests.chromium import DESK, PHONE, TELEVISION, Opened, in_still_time
from tests.games.playing import playing
from tests.web.table import PEOPLE, Clock, TestDemo, app_of, living, serving

START = Pressed(0, 1.0, 1)
MS = 0.001


@contextmanager
def screen(folder: Path, *events: Event, demo: bool = False, **options: Any) -> Iterator[tuple[Live, str]]:
    """Return what the big screen shows after these."""
    folder.mkdir(exist_ok=True)
    clock = Clock()
    with living(folder, clock, simulated=True) as live:
        (live.begin_demo if demo else live.begin)("stop-it", PEOPLE, options)
        for event in events:
            clock.now = event.at
            live.enter(event)
        yield live, app_of(live).test_client().get("/big").text


def shouts(*behind: float) -> list[Event]:
    """Seats 3, 5 and 1 press, so many milliseconds after the first."""
    return [START, *(Pressed(0, 10.0 + delay * MS, seat) for seat, delay in zip((3, 5, 1), behind, strict=False))]


def places(page: str) -> list[float]:
    """Where the presses stand on the ruler, in percents, in order of time."""
    return [float(x) for x in re.findall(r'class="press[^>]* x="([\d.]+)%"', page)]


@pytest.mark.parametrize("behind", [(0, 1.8, 2.4), (0, 200, 380), (0, 0.2, 0.4), (0, 1.8, 88)])
def test_presses_stand_on_the_ruler_in_their_true_order(tmp_path: Path, behind: tuple[float, ...]) -> None:
    with screen(tmp_path, *shouts(*behind)) as (_, page):
        where = places(page)
    assert where == sorted(where)
    assert where[0] < where[1] < 100


def test_who_came_much_later_stands_behind_the_break(tmp_path: Path) -> None:
    with screen(tmp_path, *shouts(0, 1.8, 88)) as (_, page):
        assert 'class="break"' in page
        assert "+88" in page
        assert 'class="why before"' in page, "how exact it is stands where no press does"
    with screen(tmp_path / "near", *shouts(0, 100, 200)) as (_, page):
        assert 'class="break"' not in page


def test_what_is_too_close_to_call_lies_in_the_shaded_window(tmp_path: Path) -> None:
    with screen(tmp_path, *shouts(0, 0.2)) as (_, page):
        assert " level" in page
        ((start, width),) = re.findall(r'class="hatch" x="([\d.]+)%" y="3%" width="([\d.]+)%"', page)
        assert places(page)[1] < float(start) + float(width)
        assert "exact to ±" in page
        assert "too close to call" in page
        assert re.findall(r"<text>(.)</text></g></g>", page) == ["=", "="], "nobody is first"


def test_a_demonstration_does_not_say_how_exact_its_finishes_are(tmp_path: Path) -> None:
    with screen(tmp_path, *shouts(0, 0.2), demo=True) as (_, page):
        assert "exact to ±" not in page
        assert "Less than" not in page
        assert "too close to call" in page
    for demo in (False, True):
        with screen(tmp_path / f"{demo}", *shouts(0, 1.8), demo=demo) as (_, page):
            assert ("Exact to" in page) is not demo
            assert ("Bo picks a stop card: its colour counts" in page) is demo


def test_the_penalty_cards_that_are_left_lie_there_with_their_number(tmp_path: Path) -> None:
    counts = [Said(0, 20.0, seat, "count", count) for seat, count in ((1, 4), (3, 2), (5, 0))]
    with screen(tmp_path, *shouts(0), Tapped(0, 12.0, "centre", "red-stop-1"), *counts) as (_, page):
        assert re.findall(r'class="pile">(\d+)', page) == ["14"]


def piles(page: str) -> list[tuple[str, str]]:
    """How the piles look, and what they show."""
    return re.findall(r'<span class="(piles[^"]*)"[^>]*>(.*?)</span>', page)


def test_piles_whose_cards_no_sensor_sees_show_nothing_and_are_not_there_once_nobody_knows(tmp_path: Path) -> None:
    with screen(tmp_path / "collecting", START) as (_, page):
        assert piles(page) == [("piles", "<i></i>" * 5)]
    gone = [START, Said(0, 10.0, "host", "piles-empty"), Elapsed(0, 20.0, "last-calls")]
    with screen(tmp_path / "gone", *gone) as (live, page):
        then = re.findall(r"/results/1/then/\d+", app_of(live).test_client().get("/results/1").text)[-1]
        for drawn in (page, app_of(live).test_client().get(then).text):
            assert piles(drawn) == [("piles empty", "<i></i>" * 5)]
    counts = [Said(0, 20.0, seat, "count", count) for seat, count in ((1, 4), (3, 2), (5, 0))]
    last = [*shouts(0), Tapped(0, 12.0, "centre", "red-stop-1"), *counts]
    with screen(tmp_path / "last", *last, negatives=1) as (live, page):
        assert live.snapshot.views[None]["over"]
        assert piles(page) == []


def big_screen_telling(live: Live, **telling: dict[int, dict[str, Any]]) -> str:
    """What the big screen shows while a demonstration knows so much."""
    demo = TestDemo(live)
    demo.telling = Telling("stop-it", opening="", **telling)  # type: ignore[arg-type]
    return app_of(live, demo=demo).test_client().get("/big").text


def seats_seeing(*cards: str, **more: Any) -> dict[int, dict[str, Any]]:
    return {seat: {"hand": cards, **more} for seat in (1, 3, 5)}


def test_in_a_demonstration_alone_hands_lie_open_with_the_cards_that_are_grabbed_meanwhile(tmp_path: Path) -> None:
    def anas(live: Live) -> list[tuple[str, str]]:
        page = big_screen_telling(
            live, hands=seats_seeing("red-1", "blue-2"), coming=seats_seeing("red-1", "red-2", "blue-stop-1")
        )
        anas_place = page.partition('id="lies-1"')[2].partition("</li>")[0]
        return re.findall(r'<i class="(c-[^"]*)">(?:<b>(\w+))?', anas_place)

    with screen(tmp_path, START, demo=True) as (live, backs):
        assert 'class="held laid' not in backs
        grabbed = [("c-red", ""), ("c-red front grabbed grab-2", "2"), ("c-blue stop front grabbed grab-3", "stop")]
        assert anas(live) == grabbed
    with screen(tmp_path / "shown", *shouts(0), Tapped(0, 12.0, "centre", "red-stop-1"), demo=True) as (live, _):
        assert anas(live) == [("c-red meant front", "1"), ("c-blue front", "1")]


def test_in_a_demonstration_open_cards_cover_nobodys_name(tmp_path: Path, glass: Glass) -> None:
    covered = """() => [...document.querySelectorAll(".sitter")].flatMap(sitter => {
      const cards = [...sitter.querySelectorAll(".held i")].map(card => card.getBoundingClientRect());
      const name = sitter.querySelector("b").getBoundingClientRect();
      return cards.some(card => card.top < name.bottom - 1 && card.left < name.right) ? [sitter.textContent] : [];
    })"""
    piles = [{"top": f"yellow-{number}", "size": 9} for number in range(1, 6)]
    few = {1: ["red-1", "blue-2"], 3: ["red-1", "blue-2", "green-1"], 5: ["red-1", "blue-2", "green-1", "brown-1"]}
    with screen(tmp_path, START, demo=True) as (live, _):
        page = big_screen_telling(live, hands={seat: {"hand": hand, "piles": piles} for seat, hand in few.items()})
    assert glass.ask([Rendered("big", "en", page)], covered, TELEVISION, DESK) == []


def test_in_a_demonstration_alone_piles_are_as_high_as_they_are_and_show_what_lies_on_them(tmp_path: Path) -> None:
    piles_now = [{"top": "red-1", "size": 3}, {"top": "blue-2", "size": 1}, {"top": None, "size": 0}]
    then = [{"top": "green-stop-1", "size": 2}, *piles_now[1:]]
    with screen(tmp_path, START, demo=True) as (live, any_five):
        assert 'class="piles' in any_five
        page = big_screen_telling(
            live, hands=seats_seeing("red-1", piles=piles_now), coming=seats_seeing("red-1", piles=then)
        )
    assert 'class="piles' not in page
    piles = page.partition('class="heaps"')[2].partition("</span>")[0].split("<svg")[1:]
    assert [pile.count("h58") for pile in piles] == [3, 0, 0], "the edges below the top: two, then one"
    assert [re.findall(r'class="(?:c-(\w+)|(bare))', pile) for pile in piles] == [
        [("red", ""), ("green", "")],
        [("blue", "")],
        [("", "bare")],
    ]


def test_a_demonstration_says_where_the_stop_card_came_from(tmp_path: Path) -> None:
    with screen(tmp_path, *shouts(0), Tapped(0, 12.0, "centre", "red-stop-1"), demo=True) as (live, _):
        assert "from Bo’s hand" in big_screen_telling(
            live, hands=seats_seeing("red-1"), before=seats_seeing("red-stop-1")
        )
        assert "from a pile" in big_screen_telling(live, hands=seats_seeing("red-1"), before=seats_seeing("red-1"))
        assert "from " not in big_screen_telling(live, hands=seats_seeing("red-1")).partition('id="lies-centre"')[2]


def test_a_demonstration_shows_between_which_stops_the_shouter_chooses_and_how_many_they_have_for_each(
    tmp_path: Path,
) -> None:
    piles = [{"top": top, "size": 1} for top in ("orange-stop-1", "blue-2", None)]
    hands = {1: ["green-1"], 3: ["green-2", "green-3", "green-stop-1", "green-stop-2"], 5: ["orange-1"]}
    with screen(tmp_path, *shouts(0, 200), demo=True) as (live, unknown):
        page = big_screen_telling(live, hands={seat: {"hand": hand, "piles": piles} for seat, hand in hands.items()})
    assert 'class="choice"' not in unknown
    choice = re.split(r"<li>", page.partition('class="choice"')[2].partition("</ol>")[0])[1:]
    offers = [(re.findall(r'aria-label="(\w+) stop', part), re.findall(r"<b>(\d)</b>", part)) for part in choice]
    assert offers == [(["green"], ["2"]), (["orange"], ["0"])], "what the others have comes out in the count"


def test_a_demonstration_plays_a_count_faster_once_people_know_it_but_for_the_last_one(tmp_path: Path) -> None:
    def counted(stop: str, at: float) -> list[Event]:
        counts = (Said(0, at + 1, seat, "count", number) for seat, number in ((1, 4), (3, 2), (5, 0)))
        return [Tapped(0, at, "centre", stop), *counts]

    first = [*shouts(0), *counted("red-stop-1", 12.0)]
    second = [Pressed(0, 20.0, 3), Pressed(0, 22.0, 3), *counted("red-stop-2", 24.0)]
    brisk = []
    for at, (events, most) in enumerate(((first, 9), ([*first, *second], 9), ([*first, *second], 2))):
        with screen(tmp_path / f"{at}", *events, demo=True, negatives=most) as (live, untold):
            assert 'class="stop-it counting' in untold
            assert " brisk" not in untold, "people who play are never hurried"
            brisk.append(" brisk" in big_screen_telling(live, hands=seats_seeing("red-1")))
    assert brisk == [False, True, False]


def test_a_hand_lies_closed_until_its_turn_and_is_counted_once_it_is_open(tmp_path: Path, opened: Opened) -> None:
    counts = [Said(0, 20.0, seat, "count", count) for seat, count in ((1, 4), (3, 2), (5, 0))]
    delays = """all => all.map(one => [".held", ".number text"].map(part =>
      parseFloat(getComputedStyle(one.querySelector(part)).animationDelay)))"""
    with (
        screen(tmp_path, *shouts(0), Tapped(0, 12.0, "centre", "red-stop-1")) as (live, _),
        serving(app_of(live)) as port,
    ):
        page = opened(f"http://127.0.0.1:{port}/big", reduced_motion="no-preference", go=in_still_time)
        live.enter(*counts)
        hands = page.locator(".counting li")
        expect(hands).to_have_count(3)
        times = hands.evaluate_all(delays)
    assert [opens for opens, _ in times] == pytest.approx([0.3, 1.05, 1.8])
    assert all(counted - opens >= 0.15 for opens, counted in times)


def test_what_a_special_stop_counts_is_said(tmp_path: Path) -> None:
    for at, (card, sentence) in enumerate(
        (("red-stop-1", "fewest red cards"), ("special-stop-1", "All colours count: "))
    ):
        with screen(tmp_path / f"{at}", *shouts(0), Tapped(0, 12.0, "centre", card)) as (_, page):
            assert sentence in page


def test_a_dead_heat_says_what_decides_it_and_for_whom_it_was_decided(tmp_path: Path) -> None:
    with screen(tmp_path, *shouts(0, 0.2), demo=True) as (live, page):
        assert "Nobody was first, so the first stop card counts" in page
        assert "the first stop card decides" in page.partition('class="photo"')[2]
        live.enter(Tapped(0, 12.0, "seat-3", "red-stop-1"))
        assert "Bo wins the dead heat." in app_of(live).test_client().get("/big").text


def test_a_press_by_phone_has_no_band_of_doubt(tmp_path: Path) -> None:
    start, *presses = shouts(0, 200)
    with screen(tmp_path, start, *(replace(press, by="phone") for press in presses)) as (_, page):
        assert page.count('class="by-phone"') == 2
        assert 'class="doubt"' not in page


ON_A_CHIP = """() => [...document.querySelectorAll(".by-phone")].filter(one => {
  const said = one.getBoundingClientRect();
  const others = [...document.querySelectorAll(".press .centred, .wood, .by-phone")].filter(each => each != one);
  return others.map(each => each.getBoundingClientRect()).some(box =>
    box.left < said.right && said.left < box.right && box.top < said.bottom && said.top < box.bottom);
}).map(one => one.outerHTML)"""


@pytest.mark.parametrize("behind", [(0, 3), (0, 0.2), (0, 0.9, 3), (0, 0.003, 3), (0, 0.2, 0.25)])
def test_by_phone_lies_on_no_chip_and_not_on_itself(tmp_path: Path, glass: Glass, behind: tuple[float, ...]) -> None:
    start, *presses = shouts(*behind)
    with screen(tmp_path, start, *(replace(press, by="phone") for press in presses)) as (_, page):
        assert glass.ask([Rendered("big", "en", page)], ON_A_CHIP, TELEVISION) == []


def test_another_press_leaves_those_before_where_they_are_in_the_page(tmp_path: Path) -> None:
    """What keeps its id is not played again."""
    with screen(tmp_path, *shouts(0, 1.8)) as (live, page_before):
        live.enter(Pressed(0, 10.2, 1))
        page_after = app_of(live).test_client().get("/big").text
    ids = re.findall(r'id="(?:finish|press|dimension)-\d[^"]*"', page_before)
    assert len(ids) == 4
    assert all(id_ in page_after for id_ in ids)


def test_the_stop_card_is_laid_open_beside_who_shouted_until_hands_are_shown(tmp_path: Path) -> None:
    events = [*shouts(0, 200), Tapped(0, 12.0, "centre", "red-stop-1")]
    with screen(tmp_path, *events) as (live, page):
        assert page.count('class="shower"') == 1
        live.enter(Said(0, 20.0, 1, "count", 4))
        assert 'class="shower"' not in app_of(live).test_client().get("/big").text


def test_that_nobody_shouts_any_more_is_said_before_who_has_won(tmp_path: Path) -> None:
    with screen(tmp_path, START, Said(0, 10.0, "host", "piles-empty"), Elapsed(0, 20.0, "last-calls")) as (_, page):
        headlines = re.findall(r'class="headline"[^>]*>([^<]*)', page)
    assert headlines == ["Ana, Bo and Cléo win together!", "Nobody is shouting: that’s the end!"]


def test_one_shout_alone_is_not_measured(tmp_path: Path) -> None:
    for behind, measured in (((0,), False), ((0, 1.8), True)):
        with screen(tmp_path / str(len(behind)), *shouts(*behind)) as (live, _):
            page = app_of(live).test_client().get("/seat/3").text
        assert ("short-ruler" in page) is measured


def test_counts_open_when_all_are_in(tmp_path: Path) -> None:
    counts = [Said(0, 20.0, seat, "count", count) for seat, count in ((1, 4), (3, 2), (5, 0))]
    acts = [*shouts(0), Tapped(0, 12.0, "centre", "red-stop-1")]
    with screen(tmp_path, *acts, *counts[:2]) as (_, page):
        assert page.count('class="sealed"') == 2
        assert 'class="number"' not in page
    with screen(tmp_path / "all", *acts, *counts) as (_, page):
        assert re.findall(r'class="number"[^>]*aria-label="([^"]*)"', page) == ["Ana: 4", "Bo: 2", "Cléo: 0"]
        assert page.count('class="paid"') == 1


def test_the_cards_that_are_counted_lie_open_and_a_hand_as_backs_until_then(tmp_path: Path) -> None:
    counts = [Said(0, 20.0, seat, "count", count) for seat, count in ((1, 4), (3, 2), (5, 0))]
    acts = [*shouts(0), Tapped(0, 12.0, "centre", "red-stop-1")]
    with screen(tmp_path, *acts, *counts) as (_, page):
        columns = page.split('id="counting-')[2:]
        assert [column.count("<rect") for column in columns] == [4, 2, 0]
        assert [column.count("#sign-red") for column in columns] == [8, 4, 0]
        assert [column.count('class="held cards-') for column in columns] == [1, 1, 1]
    with screen(tmp_path / "demo", *acts, *counts, demo=True) as (live, _):
        columns = big_screen_telling(live, hands=seats_seeing("red-1", "blue-2")).split('id="counting-')[2:]
        assert [column.partition("</span>")[0].count("<i") for column in columns] == [2, 2, 2]


def test_who_holds_no_card_at_all_is_shown_without_one(tmp_path: Path) -> None:
    counts = [Said(0, 20.0, seat, "count", count) for seat, count in ((1, 4), (3, 2), (5, 0))]
    for card, held in (("special-stop-1", 2), ("red-stop-1", 3)):
        with screen(tmp_path / card, *shouts(0), Tapped(0, 12.0, "centre", card), *counts) as (live, _):
            score = app_of(live).test_client().get("/").text
        assert score.count('class="held cards-') == held


def test_a_call_without_a_stop_card_shows_no_counts_of_the_one_before(tmp_path: Path) -> None:
    counts = [Said(0, 20.0, seat, "count", seat) for seat in (1, 3, 5)]
    called = [*shouts(0), Tapped(0, 12.0, "centre", "red-stop-1"), *counts]
    again = [Pressed(0, 30.0, 3), Pressed(0, 40.0, 3), Said(0, 45.0, 3, "no-stop")]
    with screen(tmp_path, *called, *again) as (_, page):
        assert "has no stop card" in page
        assert 'class="had"' not in page


SHRINKS = """() => {
  const dome = document.querySelector(".buzzer"), slip = document.getElementById("slip");
  const wide = () => dome.getBoundingClientRect().width, told = wide();
  slip.hidden = true;
  const alone = wide();
  return told < Math.min(0.8 * innerWidth, 0.38 * innerHeight) || told != alone ? [`${told} of ${alone}`] : [];
}"""


def test_news_leaves_a_dome_that_all_are_to_hit_its_size(tmp_path: Path, glass: Glass) -> None:
    with living(tmp_path, Clock()) as live:
        live.begin("stop-it", PEOPLE, {})
        live.enter(START)
        page = app_of(live).test_client().get("/seat/3?lang=fr").text
    assert 'id="slip"' in page
    sizes = ({"width": 320, "height": 568}, PHONE, {"width": 390, "height": 844}, {"width": 768, "height": 1024})
    assert glass.ask([Rendered("collecting", "fr", page)], SHRINKS, *sizes) == []


@pytest.mark.parametrize("seats", [(1, 2, 4), (1, 3, 4), (1, 2, 3, 5), (2, 4, 5, 6), (1, 2, 3, 4, 6)])
def test_across_the_room_all_places_are_as_wide_and_stand_beside_each_other_in_the_middle_of_their_side(
    tmp_path: Path, opened: Opened, seats: tuple[int, ...]
) -> None:
    with playing("stop-it", tmp_path, tuple(Player(seat, f"Sushi {seat}") for seat in seats)) as (_, address):
        page = opened(f"{address}/big", viewport={"width": 1280, "height": 720})
        places = {seat: page.locator(f"#lies-{seat}").bounding_box() for seat in seats}
    across = {seat: (place["x"], place["x"] + place["width"]) for seat, place in places.items() if place}
    assert len({round(right - left) for left, right in across.values()}) == 1
    for side in ([seat for seat in (1, 2, 3) if seat in seats], [seat for seat in (6, 5, 4) if seat in seats]):
        assert across[side[0]][0] + across[side[-1]][1] == pytest.approx(1280, abs=2)
        assert all(across[seat][1] < across[next_][0] < across[seat][1] + 20 for seat, next_ in pairwise(side))


def test_stop_cards_set_aside_are_headed_only_where_some_lie(tmp_path: Path) -> None:
    called = [*shouts(0), Tapped(0, 12.0, "centre", "red-stop-1")]
    counted = [Said(0, 15.0 + seat, seat, "count", seat) for seat in (1, 3, 5)]
    with screen(tmp_path, *called, *counted) as (live, _):
        assert live.ask(lambda match: match.state.history)
        assert "stop cards set aside" not in app_of(live).test_client().get("/").text
