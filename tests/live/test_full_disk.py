"""A log that can't be written: nothing is judged or shown as if it had happened, and the table says so."""

import sqlite3
from contextlib import closing

import pytest

from companion.devices.sensing import Appeared, Buzzed, Gone, Passed
from companion.errors import NotKept
from companion.events import Lifted, Said
from companion.storage.opening import LogFault
from tests.live.table import Table, in_one_round, refusing
from tests.waiting import until
from tests.web.table import Clock


@pytest.fixture
def clock(table: Table) -> Clock:
    """It stands: nothing is tried again but by an act."""
    table.again(clock := Clock())
    return clock


def test_what_cannot_be_stored_is_neither_judged_nor_shown_but_said(table: Table, clock: Clock) -> None:
    with refusing(table.log, "append"), pytest.raises(NotKept):
        table.press(1)
    assert table.waits_for == "now-ready"
    assert table.live.snapshot.trouble == "the disk is full"
    table.press(1)
    assert table.waits_for == "now-collecting"
    assert table.live.snapshot.trouble is None


HEARD = Appeared("seat-1", "04BB", 1.0)
TAPPED = Appeared("seat-2", "04AA", 1.0)


def test_what_brings_no_event_is_not_told_again_for_anothers_that_could_not_be_stored(table: Table) -> None:
    table.again(Clock())
    table.live.listen(lambda hearing: hearing.begin(1))
    with refusing(table.log, "append"), in_one_round(table.live) as bring:
        heard, passed, tapped = (bring(table.live.tell, told) for told in (HEARD, Passed("box", 1.0), TAPPED))
    assert (heard.result(), passed.result()) == (None, None)
    assert isinstance(tapped.exception(), NotKept)
    assert table.live.snapshot.hearing[1].cards == ("red-7",)


def test_a_source_that_tells_again_is_heard_once(table: Table) -> None:
    """It had an event to tell as well."""
    table.again(Clock())
    table.live.listen(lambda hearing: hearing.begin(1))
    with refusing(table.log, "append"), pytest.raises(NotKept):
        table.live.tell(HEARD, TAPPED)
    table.live.tell(HEARD, TAPPED)
    assert table.live.snapshot.hearing[1].cards == ("red-7",)
    with refusing(table.log, "append"), pytest.raises(NotKept):
        table.live.tell(Gone("seat-1", "04BB", 2.0), TAPPED)
    table.live.tell(Gone("seat-1", "04BB", 2.0), TAPPED)
    assert not [event for event in table.events if isinstance(event, Lifted)]


def test_a_press_told_twice_at_once_is_nowhere_taken_to_be_stored(table: Table) -> None:
    press = Buzzed(1, 1.0, 0.0, "box:1")
    with refusing(table.log, "append"), in_one_round(table.live) as bring:
        both = [bring(table.live.tell, press) for _ in range(2)]
    assert all(isinstance(one.exception(), NotKept) for one in both)


def test_when_the_log_can_be_used_again_the_table_says_so_by_itself(table: Table, clock: Clock) -> None:
    with refusing(table.log, "append", "try_to_write"), pytest.raises(NotKept):
        table.press(1)
    with refusing(table.log, "try_to_write", error=LogFault("the disk is read-only")):
        clock.now += 1
        table.live.ask_any(lambda: None)
        until(lambda: table.live.snapshot.trouble == "the disk is read-only")
    clock.now += 1
    table.live.ask_any(lambda: None)
    until(lambda: table.live.snapshot.trouble is None)
    assert table.waits_for == "now-ready"


def test_a_match_that_could_be_started_again_is_one_that_is_recorded(table: Table) -> None:
    with refusing(table.log, "open_match"), pytest.raises(NotKept):
        table.begin()
    assert table.live.snapshot.trouble == "the disk is full"
    table.begin()
    assert table.live.snapshot.trouble is None


def test_another_program_that_writes_to_the_log_is_told_and_forgotten_with_the_next_act(
    table: Table, clock: Clock
) -> None:
    with closing(sqlite3.connect(table.log.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        for _ in range(50):
            with pytest.raises(NotKept):
                table.press(1)
        assert "Another program holds it" in (table.live.snapshot.trouble or "")
        assert table.live.ask(lambda match: len(match.events)) == 1
    table.press(1)
    assert table.live.snapshot.trouble is None
    assert len(table.events) == 2


def test_a_delay_that_cannot_be_stored_is_tried_again_now_and_then(table: Table, clock: Clock) -> None:
    table.press(1)
    table.live.enter(Said(0, 0.0, "host", "piles-empty"))
    with refusing(table.log, "append") as tries:
        for number, more in enumerate((20.0, 1.0), 1):
            clock.now += more
            for _ in range(5):
                table.live.ask_any(lambda: None)  # the judge, that rests, looks at a clock that was put forward
            assert len(tries) == number
    clock.now += 1
    table.live.ask_any(lambda: None)
    until(lambda: table.live.snapshot.views[None]["over"])
