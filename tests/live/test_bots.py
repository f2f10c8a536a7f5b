"""Bots play to the end, at the pace of people who look, think and read."""

import math
import random

import pytest

from companion.events import Player
from companion.game.simulated_world import Move
from companion.games.speed_snap.bots import is_alike
from companion.live.bots import ASKED, BY_EAR, FINDS, HEARS, LOOKS, READS, TAKES_BACK, TURNS_ITSELF, WATCHES, Bots
from companion.live.simulation import Simulation
from companion.live.table import Live
from tests.live.simulated import PEOPLE, act, take_back
from tests.waiting import until

GAME = "kartel"


def begun(simulation: Simulation, game: str, strengths: dict[int, str]) -> Bots:
    """Begin a match with bots of these strengths, by seat, who have looked at it once."""
    simulation.begin(game, PEOPLE, strengths)
    bots = Bots(simulation, chance=random.Random(1))
    bots.step(0.0)
    return bots


def moves(simulation: Simulation) -> list[Move]:
    """Return what anybody could do."""
    return [move for sight in simulation.sights.values() for move in sight.moves]


def test_bots_play_a_match_to_its_end_by_themselves(live: Live, simulation: Simulation) -> None:
    bots = Bots(simulation, pace=0.0, chance=random.Random(3))
    live.watch(bots.look)
    bots.start()
    try:
        simulation.begin(GAME, PEOPLE, dict.fromkeys((1, 3), "strong"))
        until(lambda: live.ask(lambda match: match.over))
    finally:
        bots.stop()
    assert live.ask(lambda match: match.misplays) == []


def test_before_its_first_move_a_bot_lets_people_look_and_then_takes_the_time_that_people_take(
    live: Live, simulation: Simulation
) -> None:
    simulation.begin(GAME, PEOPLE, {1: "easy"})
    events = live.ask(lambda match: len(match.events))
    bots = Bots(simulation, chance=random.Random(1))
    due = bots.step(100.0)
    assert due == 100.0 + LOOKS
    assert live.ask(lambda match: len(match.events)) == events
    bots.step(due)
    assert live.ask(lambda match: len(match.events)) == events + 1
    again = bots.step(due)
    assert again is not None
    assert due + 0.3 < again < due + 6.0


def test_a_bot_watches_what_the_big_screen_plays_before_it_goes_on(simulation: Simulation) -> None:
    bots = begun(simulation, "stop-me-go", {1: "easy"})
    chance = random.Random(1)
    while simulation.staged is None:
        simulation.play(chance.choice(moves(simulation)))
    assert bots.step(100.0) == 100.0 + WATCHES


def counted(simulation: Simulation, *, caller: int) -> Bots:
    """Have people and the bot at seat 3 play a round of ¡Go! to its count; whoever called deals the next."""
    bots = begun(simulation, "go", {3: "easy"})
    chance = random.Random(1)
    while simulation.staged is None:
        calls = [move for move in moves(simulation) if move.what == "call"]
        ends = [move for move in moves(simulation) if move.what in ("show", "best")]
        ends += [call for call in calls if call.seat == caller]
        simulation.play(chance.choice(ends or [move for move in moves(simulation) if move not in calls]))
    return bots


def test_people_have_time_to_read_a_count_before_a_bot_deals(simulation: Simulation) -> None:
    bots = counted(simulation, caller=3)
    assert simulation.reads
    assert bots.step(100.0) == 100.0 + READS


def test_a_bot_deals_as_soon_as_somebody_has_read_the_count(simulation: Simulation) -> None:
    bots = counted(simulation, caller=3)
    bots.step(100.0)
    simulation.have_read()
    assert not simulation.reads
    bots.step(100.0 + READS / 2)
    assert simulation.staged is None


def test_where_a_person_deals_no_bot_waits_for_a_reader(simulation: Simulation) -> None:
    bots = counted(simulation, caller=1)
    bots.step(100.0)
    assert not simulation.reads
    for kind in ("deal", "take-pile", "discard"):
        simulation.play(next(move for move in simulation.sights[1].moves if move.what == kind))
    assert (bots.step(101.0) or math.inf) < 100.0 + READS


def test_nobodys_call_is_taken_from_them_by_a_bot_that_draws(simulation: Simulation) -> None:
    bots = begun(simulation, "go", {3: "easy"})
    for _ in ("take", "discard"):
        act(simulation)
    declined = next(move for move in simulation.sights[1].moves if move.what == "not-yet")
    assert bots.step(100.0) == 100.0 + ASKED
    simulation.play(declined)
    assert (bots.step(101.0) or math.inf) < 100.0 + ASKED


