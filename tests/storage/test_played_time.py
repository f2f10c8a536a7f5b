"""Minutes that people are told leave out what no table counted: a restart, and what a past match has waited for."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion import games
from companion.devices.monotonic_clock import PAUSE
from companion.events import Event, Started
from companion.history.archive import Archive
from companion.history.standings import result
from companion.judge import views
from companion.judge.match import judge
from companion.judge.played_time import Away, seconds_played
from companion.kit.random_matches import random_match
from companion.storage.decisions import Decided, Decision
from companion.storage.entries import Pausing
from companion.storage.log import Log

BEGAN = "2026-11-20T20:00:00+01:00"
EVENTS = next(
    events
    for seed in range(100)
    if judge(events := random_match(games.known()["stop-it"], seed)).over and len(events) > 20
)
LAST = max(event.at for event in EVENTS)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    log = Log(tmp_path / "log.sqlite", writes=True)
    yield log
    log.close()


def later(events: list[Event], seconds: float) -> list[Event]:
    return [replace(event, at=event.at + seconds) for event in events]


def open_match(log: Log, number_of_events: int) -> int:
    first, *later_events = EVENTS[:number_of_events]
    assert isinstance(first, Started)
    match = log.open_match(BEGAN, 0, first)
    log.append(match, [(event, "") for event in later_events])
    return match


def restarted(log: Log) -> None:
    log.note_off(log.last_at() + PAUSE)


def test_a_restart_makes_no_match_longer_and_no_moment_later(log: Log) -> None:
    half = len(EVENTS) // 2
    match = open_match(log, half)
    restarted(log)
    restarted(log)
    log.append(match, [(event, "") for event in later(EVENTS[half:], 2 * PAUSE)])
    whole = judge(EVENTS)
    stored = judge(log.events(match), log.away(match))
    assert stored.events[-1].at == pytest.approx(whole.events[-1].at + 2 * PAUSE)
    assert result(stored, 1, "", False).seconds == result(whole, 1, "", False).seconds
    assert result(stored, 1, "", False).souvenir == result(whole, 1, "", False).souvenir
    last = len(whole.public) - 1
    moment = views.then(stored, last)
    told_whole = views.then(whole, last)
    assert moment is not None
    assert told_whole is not None
    assert moment.minute == told_whole.minute
    assert views.passage(stored, None, slice(0, None)).times == pytest.approx(
        views.passage(whole, None, slice(0, None)).times
    )


def test_the_archive_and_the_table_in_play_leave_it_out_alike(log: Log) -> None:
    half = len(EVENTS) // 2
    match = open_match(log, half)
    restarted(log)
    log.append(match, [(event, "") for event in later(EVENTS[half:], PAUSE)])
    archive = Archive(log.path)
    assert archive.match(match).result.seconds == result(judge(EVENTS), 1, "", False).seconds


def test_what_a_past_match_has_waited_for_is_no_time_of_play(log: Log) -> None:
    match = open_match(log, len(EVENTS))
    a_month_later = LAST + 2_600_000
    log.take_up(match, Decision(Decided.TAKEN_UP, a_month_later, "", ()))
    assert judge(EVENTS, log.away(match)).seconds_played(a_month_later + 60) == pytest.approx(LAST - EVENTS[0].at + 60)


@pytest.mark.parametrize("pausing", [None, Pausing(5000.0, "break"), Pausing(5000.0, "ended")])
def test_a_break_goes_on_over_a_restart_as_it_was(log: Log, pausing: Pausing | None) -> None:
    match = open_match(log, 5)
    if pausing:
        log.pause(match, pausing.at, pausing.why)
    restarted(log)
    assert log.paused(match) == pausing


def test_without_a_match_there_is_nothing_to_leave_out(log: Log) -> None:
    restarted(log)
    assert log.last_at() == 0.0


def test_times_away_may_overlap_and_lie_outside() -> None:
    away = [Away(50.0, 150.0), Away(300.0, 400.0), Away(350.0, 380.0), Away(390.0, 500.0), Away(900.0, 1000.0)]
    chance = random.Random(1)
    for _ in range(20):
        chance.shuffle(away)
        assert seconds_played(100.0, 600.0, away) == 500.0 - 50.0 - 200.0
    assert seconds_played(100.0, 90.0, away) == 0.0
