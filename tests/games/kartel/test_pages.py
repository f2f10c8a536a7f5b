"""Kartel's pages in a real browser: played by hand to the end, entered on phones, put right, never cut off."""

import math
import re
from itertools import combinations
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.events import Place, Player, Said, Tapped
from companion.games.kartel.cards import TOKENS
from companion.kit.in_chromium import Glass, Rendered
from companion.live.table import Live
from tests.chromium import Opened
from tests.games.playing import PHONE, button, misplays, playing, undo
from tests.web.table import PEOPLE, app_of, living

CENTRE: Place = "centre"


def tap(live: Live, *tokens: str) -> None:
    """Take these tokens, whosever turn it is."""
    live.enter(*(Tapped(0, 0.0, CENTRE, token) for token in tokens))


def lay_ring(live: Live, *first: str) -> None:
    """Read the ring, these first and then in the order of the box, and begin."""
    tap(live, *first, *(token for token in TOKENS if token not in first))
    live.enter(Said(0, 0.0, "host", "ring-done"))


def choose(page: Page, token: str) -> None:
    button(page, token).click()


def offered(page: Page) -> int:
    return page.locator("button[name=card]:enabled").count()


def test_a_match_is_played_by_hand_to_its_end(tmp_path: Path, opened: Opened) -> None:
    with playing("kartel", tmp_path) as (live, address):
        page = opened(f"{address}/table", viewport=PHONE)
        turns = ("red 3", "red 2", "red boss", "green money", "blue 1", "violet boss", "red 2", "blue boss")
        for turn, token in enumerate((*turns, "yellow boss", "turquoise boss")):
            expect(page.locator(".hand h3")).to_contain_text(f"{('Ana', 'Bo', 'Cléo')[turn % 3]}: on which token")
            choose(page, token)
        expect(page.locator(".won .headline")).to_have_text("Ana wins!")
        assert misplays(live) == []


def test_with_the_ring_every_move_is_played_by_hand_to_the_end(tmp_path: Path, opened: Opened) -> None:
    bosses = [token for token in TOKENS if token.endswith("boss")]
    with playing("kartel", tmp_path, ring=True) as (live, address):
        lay_ring(live, "red-1", *bosses)
        page = opened(f"{address}/table")
        for boss in bosses[:5]:
            button(page, "rolled a 4").click()
            choose(page, boss.replace("-", " "))
        expect(page.locator(".won .headline")).to_be_visible()
        assert misplays(live) == []


def test_the_ring_is_laid_differently_in_the_next_match_and_each_token_once(tmp_path: Path, opened: Opened) -> None:
    rings = []
    with playing("kartel", tmp_path, ring=True, money=False) as (live, address):
        page = opened(f"{address}/table")
        for _ in range(2):
            button(page, "blue 2").click()
            expect(page.locator(".now")).to_contain_text("1 of 35")
            page.get_by_role("button", name="Lay all tokens, shuffled").click()
            expect(page.get_by_role("button", name="The ring is complete")).to_be_visible()
            rings.append(live.ask(lambda match: match.state.ring))
            assert misplays(live) == []
            live.begin("kartel", PEOPLE, {"ring": True, "money": False})
            expect(page.locator(".now")).to_contain_text("0 of 35")
    assert len({*rings[0]}) == len(rings[0]) == 35
    assert rings[0] != rings[1]


def test_only_the_active_players_phone_offers_tokens_and_none_that_is_gone(tmp_path: Path, opened: Opened) -> None:
    with playing("kartel", tmp_path) as (live, address):
        ana = opened(f"{address}/seat/1", viewport=PHONE)
        bo = opened(f"{address}/seat/3", viewport=PHONE)
        assert offered(bo) == 0
        assert offered(ana) == 35  # the two 2s of a gang are one choice
        choose(ana, "red 2")
        expect(bo.locator(".now")).to_contain_text("Your turn. Roll")
        assert offered(ana) == 0
        assert offered(bo) == 35
        choose(bo, "red 2")
        expect(bo.locator(".now")).to_contain_text("Cléo’s turn: roll")
        tap(live, "red-3")
        expect(button(ana, "red 2")).to_be_disabled()
        expect(button(ana, "red 3")).to_be_disabled()
        assert offered(ana) == 33
        assert misplays(live) == []