def test_a_person_may_take_back_what_they_did_before_a_bot_goes_on(simulation: Simulation) -> None:
    bots = begun(simulation, GAME, {3: "strong"})

    def plays(kind: str) -> None:
        """No boss: who goes to prison is looked at for longer."""
        tokens = (move for move in simulation.sights[1].moves if not move.card.endswith("boss"))
        simulation.play(next(move for move in tokens if move.what == kind))

    plays("roll")
    plays("take")
    playing = simulation.playing
    assert playing is not None
    assert bots.step(100.0) == 100.0 + TAKES_BACK
    assert simulation.playing == playing
    take_back(simulation, lambda match: match.public[-1].seq)
    assert bots.step(101.0) is None
    plays("take")
    assert bots.step(102.0) == 102.0 + TAKES_BACK
    bots.step(102.0 + TAKES_BACK)
    assert simulation.playing.done[-1].move.seat == 3


@pytest.mark.parametrize(("game", "kind"), [("stop-it", "start"), ("stop-me-go", "lay")])
def test_no_bot_waits_where_people_go_on_or_all_do_the_same_at_once(
    simulation: Simulation, game: str, kind: str
) -> None:
    bots = begun(simulation, game, {3: "strong"})
    while not (able := [move for move in simulation.sights[1].moves if move.what == kind]):
        simulation.play(moves(simulation)[0])
    simulation.play(able[0])
    assert (bots.step(100.0) or math.inf) < 100.0 + TAKES_BACK


def test_where_a_bot_plays_on_for_a_person_it_leaves_time_to_say_no(simulation: Simulation) -> None:
    bots = begun(simulation, GAME, {})
    simulation.hand_over(1)
    assert bots.step(100.0) == 100.0 + TAKES_BACK
    simulation.take_over(1)
    assert bots.step(100.0 + TAKES_BACK) is None


def test_no_bot_starts_before_people_are_ready_to_grab(simulation: Simulation) -> None:
    bots = begun(simulation, "stop-it", {3: "strong"})
    assert bots.step(1000.0) is None
    act(simulation)
    assert bots.step(1000.0) is not None


def test_where_only_bots_are_left_one_of_them_starts(simulation: Simulation) -> None:
    bots = begun(simulation, "stop-it", {3: "strong"})
    assert bots.step(1.0) is None
    simulation.hand_over(1)
    assert bots.step(10.0) is not None


def test_where_only_people_play_the_table_turns_up_what_nobody_decides(live: Live, simulation: Simulation) -> None:
    bots = begun(simulation, "stop-me-go", {})
    assert {move.what for move in moves(simulation)} == {"turn-up"}
    assert bots.step(0.0) == LOOKS
    bots.step(LOOKS)
    assert {move.what for move in moves(simulation)} == {"lay"}
    assert live.ask(lambda match: match.misplays) == []


def laid(simulation: Simulation) -> None:
    """Turn up gangsters and have everybody lay a card on each, until cards are to be turned over."""
    while not any(move.what == "turn-over" for move in moves(simulation)):
        simulation.play(next(move for move in moves(simulation) if move.what in ("turn-up", "lay")))


def test_people_have_time_to_be_quicker_than_the_table(live: Live, simulation: Simulation) -> None:
    bots = begun(simulation, "stop-me-go", {})
    laid(simulation)
    assert bots.step(100.0) == 100.0 + TURNS_ITSELF
    simulation.play(next(move for move in moves(simulation) if move.what == "turn-over"))
    events = live.ask(lambda match: len(match.events))
    bots.step(100.0 + TURNS_ITSELF)
    assert live.ask(lambda match: len(match.events)) == events


def test_what_people_decide_the_table_leaves_to_them(simulation: Simulation) -> None:
    bots = begun(simulation, "stop-me-go", {})
    bots.step(LOOKS)
    assert {move.what for move in moves(simulation)} == {"lay"}
    assert bots.step(1000.0) is None


def test_where_somebody_plays_by_ear_bots_take_longer(
    simulation: Simulation,
) -> None:
    simulation.begin("kartel", PEOPLE, {1: "easy"})
    simulation.plays_by_ear(3, is_by_ear=True)
    assert Bots(simulation, chance=random.Random(1)).step(100.0) == 100.0 + LOOKS * BY_EAR
    simulation.plays_by_ear(3, is_by_ear=False)
    assert Bots(simulation, chance=random.Random(1)).step(100.0) == 100.0 + LOOKS


def test_whoever_listens_hears_as_many_piles_change_however_many_bots_collect(simulation: Simulation) -> None:
    two = picks_in_ten_minutes(simulation, 1, 2)
    three = picks_in_ten_minutes(simulation, 1, 2, 4)
    assert three < two * 1.5


