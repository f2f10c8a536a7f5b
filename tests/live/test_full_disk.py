"""A log that can't be written: nothing is judged or shown as if it had happened, and the table says so."""

import sqlite3
from contextlib import closing

import pytest

from companion.devices.sensing import (
    Appeared,
    Buzzed,
    Crowded,
    Failed,
    Gone,
    Hurried,
    Passed,
    Sensing,
    Uncrowded,
    Working,
)
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


def says(table: Table) -> str:
    """Return why nothing can be stored, as the table's journal has it; "" if all can."""
    trouble = table.live.snapshot.trouble
    return trouble.says if trouble else ""


def test_what_cannot_be_stored_is_neither_judged_nor_shown_but_said(table: Table, clock: Clock) -> None:
    with refusing(table.log, "append"), pytest.raises(NotKept):
        table.press(1)
    assert table.waits_for == "now-ready"
    assert says(table) == "the disk is full"
    table.press(1)
    assert table.waits_for == "now-collecting"
    assert table.live.snapshot.trouble is None


HEARD = Appeared("seat-1", "040404BB", 1.0)
TAPPED = Appeared("seat-2", "040404AA", 1.0)


def test_what_brings_no_event_is_not_told_again_for_anothers_that_could_not_be_stored(table: Table) -> None:
    table.again(Clock())
    table.live.listen(lambda hearing: hearing.begin(1))
    with refusing(table.log, "append"), in_one_round(table.live) as bring:
        heard, passed, tapped = (
            bring(table.live.tell, sensing_told) for sensing_told in (HEARD, Passed("box", 1.0), TAPPED)
        )
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
        table.live.tell(Gone("seat-1", "040404BB", 2.0), TAPPED)
    table.live.tell(Gone("seat-1", "040404BB", 2.0), TAPPED)
    assert not [event for event in table.events if isinstance(event, Lifted)]


def tell_until_it_is_stored(table: Table, *sensings: Sensing, refused: int = 20) -> None:
    """As a reader does: the same again at each poll."""
    with refusing(table.log, "append"):
        for _ in range(refused):
            with pytest.raises(NotKept):
                table.live.tell(*sensings)
    table.live.tell(*sensings)


def test_a_card_tapped_too_quickly_is_counted_once(table: Table) -> None:
    table.again(Clock())
    counts = []
    table.live.watch(lambda: counts.append(table.live.snapshot.hurried.get("seat-1")))
    tell_until_it_is_stored(table, TAPPED, Hurried("seat-1", 1.0))
    assert counts == [None] * 20 + [1]
    table.live.tell(Hurried("seat-1", 2.0))
    assert counts[-1] == 2


def test_two_cards_at_a_place_that_are_gone_again_never_lay_there(table: Table) -> None:
    table.again(Clock())
    crowds = []
    table.live.watch(lambda: crowds.append(table.live.snapshot.crowded))
    tell_until_it_is_stored(table, Crowded("seat-1", 1.0), Uncrowded("seat-1", 1.5), TAPPED)
    assert {*crowds} == {()}


def test_a_device_that_failed_and_works_again_is_noted_once(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    table.again(Clock())
    caplog.set_level("INFO", "companion.live.device_status")
    tell_until_it_is_stored(table, Failed("reader", "unplugged.", 1.0), Working("reader", "", 2.0), TAPPED)
    assert [record.getMessage() for record in caplog.records if "device_status" in record.name] == [
        "reader failed: unplugged.",
        "reader works again: ",
    ]


def test_a_card_that_shows_its_owner_does_so_once(table: Table) -> None:
    table.again(Clock())
    cards_shown: list[tuple[str, str]] = []
    table.live.withhold_cards(lambda place, uid: uid == "04C1A2B3", lambda place, uid: cards_shown.append((place, uid)))
    tell_until_it_is_stored(table, Appeared("seat-1", "04C1A2B3", 1.0), TAPPED)
    assert cards_shown == [("seat-1", "04C1A2B3")]


def test_a_press_told_twice_at_once_is_nowhere_taken_to_be_stored(table: Table) -> None:
    press = Buzzed(1, 1.0, 0.0, "box:1")
    with refusing(table.log, "append"), in_one_round(table.live) as bring:
        both = [bring(table.live.tell, press) for _ in range(2)]
    assert all(isinstance(future.exception(), NotKept) for future in both)


def test_when_the_log_can_be_used_again_the_table_says_so_by_itself(table: Table, clock: Clock) -> None:
    with refusing(table.log, "append", "try_to_write"), pytest.raises(NotKept):
        table.press(1)
    with refusing(table.log, "try_to_write", error=LogFault("the disk is read-only")):
        clock.now += 1
        table.live.ask_any(lambda: None)
        until(lambda: says(table) == "the disk is read-only")
    clock.now += 1
    table.live.ask_any(lambda: None)
    until(lambda: table.live.snapshot.trouble is None)
    assert table.waits_for == "now-ready"


def test_a_match_that_could_be_started_again_is_one_that_is_recorded(table: Table) -> None:
    with refusing(table.log, "open_match"), pytest.raises(NotKept):
        table.begin()
    assert says(table) == "the disk is full"
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
        assert "Another program holds it" in says(table)
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
