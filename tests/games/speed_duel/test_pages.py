"""Speed's pages: a match played by hand to its end, whose cards each phone offers, and what everybody sees."""

import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path

import pytest
from playwright.sync_api import Page

from companion.events import Player, Pressed, Tapped
from companion.kit.button_laws import leave_out_pages_of_games
from companion.live.simulation import Simulation
from tests.games.playing import misplays, on_paper, rendering, watched
from tests.web.table import app_of, living

TWO = (Player(1, "Ana"), Player(3, "Bo"))
TURNED = tuple(Tapped(0, 0.0, "centre", card) for card in ("hearts-6", "spades-11"))


def text_of(page: str) -> str:
    """Return a page's text, on one line."""
    return " ".join(unescape(re.sub(r"<[^>]+>", "", page)).split())


def test_whoever_has_turned_up_a_card_waits_for_the_other(tmp_path: Path) -> None:
    with watched("speed-duel", tmp_path, TWO) as (live, page):
        live.enter(TURNED[0])
        assert "Waiting for Bo to turn up a card." in text_of(page("/seat/1"))


def test_the_end_and_the_result_count_cards_and_no_points(tmp_path: Path) -> None:
    with watched("speed-duel", tmp_path, TWO, cards=5) as (live, page):
        live.enter(*TURNED, *(Tapped(0, 0.0, "centre", f"hearts-{rank}") for rank in (7, 8, 9, 10)))
        for path in ("/big", "/results/1"):
            own_words = text_of(page(path)).split("¡Go!")[0]
            assert "Cards laid" in own_words
            assert not re.search(r"\bpoints?\b", own_words.lower())


def test_a_match_is_played_by_hand_to_its_end(tmp_path: Path, paper: Page) -> None:
    with on_paper("speed-duel", tmp_path, paper, TWO, cards=5) as (live, phone):
        phone("/host/1").press("6 of hearts")
        phone("/table").press("jack of spades")
        phone("/host/3").press("7 of clubs")
        phone("/host/1").press("I am stuck")
        phone("/host/3").press("I am stuck")
        phone("/host/1").press("2 of diamonds")
        phone("/host/3").press("9 of clubs")
        for card in ("ace of hearts", "king of hearts", "queen of hearts"):
            phone("/host/1").press(card)
        assert misplays(live) == []
        assert live.snapshot.views[None]["winners"] == [1]
        assert 'class="podium' in rendering(live)("/big")


@pytest.mark.parametrize(("path", "colour"), [("/host/1", "hearts"), ("/host/3", "clubs")])
def test_a_phone_offers_the_cards_of_its_own_colour(tmp_path: Path, path: str, colour: str) -> None:
    with watched("speed-duel", tmp_path, TWO) as (live, page):
        live.enter(*TURNED)
        offered = re.findall(r'<button name="card" value="(\w+)-9"', page(path))
        assert len(offered) == 2
        assert colour in offered


def test_whoever_has_turned_up_a_card_is_offered_none_until_the_other_has(tmp_path: Path) -> None:
    with watched("speed-duel", tmp_path, TWO) as (live, page):
        live.enter(TURNED[0])
        assert '<button name="card"' not in page("/host/1")
        assert '<button name="card"' in page("/host/3")


@pytest.fixture
def simulated(tmp_path: Path) -> Iterator[tuple[Simulation, Callable[[str], str]]]:
    """A match at a simulated table, both of whom have turned up a card; and what renders a page of it."""
    with living(tmp_path, simulated=True) as live:
        simulation = Simulation(live, seed=lambda: "always the same")
        simulation.begin("speed-duel", TWO, {})
        phone = app_of(live, simulation=simulation).test_client()
        make_move(simulation, 1, "turn")
        make_move(simulation, 3, "turn")
        yield simulation, lambda path: phone.get(path).text


def make_move(simulation: Simulation, seat: int, kind: str) -> None:
    simulation.play(next(move for move in simulation.sights[seat].moves if move.what == kind))


def kinds(simulation: Simulation, seat: int) -> set[str]:
    return {move.what for move in simulation.sights[seat].moves}


def test_whoever_is_stuck_waits_for_the_other_and_is_told_so_in_the_second_person(
    simulated: tuple[Simulation, Callable[[str], str]],
) -> None:
    simulation, page = simulated
    make_move(simulation, 3, "press")
    stuck_page = text_of(page("/seat/3"))
    assert "Wait for Ana, or lay after all." in stuck_page
    assert "Lay one higher or lower." not in stuck_page
    assert "You are stuck." in stuck_page
    assert "Bo is stuck." not in stuck_page
    other_page = text_of(page("/seat/1"))
    assert "Bo is stuck." in other_page
    assert "Wait for" not in other_page


def test_where_nothing_fits_no_card_looks_playable_and_the_task_says_to_press(
    simulated: tuple[Simulation, Callable[[str], str]],
) -> None:
    simulation, page = simulated
    playable = 'class="move thing"'
    assert playable in page("/seat/1")
    assert "Lay one higher or lower." in text_of(page("/seat/1"))
    while "play" in kinds(simulation, 1):
        make_move(simulation, 1, "play")
    assert playable not in page("/seat/1")
    assert "Nothing fits: press." in text_of(page("/seat/1"))
    assert "Nothing fits" not in text_of(page("/big"))
    make_move(simulation, 1, "press")
    assert playable not in page("/seat/1")
    assert "Wait for Bo" in text_of(page("/seat/1"))


def test_whoever_is_stuck_can_still_lay_and_says_it_once(tmp_path: Path) -> None:
    with watched("speed-duel", tmp_path, TWO) as (live, page):
        live.enter(*TURNED, Pressed(0, 0.0, 3))
        assert "I am stuck" not in page("/host/3")
        assert '<button name="card"' in page("/host/3")
        assert "Bo is stuck." in text_of(page("/big"))


@pytest.mark.parametrize("path", ["/", "/big"])
def test_everybody_sees_both_piles_and_how_many_cards_are_left(tmp_path: Path, path: str) -> None:
    with watched("speed-duel", tmp_path, TWO) as (live, page):
        live.enter(*TURNED)
        assert re.findall(r'aria-label="([^"]* of [^"]*)"', page(path))[:2] == ["6 of hearts", "jack of spades"]
        assert text_of(page(path)).count("Cards left: 25") == 2


def test_the_plain_pages_draw_both_piles(tmp_path: Path) -> None:
    with living(tmp_path, simulated=True) as live:
        live.begin("speed-duel", TWO, {})
        live.enter(*TURNED)
        phone = app_of(live).test_client()
        leave_out_pages_of_games(phone)
        for path in ("/", "/big"):
            (lying,) = re.findall(r'<ol class="plain-lies">(.*?)</ol>', phone.get(path).text, re.DOTALL)
            assert re.findall(r'aria-label="([^"]* of [^"]*)"', lying) == ["6 of hearts", "jack of spades"]


def test_a_table_for_two_is_drawn_where_two_lay_it_out(tmp_path: Path) -> None:
    with watched("speed-duel", tmp_path, TWO) as (_, page):
        laid = page("/how/speed-duel").split('id="lay"')[1].split("</svg>")[0]
        assert laid.count("#chip") == 2