def test_where_somebody_listens_one_bot_alone_collects_no_faster_than_each_of_two(simulation: Simulation) -> None:
    assert picks_in_ten_minutes(simulation, 1) < picks_in_ten_minutes(simulation, 1, 2) * 0.75


def test_whoever_listens_has_the_time_to_find_a_card_that_may_be_taken_away(simulation: Simulation) -> None:
    looking = seconds_to_lay(simulation, by_ear=False)
    listening = seconds_to_lay(simulation, by_ear=True)
    assert listening == pytest.approx(looking + HEARS + FINDS)


def seconds_to_lay(simulation: Simulation, *, by_ear: bool) -> float:
    """Return after how many seconds a bot lays a card, in a race of two in which it can."""
    while True:
        simulation.begin("speed-duel", (Player(1, "Ana"), Player(3, "Bot")), {3: "strong"})
        simulation.plays_by_ear(1, is_by_ear=by_ear)
        bots = Bots(simulation, chance=random.Random(1))
        bots.step(0.0)
        for seat in (3, 1):
            simulation.play(simulation.sights[seat].moves[0])
        if any(move.fleeting for move in simulation.sights[3].moves):
            due = bots.step(1000.0)
            assert due is not None
            return due - 1000.0


@pytest.mark.parametrize("seats", [(1,), (1, 2, 4)])
def test_bots_race_later_by_the_time_to_hear_one_sentence_however_many_they_are(
    simulation: Simulation, seats: tuple[int, ...]
) -> None:
    assert HEARS < seconds_to_snap(simulation, *seats) < HEARS * 2


def seconds_to_snap(simulation: Simulation, *seats: int) -> float:
    """Return how long after two alike are turned a bot presses."""
    players = (Player(3, "Ana"), *(Player(seat, f"Bot {seat}") for seat in seats))
    simulation.begin("speed-snap", players, dict.fromkeys(seats, "strong"))
    simulation.plays_by_ear(3, is_by_ear=True)
    bots = Bots(simulation, chance=random.Random(1))
    at = 100.0
    alike_at = math.inf
    while True:
        playing = simulation.playing
        assert playing is not None
        if playing.done and playing.done[-1].move.what == "press":
            return at - alike_at
        if is_alike(simulation.sights[3].table.get("top", ())):
            alike_at = min(alike_at, at)
        elif turn := next((move for move in simulation.sights[3].moves if move.what != "press"), None):
            simulation.play(turn)
            continue
        at = bots.step(at) or at + 1.0


def picks_in_ten_minutes(simulation: Simulation, *seats: int) -> int:
    """Return how many cards bots pick up until somebody shouts, as if they did so for ten minutes."""
    players = (Player(3, "Ana"), *(Player(seat, f"Bot {seat}") for seat in seats))
    simulation.begin("stop-it", players, dict.fromkeys(seats, "easy"))
    bots = Bots(simulation, chance=random.Random(1))
    bots.step(0.0)
    simulation.plays_by_ear(3, is_by_ear=True)
    simulation.play(next(move for move in simulation.sights[3].moves if move.what == "start"))
    began = bots.step(100.0)
    assert began is not None
    at = began
    picks = 0
    while all(move.what in ("pick", "shout") for move in simulation.sights[3].moves) and picks < 40:
        sizes = sum(pile["size"] for pile in simulation.sights[3].sees["piles"])
        at = bots.step(at) or at
        picks += sizes - sum(pile["size"] for pile in simulation.sights[3].sees["piles"])
    return round(picks * 600 / (at - began))


def test_a_count_that_is_heard_waits_until_somebody_goes_on(simulation: Simulation) -> None:
    bots = counted(simulation, caller=3)
    simulation.plays_by_ear(1, is_by_ear=True)
    assert simulation.reads
    assert bots.step(100.0) is None
    simulation.have_read()
    assert bots.step(200.0) is not None


def test_whoever_turns_to_the_screen_again_is_waited_for_no_longer_than_others(simulation: Simulation) -> None:
    bots = counted(simulation, caller=3)
    simulation.plays_by_ear(1, is_by_ear=True)
    assert bots.step(100.0) is None
    looks: list[bool] = []
    simulation.watch(lambda: looks.append(True))
    simulation.plays_by_ear(1, is_by_ear=False)
    assert looks, "nothing else would wake the bots"
    assert bots.step(200.0) == 200.0 + READS


def test_a_bots_seat_is_never_played_by_ear(simulation: Simulation) -> None:
    simulation.begin("kartel", PEOPLE, {1: "easy"})
    simulation.plays_by_ear(1, is_by_ear=True)
    assert simulation.by_ear == frozenset()
