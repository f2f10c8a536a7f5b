"""When a match began is known, or said to be unknown: whatever the machine's clock said, and whenever it was set."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from companion.history import bg_stats
from companion.history.archive import Archive
from companion.history.standings import Result
from companion.storage.log import Log
from companion.wall_clock import Trust
from tests.live.table import Table
from tests.wall_clock import MachineClock, in_hand

EPOCH = "1970-01-01T00:03:00"
TONIGHT = "2026-12-04T20:00:00"
MINUTE = 60.0


class Evening(Table):
    """A table on a machine whose wall clock is in the test's hand."""

    def __init__(self, folder: Path, clock: MachineClock) -> None:
        self.clock = clock
        super().__init__(folder)
        self.archive = Archive(folder / "log.sqlite")

    def plays(self, minutes: float = 10.0) -> int:
        number = self.begin()
        self.clock.passes(minutes * MINUTE)
        return number

    def is_off_until(self, when: str, trust: Trust = Trust.LIKELY) -> None:
        self.close()
        self.clock.starts_again(when, trust)
        self.open()

    @property
    def began(self) -> list[str]:
        """When its matches began, in UTC."""
        return [result.began.removesuffix("+00:00") for result in self.archive.results()]

    @property
    def latest(self) -> list[Result]:
        return self.archive.latest()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> MachineClock:
    return in_hand(monkeypatch, EPOCH, Trust.UNKNOWN)


@pytest.fixture
def table(tmp_path: Path, clock: MachineClock) -> Iterator[Evening]:
    table = Evening(tmp_path, clock)
    yield table
    table.close()


def test_a_network_that_tells_the_time_late_dates_all_that_was_played_since_the_machine_started(
    table: Evening, clock: MachineClock
) -> None:
    table.plays()
    table.plays()
    assert table.began == ["", ""]
    clock.is_set(TONIGHT)
    assert table.began == ["2026-12-04T19:40:00", "2026-12-04T19:50:00"]
    table.plays()
    assert table.began[2] == TONIGHT
    assert [result.match for result in table.latest] == [1, 2, 3]


def test_what_was_dated_once_stays_dated_when_the_machine_has_been_off(table: Evening, clock: MachineClock) -> None:
    table.plays()
    clock.is_set(TONIGHT)
    table.plays()
    table.is_off_until(EPOCH, Trust.UNKNOWN)
    table.plays()
    assert table.began == ["2026-12-04T19:50:00", TONIGHT, ""]


def test_the_time_is_noted_though_nobody_begins_another_match(table: Evening, clock: MachineClock) -> None:
    table.plays()
    clock.is_set(TONIGHT)
    assert table.live.ask_any(table.live._judging.recorder.look_at_the_clock)
    table.is_off_until(EPOCH, Trust.UNKNOWN)
    assert table.began == ["2026-12-04T19:50:00"]


def test_a_clock_that_is_put_back_in_a_match_dates_all_by_what_it_says_since(
    table: Evening, clock: MachineClock
) -> None:
    clock.is_set(TONIGHT, Trust.LIKELY)
    table.plays()
    clock.is_set("2026-12-04T19:30:00", Trust.LIKELY)
    table.plays()
    assert table.began == ["2026-12-04T19:20:00", "2026-12-04T19:30:00"]


def test_a_clock_that_falls_back_to_1970_is_not_believed(table: Evening, clock: MachineClock) -> None:
    clock.is_set(TONIGHT, Trust.LIKELY)
    table.plays()
    clock.is_set(EPOCH, Trust.UNKNOWN)
    table.plays()
    assert table.began == [TONIGHT, "2026-12-04T20:10:00"]


def test_a_clock_that_is_only_slewed_changes_no_date(table: Evening, clock: MachineClock) -> None:
    clock.is_set(TONIGHT)
    table.plays()
    clock.is_set("2026-12-04T20:10:02")
    assert table.began == [TONIGHT]


