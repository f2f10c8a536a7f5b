"""Bots play to the end, at the pace of people who look, think and read."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.live.bots import ASKED, LOOKS, READS, TAKES_BACK, WATCHES, Bots
from companion.live.simulation import Simulation
from tests.live.simulated import PEOPLE, act, simulated
from tests.waiting import until

GAME = "kartel"


def test_bots_play_a_match_to_its_end_by_themselves(tmp_path: Path) -> None:
    with simulated(tmp_path) as (live, simulation):
        bots = Bots(simulation, pace=0.0, chance=random.Random(3))
        live.watch(bots.look)
        bots.start()
        try:
            simulation.begin(GAME, PEOPLE, dict.fromkeys((1, 3), "strong"))
            until(lambda: live.ask(lambda match: match.over))
        finally:
            bots.stop()
        assert live.ask(lambda match: match.misplays) == []


def test_before_its_first_move_a_bot_lets_people_look_and_then_takes_the_time_that_people_take(tmp_path: Path) -> None:
    with simulated(tmp_path) as (live, simulation):
        simulation.begin(GAME, PEOPLE, {1: "easy"})
        events = live.ask(lambda match: len(match.events))
        bots = Bots(simulation, chance=random.Random(1))
        due = bots.step(100.0)
        assert due is not None
        assert due == 100.0 + LOOKS
        assert live.ask(lambda match: len(match.events)) == events
        bots.step(due)
        assert live.ask(lambda match: len(match.events)) == events + 1
        again = bots.step(due)
        assert again is not None
        assert due + 0.3 < again < due + 6.0


def test_a_bot_watches_what_the_big_screen_plays_before_it_goes_on(tmp_path: Path) -> None:
    with simulated(tmp_path) as (_, simulation):
        simulation.begin("stop-me-go", PEOPLE, {1: "easy"})
        chance = random.Random(1)
        bots = Bots(simulation, chance=chance)
        bots.step(0.0)
        while simulation.staged is None:
            simulation.play(chance.choice([move for sight in simulation.sights.values() for move in sight.moves]))
        assert bots.step(100.0) == 100.0 + WATCHES


@contextmanager
def counted(folder: Path, *, caller: int) -> Iterator[tuple[Simulation, Bots]]:
    """A round of ¡Go! that people and the bot at seat 3 have played to its count; whoever called deals the next."""
    with simulated(folder) as (_, simulation):
        simulation.begin("go", PEOPLE, {3: "easy"})
        bots = Bots(simulation, chance=random.Random(1))
        bots.step(0.0)
        chance = random.Random(1)
        while simulation.staged is None:
            moves = [move for sight in simulation.sights.values() for move in sight.moves]
            calls = [move for move in moves if move.what == "call"]
            ends = [move for move in moves if move.what in ("show", "best")]
            ends += [call for call in calls if call.seat == caller]
            simulation.play(chance.choice(ends or [move for move in moves if move not in calls]))
        yield simulation, bots


def test_people_have_time_to_read_a_count_before_a_bot_deals(tmp_path: Path) -> None:
    with counted(tmp_path, caller=3) as (simulation, bots):
        assert simulation.reads
        assert bots.step(100.0) == 100.0 + READS


def test_a_bot_deals_as_soon_as_somebody_has_read_the_count(tmp_path: Path) -> None:
    with counted(tmp_path, caller=3) as (simulation, bots):
        bots.step(100.0)
        simulation.have_read()
        assert not simulation.reads
        bots.step(100.0 + READS / 2)
        assert simulation.staged is None


def test_where_a_person_deals_no_bot_waits_for_a_reader(tmp_path: Path) -> None:
    with counted(tmp_path, caller=1) as (simulation, bots):
        bots.step(100.0)
        assert not simulation.reads
        for what in ("deal", "take-pile", "discard"):
            simulation.play(next(move for move in simulation.sights[1].moves if move.what == what))
        due = bots.step(101.0)
        assert due is not None
        assert due < 100.0 + READS


def test_nobodys_call_is_taken_from_them_by_a_bot_that_draws(tmp_path: Path) -> None:
    with simulated(tmp_path) as (_, simulation):
        simulation.begin("go", PEOPLE, {3: "easy"})
        bots = Bots(simulation, chance=random.Random(1))
        bots.step(0.0)
        for _ in ("take", "discard"):
            simulation.play(simulation.sights[1].moves[0])
        declined = next(move for move in simulation.sights[1].moves if move.what == "not-yet")
        assert bots.step(100.0) == 100.0 + ASKED
        simulation.play(declined)
        due = bots.step(101.0)
        assert due is not None
        assert due < 100.0 + ASKED


def test_a_person_may_take_back_what_they_did_before_a_bot_goes_on(tmp_path: Path) -> None:
    def plays(what: str) -> None:
        """No boss: who goes to prison is looked at for longer."""
        moves = (move for move in simulation.sights[1].moves if not move.card.endswith("boss"))
        simulation.play(next(move for move in moves if move.what == what))

    with simulated(tmp_path) as (_, simulation):
        simulation.begin(GAME, PEOPLE, {3: "strong"})
        bots = Bots(simulation, chance=random.Random(1))
        bots.step(0.0)
        plays("roll")
        plays("take")
        made = len(simulation.playing.done) if simulation.playing else 0
        assert bots.step(100.0) == 100.0 + TAKES_BACK
        assert simulation.playing is not None
        assert len(simulation.playing.done) == made
        simulation.take_back(lambda match: match.public[-1].seq)
        assert bots.step(101.0) is None
        plays("take")
        assert bots.step(102.0) == 102.0 + TAKES_BACK
        bots.step(102.0 + TAKES_BACK)
        assert simulation.playing.done[-1].move.seat == 3


def test_no_bot_waits_where_people_go_on_or_all_do_the_same_at_once(tmp_path: Path) -> None:
    with simulated(tmp_path) as (_, simulation):
        simulation.begin("stop-it", PEOPLE, {3: "strong"})
        bots = Bots(simulation, chance=random.Random(1))
        bots.step(0.0)
        simulation.play(next(move for move in simulation.sights[1].moves if move.what == "start"))
        due = bots.step(100.0)
        assert due is not None
        assert due < 100.0 + TAKES_BACK
    with simulated(tmp_path / "another") as (_, simulation):
        simulation.begin("stop-me-go", PEOPLE, {3: "strong"})
        bots = Bots(simulation, chance=random.Random(1))
        bots.step(0.0)
        while not (able := [move for move in simulation.sights[1].moves if move.what == "lay"]):
            simulation.play(next(move for sight in simulation.sights.values() for move in sight.moves))
        simulation.play(able[0])
        due = bots.step(100.0)
        assert due is not None
        assert due < 100.0 + TAKES_BACK


def test_where_a_bot_plays_on_for_a_person_it_leaves_time_to_say_no(tmp_path: Path) -> None:
    with simulated(tmp_path) as (_, simulation):
        simulation.begin(GAME, PEOPLE, {})
        bots = Bots(simulation, pace=1.0, chance=random.Random(1))
        bots.step(0.0)
        simulation.hand_over(1)
        assert bots.step(100.0) == 100.0 + TAKES_BACK
        simulation.take_over(1)
        assert bots.step(100.0 + TAKES_BACK) is None


def test_no_bot_starts_before_people_are_ready_to_grab(tmp_path: Path) -> None:
    with simulated(tmp_path) as (_, simulation):
        simulation.begin("stop-it", PEOPLE, {3: "strong"})
        bots = Bots(simulation, chance=random.Random(1))
        assert bots.step(0.0) is None
        assert bots.step(1000.0) is None
        act(simulation)
        assert bots.step(1000.0) is not None


def test_where_only_bots_are_left_one_of_them_starts(tmp_path: Path) -> None:
    with simulated(tmp_path) as (_, simulation):
        simulation.begin("stop-it", PEOPLE, {3: "strong"})
        bots = Bots(simulation, chance=random.Random(1))
        assert bots.step(0.0) is None
        simulation.hand_over(1)
        assert bots.step(10.0) is not None
