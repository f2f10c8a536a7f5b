"""A table that is stopped and started: the match goes on, and nothing counts twice."""

import pytest

from companion.events import Pressed, Retracted, Said, Tapped
from companion.storage.log import Log
from tests.live.table import Table
from tests.waiting import until


def test_after_a_stop_the_same_match_goes_on(table: Table) -> None:
    table.press(1)
    snapshot_before = table.live.snapshot
    table.again()
    assert table.live.snapshot.views == snapshot_before.views
    assert table.live.snapshot.match == snapshot_before.match


def test_the_clock_goes_on_after_the_last_event(table: Table) -> None:
    table.press(1, 5000.0)
    assert table.again().clock() >= 5001.0


def test_a_press_told_again_after_a_restart_is_one_press(table: Table) -> None:
    table.press(1, origin="box-1")
    table.again()
    table.press(1, origin="box-1")
    assert len(table.events) == 2


@pytest.mark.parametrize("uid", ["040404BB", "040404CC"])
def test_a_card_that_lies_there_still_is_not_tapped_again(table: Table, uid: str) -> None:
    for place in ("centre", "seat-1"):
        table.lay(place, uid)
    events_before = table.events
    table.again()
    for place in ("centre", "seat-1"):
        table.lay(place, uid, already=True)
    assert table.events == events_before


def test_what_lies_there_instead_or_is_laid_anew_is_a_tap(table: Table) -> None:
    for place in ("centre", "seat-1", "seat-2"):
        table.lay(place, "040404BB")
    table.lift("seat-2", "040404BB")
    table.again()
    table.lay("centre", "040404AA", already=True)
    table.lay("seat-1", "040404BB")
    table.lay("seat-2", "040404BB", already=True)
    taps = [event for event in table.events if isinstance(event, Tapped)]
    assert [tap.place for tap in taps[3:]] == ["centre", "seat-1", "seat-2"]


def test_presses_a_box_kept_meanwhile_come_after_what_was_stored_and_keep_their_distance(table: Table) -> None:
    table.press(1)
    stored = table.live.clock()
    live = table.again()
    table.press(2, live.clock() - 90.001, "box-2")
    table.press(1, live.clock() - 90.0, "box-3")
    first, second = table.events[-2:]
    assert stored < first.at < second.at
    table.press(1, live.clock() - 86_400, "box-4")  # longer ago than any clock of ours goes
    assert table.events[-1].at >= table.events[1].at
    assert len(table.events) == 5


def test_the_last_calls_run_out_by_themselves(table: Table) -> None:
    table.press(1)
    table.live.enter(Said(0, 0.0, "host", "piles-empty"))
    table.close()
    late = Log(table.log.path, writes=True)
    late.append(1, [(Pressed(4, 0.0, 2), "")])
    late.append(1, [(Retracted(5, table.live.clock() + 60, 4), "")])
    late.close()
    table.open()
    until(lambda: table.live.snapshot.views[None]["over"])
