"""What the things of stop it! tell of a match, against what the judge makes of it."""

import re
from pathlib import Path

import pytest

from companion.events import Player, Pressed
from companion.game.simulated_world import STRENGTHS, Strength
from companion.games.stop_it import GAME
from companion.games.stop_it.cards import DECK, PLAIN
from companion.kit.simulated_matches import Simulated, by_bots, choices
from companion.live.simulation import Simulation
from tests.web.table import app_of, living


@pytest.mark.parametrize("seed", range(6))
def test_the_judge_counts_the_negative_cards_that_were_handed_out(seed: int) -> None:
    played = by_bots(GAME, {1: "easy", 2: "strong", 6: "middle"}, seed)
    scores = played.match.outcome.scores
    for seat, cards in played.world.paid.items():
        assert len(cards) <= (scores[seat] or 0)
    assert (
        sum(points or 0 for points in scores.values()) == sum(map(len, played.world.paid.values())) + played.world.owed
    )


@pytest.mark.parametrize("strength", STRENGTHS)
def test_no_bot_shouts_for_a_colour_of_which_it_holds_nothing(strength: Strength) -> None:
    """It would be sure to pay: an easy bot shouts too early, never absurdly."""
    for seed in range(6):
        played = Simulated(GAME, (1, 3, 4), seed)
        for sight, move in choices(played, dict.fromkeys(played.seats, strength)):
            if move.what == "shout":
                tops = [pile["top"] for pile in sight.sees["piles"] if pile["top"]]
                held = [DECK[card].colour for card in sight.sees["hand"] if DECK[card].kind == PLAIN]
                stops = [DECK[card] for card in (*tops, *sight.sees["hand"]) if DECK[card].kind != PLAIN]
                assert any(stop.colour in (None, colour) for stop in stops for colour in held)
            played.do(move)


PEOPLE = (Player(1, "Ana"), Player(3, "Bo"))


@pytest.mark.parametrize(("chosen", "sentence"), [("void", "costs nothing here"), ("penalty", "costs 1 penalty card")])
def test_whoever_may_shout_reads_what_a_false_alarm_costs(tmp_path: Path, chosen: str, sentence: str) -> None:
    with living(tmp_path) as live:
        live.begin("stop-it", PEOPLE, {"false_call": chosen})
        live.enter(Pressed(0, 0.0, 1))
        assert sentence in app_of(live).test_client().get("/seat/1?lang=en").text


def test_at_a_simulated_table_too(tmp_path: Path) -> None:
    with living(tmp_path, simulated=True) as live:
        simulation = Simulation(live)
        simulation.begin("stop-it", PEOPLE, {})
        simulation.play(simulation.sights[1].moves[0])
        phone = app_of(live, simulation=simulation).test_client()
        assert "costs nothing here" in phone.get("/seat/1?lang=en").text


def test_the_big_screen_shows_the_piles_that_people_take_from(tmp_path: Path) -> None:
    with living(tmp_path, simulated=True) as live:
        simulation = Simulation(live)
        simulation.begin("stop-it", PEOPLE, {})
        phone = app_of(live, simulation=simulation).test_client()

        def edges() -> int:
            """How many cards lie under the tops."""
            page = phone.get("/big?lang=en").text
            assert page.count('<rect class="paper"') == 5
            assert 'class="piles' not in page
            assert 'class="taking"' not in page
            return page.count("m-58-1.2h58")

        edges_before = edges()
        simulation.play(simulation.sights[1].moves[0])
        assert edges() == edges_before
        simulation.play(next(move for move in simulation.sights[1].moves if move.what == "pick"))
        assert edges() < edges_before


def test_the_big_screen_shows_as_many_backs_in_a_hand_as_everybody_sees_of_it_and_none_at_first(tmp_path: Path) -> None:
    with living(tmp_path, simulated=True) as live:
        simulation = Simulation(live)
        simulation.begin("stop-it", PEOPLE, {})
        phone = app_of(live, simulation=simulation).test_client()
        simulation.play(simulation.sights[1].moves[0])
        for held in (0, 1, 2):
            hands = re.findall(r'class="held [^>]*>((?:<i></i>)*)</span>', phone.get("/big").text)
            assert [hand.count("<i>") for hand in hands] == [held, 0]
            assert re.findall(r'data-number="(\d+)"', phone.get("/big").text) == [str(held)] * (held > 0)
            simulation.play(next(move for move in simulation.sights[1].moves if move.what == "pick"))


def test_phones_show_the_piles_as_they_lie(tmp_path: Path) -> None:
    """Also when they are taken from: then who may take has them once, as what they tap."""
    with living(tmp_path, simulated=True) as live:
        simulation = Simulation(live, seed=lambda: "always the same")
        simulation.begin("stop-it", PEOPLE, {})
        phone = app_of(live, simulation=simulation).test_client()

        def lie(path: str) -> int:
            page = phone.get(path).text
            assert 'class="piles' not in page
            return page.count('<rect class="paper"')

        assert [lie(path) for path in ("/", "/table", "/seat/1")] == [5, 5, 5]
        simulation.play(simulation.sights[1].moves[0])
        assert [lie(path) for path in ("/", "/table", "/seat/1")] == [5, 5, 0]