def test_a_jailed_boss_has_everybody_turn_his_tokens_and_a_slip_is_taken_back(tmp_path: Path, opened: Opened) -> None:
    with playing("kartel", tmp_path) as (live, address):
        tap(live, "red-3", "red-money")
        cleo = opened(f"{address}/seat/5", viewport=PHONE)
        score = opened(f"{address}/")
        choose(cleo, "red boss")
        expect(score.locator(".news .more")).to_contain_text("Ana +6 and Bo −3.")
        expect(score.locator("#turn-over")).to_contain_text("1\u00a0of\u00a0Ana’s, 1\u00a0of\u00a0Bo’s")
        expect(score.locator(".ka-cells .taken")).to_have_text(["Cléo"])
        expect(score.locator("#s1 strong")).to_have_text("3")
        expect(score.locator("#s1 .closed")).to_have_attribute("aria-label", "red: 3, boss in prison: gangsters +3")
        expect(score.locator("#s3 .closed")).to_have_attribute("aria-label", "red: $, boss in prison: money 0")
        undo(cleo)
        expect(score.locator(".ka-cells .taken")).to_have_count(0)
        expect(score.locator("#s1 strong")).to_have_text("−3")
        expect(score.locator("#s3 strong")).to_have_text("3")
        expect(button(cleo, "red boss")).to_be_enabled()


def test_the_die_and_the_tokens_in_reach_on_a_phone(tmp_path: Path, opened: Opened) -> None:
    with playing("kartel", tmp_path, ring=True) as (live, address):
        ana = opened(f"{address}/seat/1", viewport=PHONE)
        choose(ana, "red boss")
        expect(ana.locator(".now")).to_contain_text("1 of 42")
        undo(ana)
        expect(ana.locator(".now")).to_contain_text("0 of 42")
        lay_ring(live)
        score = opened(f"{address}/")
        ana.get_by_role("button", name="rolled a 2").click()
        expect(ana.locator(".ka-reach span")).to_have_text(["red boss", "red money"])
        expect(score.locator(".ka-rolled")).to_have_attribute("aria-label", "rolled a 2")
        assert score.locator(".ka-ring .near").evaluate_all("all => all.map(one => one.id)") == [
            "red-boss",
            "red-money",
        ]
        undo(ana)
        expect(score.locator(".ka-ring .near")).to_have_count(0)
        ana.get_by_role("button", name="rolled a 3").click()
        choose(ana, "red 1")
        expect(score.locator(".ka-ring li").nth(1)).to_have_attribute("id", "red-2a")
        expect(score.locator(".ka-ring [id]").last).to_have_attribute("id", "red-money")
        assert misplays(live) == []


@pytest.mark.parametrize(("name", "least"), [("table", 45), ("big", 70)])
def test_every_token_of_the_ring_has_a_place_of_its_own_around_the_prison(
    tmp_path: Path, opened: Opened, name: str, least: int
) -> None:
    """Across the room it is larger, for neighbours may touch there: their order is seen by it."""
    with playing("kartel", tmp_path, ring=True) as (live, address):
        lay_ring(live)
        page = opened(f"{address}/{name}", viewport={"width": 1920, "height": 1080})
        measured = "all => all.map(one => one.getBoundingClientRect().toJSON())"
        *boxes, prison = page.locator(".ka-ring .ka-token, .ka-cells").evaluate_all(measured)
        assert len(boxes) == 43
        wide = boxes[1]["width"]
        assert wide > least
        middles = [(one["x"] + one["width"] / 2, one["y"] + one["height"] / 2) for one in boxes]
        for x, y in middles:
            assert not (
                prison["x"] < x < prison["x"] + prison["width"] and prison["y"] < y < prison["y"] + prison["height"]
            )
        assert min(math.dist(one, other) for one, other in combinations(middles, 2)) > 0.85 * wide
        ways = page.locator(".ka-ring .ka-onward").evaluate_all(measured)
        assert len([one for one in ways if one["width"]]) == 4, "they say which way round"
        # The commissioner stands at the top, the next token to their right.
        first, second = middles[:2]
        assert first[1] < prison["y"]
        assert first[0] < second[0]


