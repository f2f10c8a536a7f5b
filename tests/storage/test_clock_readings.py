"""What is known of when matches began, over many looks at one log."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion import wall_clock
from companion.events import Started
from companion.storage.clock_readings import MatchDates
from companion.storage.log import Log
from companion.wall_clock import Trust
from tests.storage.test_log import FIRST
from tests.wall_clock import MachineClock, in_hand


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> MachineClock:
    return in_hand(monkeypatch, "2026-12-01T20:00:00")


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    with closing(Log(tmp_path / "log.sqlite", writes=True)) as log:
        yield log


def open_match(log: Log, first: Started = FIRST) -> int:
    reading = wall_clock.read()
    return log.open_match("2026-12-01T20:00:00+00:00", 0, first, reading)


def looked(log: Log, dates: MatchDates, start: str, end: str) -> list[int]:
    with closing(Log(log.path, writes=False, dates=dates)) as reading:
        return [entry.id for entry in reading.begun(start, end)]


def test_a_match_begun_since_the_last_look_is_found_at_the_next(log: Log, clock: MachineClock) -> None:
    dates = MatchDates()
    open_match(log)
    assert looked(log, dates, "2026-12-01", "2026-12-02") == [1]
    clock.passes(60)
    open_match(log)
    assert looked(log, dates, "2026-12-01", "2026-12-02") == [1, 2]


def test_a_clock_that_is_set_dates_anew_what_was_dated_at_an_earlier_look(log: Log, clock: MachineClock) -> None:
    dates = MatchDates()
    open_match(log)
    looked(log, dates, "2026-12-01", "2026-12-02")
    clock.is_set("2026-12-24T20:00:00", Trust.CERTAIN)
    assert looked(log, dates, "2026-12-24", "2026-12-25") == [1]  # before that is noted
    log.note_clock(wall_clock.read())
    assert looked(log, dates, "2026-12-24", "2026-12-25") == [1]
    assert looked(log, dates, "2026-12-01", "2026-12-02") == []


def test_what_the_clock_said_for_a_moment_and_nobody_noted_is_forgotten(log: Log, clock: MachineClock) -> None:
    dates = MatchDates()
    open_match(log)
    moment = clock.now
    clock.is_set("2026-12-24T20:00:00", Trust.CERTAIN)
    looked(log, dates, "2026-12-01", "2026-12-02")
    clock.now = moment
    assert looked(log, dates, "2026-12-01", "2026-12-02") == [1]


def test_each_reading_is_read_once(log: Log, clock: MachineClock) -> None:
    dates = MatchDates()
    for _ in range(3):
        clock.starts_again("2026-12-01T20:00:00")
        open_match(log)
    looked(log, dates, "2026-12-01", "2026-12-02")
    rows_read: list[list[tuple[object, ...]]] = []

    def rows(sql: str, *values: object) -> list[tuple[object, ...]]:
        rows_read.append(log._rows(sql, *values))
        return rows_read[-1]

    dates.look_at_all(rows, clock.now)
    assert rows_read == [[]]


def test_what_one_look_at_some_matches_has_read_a_look_at_all_does_not_take_twice(
    log: Log, clock: MachineClock
) -> None:
    dates = MatchDates()
    open_match(log)
    clock.starts_again("2026-12-01T21:00:00")
    open_match(log)
    with closing(Log(log.path, writes=False, dates=dates)) as reading:
        assert reading.match(2)
    assert looked(log, dates, "2026-12-01", "2026-12-02") == [1, 2]
    assert dates.of_boot(clock.now.boot).keys() == {2}
