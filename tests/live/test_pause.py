"""A break at a real table, and a match that people end before its end: meanwhile nothing counts."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.devices import sensing
from companion.errors import NotKept
from companion.events import Elapsed, Player, Pressed, Retracted, Said
from companion.live.judging import NoMatch
from companion.live.pause import Paused, Why
from companion.live.table import Live
from companion.storage.log import Log
from tests.live.table import refusing
from tests.waiting import until
from tests.web.table import Clock, living

PEOPLE = (Player(1, "Ana"), Player(2, "Bo"))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def live(tmp_path: Path, clock: Clock) -> Iterator[Live]:
    """A match of stop it! that has been started, at 10 s."""
    with living(tmp_path, clock) as live:
        live.begin("stop-it", PEOPLE, {})
        clock.now = 10.0
        live.enter(Pressed(0, 0.0, 1))
        yield live


def events(live: Live) -> int:
    return live.ask(lambda match: len(match.events))


def phase(live: Live) -> str:
    phase_now: str = live.snapshot.views[None]["table"]["phase"]
    return phase_now


def runs_out(live: Live, clock: Clock, at: float, by: float) -> None:
    """See that the delay is over by the one time, and was not yet after the other."""
    clock.now = at
    live.ask(lambda match: None)
    live.ask(lambda match: None)
    assert phase(live) == "collecting"
    clock.now = by
    until(lambda: phase(live) == "over")


def test_who_leans_on_a_button_in_a_break_has_not_shouted(live: Live, clock: Clock) -> None:
    live.pause(Why.BREAK)
    clock.now = 20.0
    live.tell(sensing.Buzzed(1, 20.0, 0.0, "box:1"))
    live.tell(sensing.Appeared("seat-1", "virtual:stop-it/red-stop-1", 20.0))
    assert events(live) == 2
    assert phase(live) == "collecting"
    live.go_on()
    clock.now = 21.0
    live.tell(sensing.Buzzed(2, 21.0, 0.0, "box:2"))
    assert phase(live) == "shouted"


def test_a_press_counts_by_when_it_happened(live: Live, clock: Clock) -> None:
    """A box tells late: of a press before the break during it, of one during the break after it."""
    clock.now = 20.0
    live.pause(Why.BREAK)
    clock.now = 25.0
    live.go_on()
    live.tell(sensing.Buzzed(1, 22.0, 0.0, "box:2"))
    assert phase(live) == "collecting"
    live.pause(Why.BREAK)
    live.tell(sensing.Buzzed(2, 19.9, 0.0, "box:1"))
    assert phase(live) == "shouted"


def test_a_card_laid_in_a_break_is_laid_again_afterwards(live: Live, clock: Clock) -> None:
    clock.now = 20.0
    live.enter(Pressed(0, 0.0, 1))
    live.pause(Why.BREAK)
    live.tell(sensing.Appeared("seat-1", "virtual:stop-it/red-stop-1", 20.0))
    live.go_on()
    live.tell(sensing.Gone("seat-1", "virtual:stop-it/red-stop-1", 20.0))
    assert (events(live), phase(live)) == (3, "shouted")
    live.tell(sensing.Appeared("seat-1", "virtual:stop-it/red-stop-1", 20.0))
    assert phase(live) == "counting"


def test_a_delay_does_not_run_out_in_a_break_and_has_as_long_to_run_after_it(live: Live, clock: Clock) -> None:
    clock.now = 20.0
    live.enter(Said(0, 0.0, 1, "piles-empty"))
    clock.now = 24.0
    live.pause(Why.BREAK)
    clock.now = 500.0
    live.ask(lambda match: None)
    live.go_on()
    runs_out(live, clock, 505.9, 506.1)
    assert isinstance(live.ask(lambda match: match.events[-1]), Elapsed)


def test_a_second_break_puts_the_same_delay_off_further(live: Live, clock: Clock) -> None:
    clock.now = 20.0
    live.enter(Said(0, 0.0, 1, "piles-empty"))
    for _ in range(2):
        live.pause(Why.BREAK)
        clock.now += 100
        live.go_on()
    runs_out(live, clock, 229.9, 230.1)


def test_a_match_that_was_ended_can_be_gone_on_with(live: Live) -> None:
    live.pause(Why.ENDED)
    assert live.snapshot.ended
    for act in (Pressed(0, 0.0, 1), Retracted(0, 0.0, 2)):
        with pytest.raises(Paused):
            live.enter(act)
    live.go_on()
    assert not live.snapshot.ended
    live.enter(Retracted(0, 0.0, 2))
    assert phase(live) == "ready"


def test_a_new_match_is_not_at_rest(live: Live, clock: Clock) -> None:
    live.pause(Why.BREAK)
    live.begin("stop-it", PEOPLE, {})
    assert live.snapshot.pause is None
    live.tell(sensing.Buzzed(1, clock.now, 0.0, ""))
    assert phase(live) == "collecting"


@pytest.mark.parametrize("why", Why)
def test_what_people_agreed_on_outlives_a_restart(tmp_path: Path, why: Why) -> None:
    with living(tmp_path) as live:
        live.begin("stop-it", PEOPLE, {})
        live.pause(why)
    for _ in range(2):
        with living(tmp_path) as live:
            assert live.snapshot.pause is why
            live.tell(sensing.Buzzed(1, live.clock(), 0.0, ""))
            assert (events(live), phase(live)) == (1, "ready")


def test_a_match_that_went_on_goes_on_after_a_restart(tmp_path: Path) -> None:
    with living(tmp_path) as live:
        live.begin("stop-it", PEOPLE, {})
        live.pause(Why.ENDED)
        live.go_on()
    with living(tmp_path) as live:
        assert live.snapshot.people_play
        live.enter(Pressed(0, 0.0, 1))
        assert phase(live) == "collecting"


def test_an_ended_match_can_be_gone_on_with_after_a_restart(tmp_path: Path) -> None:
    with living(tmp_path) as live:
        live.begin("stop-it", PEOPLE, {})
        live.pause(Why.ENDED)
    with living(tmp_path) as live:
        live.go_on()
        live.enter(Pressed(0, 0.0, 1))
        assert phase(live) == "collecting"


def test_the_match_after_an_ended_one_goes_on_after_a_restart(tmp_path: Path) -> None:
    with living(tmp_path) as live:
        live.begin("stop-it", PEOPLE, {})
        live.pause(Why.ENDED)
        live.begin("stop-it", PEOPLE, {})
    with living(tmp_path) as live:
        assert live.snapshot.people_play


def test_a_delay_has_as_long_to_run_when_the_table_is_switched_off_in_the_break(tmp_path: Path, clock: Clock) -> None:
    with living(tmp_path, clock) as live:
        live.begin("stop-it", PEOPLE, {})
        live.enter(Pressed(0, 0.0, 1))
        clock.now = 20.0
        live.enter(Said(0, 0.0, 1, "piles-empty"))
        clock.now = 24.0
        live.pause(Why.BREAK)
    with living(tmp_path, clock) as live:
        clock.now = 500.0
        live.ask(lambda match: None)
        live.go_on()
        runs_out(live, clock, 505.9, 506.1)


def test_the_time_goes_on_from_a_break_that_came_after_the_last_act(live: Live, clock: Clock) -> None:
    clock.now = 20.0
    live.pause(Why.BREAK)
    with closing(Log(live.kept_in, writes=False)) as log:
        assert log.last_at() == 20.0


def test_a_pause_whose_reason_is_damaged_is_a_break(tmp_path: Path) -> None:
    with living(tmp_path) as live:
        number = live.begin("stop-it", PEOPLE, {})
    with closing(Log(live.kept_in, writes=True)) as log:
        log.pause(number, 1.0, "brfak")
    with living(tmp_path) as live:
        assert live.snapshot.pause is Why.BREAK


def test_what_can_not_be_stored_pauses_nothing_and_goes_on_with_nothing(live: Live) -> None:
    with refusing(live._judging.recorder._log, "pause"), pytest.raises(NotKept):
        live.pause(Why.ENDED)
    assert live.snapshot.pause is None
    live.pause(Why.ENDED)
    with refusing(live._judging.recorder._log, "pause"), pytest.raises(NotKept):
        live.go_on()
    assert live.snapshot.ended


def test_without_a_match_there_is_nothing_to_pause(tmp_path: Path) -> None:
    with living(tmp_path) as live, pytest.raises(NoMatch):
        live.pause(Why.BREAK)