def test_the_row_that_is_lit_is_whose_act_the_headline_tells(tmp_path: Path, opened: Opened) -> None:
    with playing("kartel", tmp_path, ring=True) as (live, address):
        lay_ring(live, "blue-1")
        page = opened(f"{address}/big", viewport={"width": 1920, "height": 1080})
        lit, turn = page.locator(".ka-people .active .ka-name"), page.locator(".ka-people .turn")
        live.enter(Said(0, 0.0, 1, "roll", 4))
        expect(page.locator(".headline")).to_have_text("Ana rolls a 4.")
        expect(lit).to_have_text("Ana")
        expect(turn).to_have_count(1)
        tap(live, "blue-1")
        expect(page.locator(".headline")).to_have_text("Ana takes the blue 1: −1")
        expect(lit).to_have_text("Ana")
        expect(turn).to_have_count(0)
        expect(page.locator(".ledge .now")).to_have_text("Bo, roll the die.")


def choices(live: Live) -> list[str]:
    """What the big screen writes at each token in reach; "[]" where it goes to prison."""
    page = app_of(live).test_client().get("/big").text
    of = page.partition('class="ka-choices"')[2].partition("</ol>")[0].split("<li>")[1:]
    said = (re.sub(r"<svg.*?</svg>|<[^>]*>|\s+", "", one.partition("<span>")[2], flags=re.DOTALL) for one in of)
    return [f"[]{one}" if "ka-cell" in whole else one for whole, one in zip(of, said, strict=True)]


def test_the_big_screen_says_what_each_token_in_reach_would_bring_and_to_whom(tmp_path: Path) -> None:
    def takes(seat: int, token: str) -> None:
        live.enter(Said(0, 0.0, seat, "roll", 2))
        tap(live, token)

    bosses = [f"{colour}-boss" for colour in ("red", "green", "yellow", "orange")]
    with living(tmp_path, simulated=True) as live:
        live.begin("kartel", PEOPLE, {"ring": True})
        lay_ring(live, "blue-2a", "blue-money", "violet-2a", "blue-1", "violet-money", "blue-boss", *bosses)
        for seat, token in ((1, "blue-2a"), (3, "blue-money"), (5, "violet-2a")):
            takes(seat, token)
        live.enter(Said(0, 0.0, 1, "roll", 4))
        assert choices(live) == ["−1", "+3", "[]+4−3", "[]0"]
        tap(live, "blue-boss")
        for seat, boss in zip((3, 5, 1), bosses, strict=False):
            takes(seat, boss)
        live.enter(Said(0, 0.0, 3, "roll", 2))
        assert choices(live)[0] == "[]0theend"


def test_what_a_jailed_boss_does_to_a_gang_is_shown_from_minus_to_plus(tmp_path: Path, opened: Opened) -> None:
    with playing("kartel", tmp_path) as (live, address):
        tap(live, "red-3", "red-money", "blue-money", "green-boss")
        page = opened(f"{address}/big", viewport={"width": 1920, "height": 1080})
        expect(page.locator(".ka-turned > p")).to_have_text("No points change.")
        expect(page.locator(".ka-gains strong")).to_have_text(["−3", "3", "3"])
        tap(live, "red-boss")
        expect(page.locator(".ka-turned > p")).to_have_text("Boss in prison: minus is plus, money is nothing!")
        expect(page.locator(".ka-gains strong")).to_have_text(["−3 → 3", "3 → 0", "3"])
        expect(page.locator(".ka-gains .lead .ka-name")).to_have_text(["Ana", "Cléo"])
        expect(page.locator(".ka-turns b")).to_have_text(["−3", "+3", "+3", "0"])
        expect(page.locator(".ka-caught")).to_contain_text("Prison: 2 of 5")
        tap(live, "blue-boss")
        expect(page.locator(".ka-turned > p")).to_have_text("Boss in prison: the money is worth nothing!")
        expect(page.locator(".news .headline:not(.soon)")).to_have_text("Ana takes the lead with 3")


def test_across_the_room_everybody_keeps_their_row_and_what_tokens_bring_stays(tmp_path: Path, opened: Opened) -> None:
    with playing("kartel", tmp_path) as (live, address):
        page = opened(f"{address}/big", viewport={"width": 1280, "height": 720})
        for token in ("red-3", "orange-money", "blue-2a", "red-1", "green-1", "blue-money", "violet-1", "red-money"):
            tap(live, token)
            expect(page.locator(f".headline .sign.c-{token.partition('-')[0]}")).to_be_visible()
            expect(page.locator(".ka-people .ka-name")).to_have_text(["Ana", "Bo", "Cléo"])
            expect(page.locator(".ka-legend")).to_be_visible()
            expect(page.locator(".ka-legend > *")).to_contain_text(["Boss in prison:", "−2 → +2", "+3 → 0"])
        expect(page.locator(".lead .ka-leads")).to_have_count(1)


