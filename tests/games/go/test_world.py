"""What the things of ¡Go! tell of a round, against what the judge makes of it."""

import random
import re
from functools import cache
from pathlib import Path

import pytest

from companion.events import Player
from companion.game.simulated_world import STRENGTHS, Move, Sight, Strength
from companion.games.go import GAME
from companion.games.go.bots import PENALTIES, turns
from companion.games.go.cards import DECK, bits
from companion.games.go.state import Scored
from companion.kit.simulated_matches import Simulated, choices
from companion.live.bots import QUICKNESS
from companion.live.simulation import Simulation
from tests.web.table import app_of, living


@pytest.mark.parametrize("seed", range(4))
def test_the_judge_divides_the_hands_that_people_hold(seed: int) -> None:
    played = Simulated(GAME, (1, 3, 4), seed)
    while not played.match.state.history:
        calls = [move for move in played.moves() if move.what in ("call", "show")]
        played.do(played.chance.choice(calls or played.moves()))
    scored = played.match.state.history[0]
    assert isinstance(scored, Scored)
    for seat, division in scored.divisions.items():
        assert division.eliminated | division.series | division.additions | division.left == bits(
            played.world.hands[seat]
        )


@pytest.mark.parametrize("seed", range(4))
def test_after_the_count_a_hand_lies_as_the_judge_has_divided_it(tmp_path: Path, seed: int) -> None:
    """What was added to the caller's series is no penalty, and the caller's own series need not be the best."""
    chance = random.Random(seed)
    with living(tmp_path, simulated=True) as live:
        simulation = Simulation(live, seed=lambda: str(seed))
        simulation.begin("go", tuple(Player(seat, f"P{seat}") for seat in (1, 3, 4)), {})
        while not (counted := live.ask(lambda match: match.state.history)):
            moves = [move for sight in simulation.sights.values() for move in sight.moves if move.what != "best"]
            ends = [move for move in moves if move.what in ("call", "show", "series")]
            simulation.play(chance.choice(ends or moves))
        phone = app_of(live, simulation=simulation).test_client()
        for seat, division in counted[0].divisions.items():
            held = phone.get(f"/seat/{seat}").text.split('id="hand-held"')[1].split("</section>")[0]
            penalty = re.findall(r"Penalty points: (\d+)", held)
            assert penalty == ([str(division.penalty)] if division.left else [])
            assert ("Added to" in held) == bool(division.additions)


@cache
def match(strength: Strength, seed: int) -> list[tuple[Sight, Move]]:
    """Return what bots knew and did in a match of three."""
    played = Simulated(GAME, (1, 3, 4), seed)
    done = []
    for sight, move in choices(played, dict.fromkeys(played.seats, strength)):
        done.append((sight, move))
        played.do(move)
    return done


@pytest.mark.parametrize("strength", ["easy", "middle"])
def test_no_bot_calls_with_far_more_left_over_than_a_good_call_has(strength: Strength) -> None:
    """Some ten is a good call: an easy bot calls too early, never absurdly."""
    for seed in range(6):
        for sight, move in match(strength, seed):
            assert move.what != "call" or sight.sees["penalty"] <= 15


def test_a_strong_bot_calls_with_less_than_others_likely_have_by_now() -> None:
    """Early on everybody has much left over, so that even twenty may be the least."""
    for seed in range(6):
        for sight, move in match("strong", seed):
            if move.what == "call":
                assert sight.sees["penalty"] < PENALTIES[turns(sight)]


def test_an_easy_bot_is_careless_but_throws_away_no_low_card_by_lot() -> None:
    thrown = [
        DECK[move.card].value == max(DECK[card].value or 0 for card in sight.sees["left"])
        for seed in range(4)
        for sight, move in match("easy", seed)
        if move.what == "discard" and sight.sees["left"]
    ]
    assert sum(thrown) > len(thrown) / 2


@pytest.mark.parametrize("strength", STRENGTHS)
def test_nobody_waits_long_for_a_bots_turn(strength: Strength) -> None:
    turn = dict[str, float]()
    for _, move in match(strength, 1):
        turn.setdefault(move.what.partition("-")[0], move.seconds * QUICKNESS[strength])
    assert 2.5 <= turn["take"] + turn["discard"] <= 5


@pytest.mark.parametrize("seed", range(4))
def test_a_hand_in_ones_own_hand_lies_by_value_as_on_every_page(seed: int) -> None:
    for sight, _ in match("strong", seed):
        for cards in (sight.sees["series"], sight.sees["left"]):
            worth = [DECK[card].value or 0 for card in cards]
            assert worth == sorted(worth)
        gone = set(sight.sees["hand"]) - {*sight.sees["series"], *sight.sees["left"]}
        assert len({DECK[card].colour for card in gone}) <= 1 or not sight.sees["row"]


def test_at_a_simulated_table_everybody_sees_the_whole_row(tmp_path: Path) -> None:
    """The booklet lays it face up: which colour comes out next is what taking from it is about."""
    with living(tmp_path, simulated=True) as live:
        simulation = Simulation(live, seed=lambda: "4")
        simulation.begin("go", tuple(Player(seat, f"P{seat}") for seat in (1, 3)), {})
        client = app_of(live, simulation=simulation).test_client()
        row = simulation.sights[1].sees["row"]
        under = [f"c-{DECK[card].colour} v-{DECK[card].value}" for card in reversed(row[:-1])]
        for page in ("/", "/big", "/seat/1", "/seat/3"):
            drawn = client.get(page).text.split('class="under"')[1].split("</span>")[0]
            assert re.findall(r"c-\w+ v-\d+", drawn) == under, page


def test_who_takes_the_row_card_is_told_which_colour_goes_out_next(tmp_path: Path) -> None:
    with living(tmp_path, simulated=True) as live:
        simulation = Simulation(live, seed=lambda: "4")
        simulation.begin("go", tuple(Player(seat, f"P{seat}") for seat in (1, 3)), {})
        below = DECK[simulation.sights[1].sees["row"][-2]]
        page = app_of(live, simulation=simulation).test_client().get("/seat/1").text
        assert f"then {below.colour} is out" in page