def test_winter_time_is_no_other_evening(table: Evening, clock: MachineClock) -> None:
    clock.is_set("2027-10-31T00:50:00")
    clock.moves_to(7200)
    table.plays(20)
    clock.moves_to(3600)
    table.plays()
    assert [result.began for result in table.latest] == ["2027-10-31T02:50:00+02:00", "2027-10-31T02:10:00+01:00"]
    assert {result.evening for result in table.latest} == {"2027-10-30"}


def test_what_nobody_can_date_is_of_no_evening_and_no_season_and_goes_to_no_other_program(table: Evening) -> None:
    table.plays()
    (match,) = table.latest
    assert (match.began, match.evening) == ("", "")
    assert table.archive.season(False).evenings == ()
    assert not bg_stats.can_take(match)


def test_two_evenings_that_nobody_can_date_are_not_made_one(table: Evening) -> None:
    table.plays()
    table.is_off_until(EPOCH, Trust.UNKNOWN)
    table.plays()
    table.plays()
    assert [result.match for result in table.latest] == [2, 3]


def test_a_saved_clock_that_goes_on_where_it_stood_dates_nothing(table: Evening, clock: MachineClock) -> None:
    clock.is_set(TONIGHT)
    table.plays()
    table.is_off_until("2026-12-04T20:11:00")  # a week later in truth
    table.plays(30)
    table.plays()
    assert table.began == [TONIGHT, "", ""]
    assert [result.match for result in table.latest] == [2, 3]
    clock.is_set("2026-12-11T21:00:00")
    assert table.began == [TONIGHT, "2026-12-11T20:20:00", "2026-12-11T20:50:00"]


def test_a_program_that_starts_again_in_the_same_evening_goes_by_the_machines_own_clock(
    table: Evening, clock: MachineClock
) -> None:
    clock.is_set(TONIGHT, Trust.LIKELY)
    table.plays()
    table.close()
    clock.passes(MINUTE)
    clock.program_starts_again()
    table.open()
    table.plays()
    assert table.began == [TONIGHT, "2026-12-04T20:11:00"]


def test_the_host_tells_the_day_and_a_network_knows_better(table: Evening, clock: MachineClock) -> None:
    table.plays()
    assert table.live.snapshot.is_undated
    table.live.tell_the_time(datetime.fromisoformat("2026-12-04T20:00:00+00:00"))
    assert not table.live.snapshot.is_undated
    table.plays()
    assert table.began == ["2026-12-04T19:50:00", TONIGHT]
    clock.is_set("2026-12-04T20:25:00")
    assert table.began == ["2026-12-04T20:05:00", "2026-12-04T20:15:00"]


def test_whoever_reads_the_log_itself_sees_one_evening_too(table: Evening, clock: MachineClock) -> None:
    table.plays()
    clock.is_set(TONIGHT)
    table.plays()
    with closing(sqlite3.connect(table.log.path)) as db:
        noted = [began for (began,) in db.execute("SELECT began FROM match")]
    assert noted == ["1970-01-01T00:03:00+00:00", "1970-01-01T00:13:00+00:00"]


def test_an_evening_is_found_by_when_it_was_and_not_by_what_was_noted(table: Evening, clock: MachineClock) -> None:
    table.plays()
    clock.is_set(TONIGHT)
    table.plays()
    assert [result.match for result in table.archive.evening("2026-12-04")] == [1, 2]
    assert table.archive.evening("1969-12-31") == []


def test_what_an_earlier_companion_dated_is_read_as_before_but_not_to_1970(tmp_path: Path) -> None:
    with closing(Table(tmp_path)) as table:
        started = table.live.snapshot and table.begin() and table.events[0]
        for began in ("2026-03-01T20:00:00+01:00", "1970-01-01T00:03:00+00:00"):
            table.log.open_match(began, 0, started)
    with closing(Log(tmp_path / "log.sqlite", writes=False)) as log:
        assert [entry.began for entry in log.matches(since=2)] == ["2026-03-01T20:00:00+01:00", ""]