@pytest.mark.parametrize("many", [4, 5, 6])
def test_across_the_room_no_gang_lies_on_the_next_players_row(tmp_path: Path, opened: Opened, many: int) -> None:
    people = (*PEOPLE, Player(6, "Dédé"), Player(2, "Maximilienne"), Player(4, "Renée"))[:many]
    with playing("kartel", tmp_path, people) as (live, address):
        page = opened(f"{address}/big", viewport={"width": 1280, "height": 720})
        for number in ("1", "2", "3"):
            for colour in ("red", "blue", "green", "yellow", "orange", "violet", "turquoise"):
                for token in [one for one in TOKENS if one.startswith(f"{colour}-{number}")]:
                    tap(live, token)
        rows = page.locator(".ka-people > li")
        expect(rows.locator(".ka-tag u")).to_have_count(28)
        assert max(row.locator(".ka-hold > span").count() for row in rows.all()) >= 5
        outside = """row => {
          const of = row.getBoundingClientRect(), points = row.querySelector("strong").getBoundingClientRect();
          const gangs = [...row.querySelectorAll(".ka-hold > span")].map(gang => gang.getBoundingClientRect());
          return gangs.filter(gang => gang.bottom > of.bottom || gang.right > points.left).length;
        }"""
        assert [row.evaluate(outside) for row in rows.all()] == [0] * many


MIDDLES = """all => Object.fromEntries(all.map(one => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [one.id, [Math.round(x + width / 2), Math.round(y + height / 2)]];
}))"""


def test_across_the_room_the_star_moves_and_nothing_else(tmp_path: Path, opened: Opened) -> None:
    with playing("kartel", tmp_path, ring=True) as (live, address):
        lay_ring(live)
        page = opened(f"{address}/big", viewport={"width": 1920, "height": 1080})
        places = page.locator(".ka-ring [id]")
        ring = places.evaluate_all(MIDDLES)
        for seat, token in ((1, "red-1"), (3, "orange-boss"), (5, "orange-money")):
            live.enter(Said(0, 0.0, seat, "roll", 4))
            expect(page.locator(".ka-rolled")).to_be_visible()
            tap(live, token)
            expect(page.locator(f"#{token}")).to_have_count(0)
            if not token.endswith("boss"):  # that is played on the whole stage
                now = places.evaluate_all(MIDDLES)
                assert now["commissioner"] == ring[token]
                assert {**ring, **now, "commissioner": ring["commissioner"]} == ring
                expect(page.locator(".ka-hold .fresh")).to_have_count(1)


LONG = "Maximilian-Alexander"
LARGE_NEWS = """() => {
  const high = (css) => document.querySelector(css).getBoundingClientRect().height;
  const [slip, news, whom] = [".slip", ".slip .player-chip", ".whom .player-chip"].map(high);
  return slip < innerHeight / 6 && whom > news * 1.8 ? [] : [`${slip} high, ${news} and ${whom}`];
}"""


def test_whom_one_waits_for_is_larger_than_what_another_did_and_when_one_is_next_is_told(
    tmp_path: Path, glass: Glass
) -> None:
    with living(tmp_path) as live:
        live.begin("kartel", (*PEOPLE, Player(6, LONG)), {})
        client = app_of(live).test_client()
        live.enter(Tapped(0, 1.0, "centre", "red-3"))
        pages = {seat: client.get(f"/seat/{seat}").text for seat in (1, 3, 5, 6)}
    then = {seat: re.findall(r'class="then-you">(.*?)<', page) for seat, page in pages.items()}
    assert then == {1: [f"Then Cléo and {LONG}, then you."], 3: [], 5: [], 6: ["Then Cléo, then you."]}
    classes = {seat: re.findall(r'class="phone ([^"]*)"', page)[0].split() for seat, page in pages.items()}
    assert {seat for seat, one in classes.items() if "brief" in one} == {5, 6}
    assert {seat for seat, one in classes.items() if "verdict" in one} >= {1}, "what one did is told in full"
    waiting = [Rendered(f"seat {seat}", "en", pages[seat]) for seat in (5, 6)]
    assert glass.ask(waiting, LARGE_NEWS, {"width": 320, "height": 568}, PHONE) == []
