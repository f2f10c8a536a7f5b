"""How far behind the hub is, by two clocks that know nothing of each other."""

from typing import Any

import pytest
from msgspec import convert

from companion.club.hub.known_table import (
    LAST_VIEW,
    KnownTable,
    behind,
    still_told,
    with_public,
    with_result,
    with_status,
)
from companion.club.payloads import MatchResult, PublicView, TableStatus
from tests.club.hub.tables import result

YEARS = 1e9


def ready(at: float = 0.0) -> KnownTable:
    return with_status(KnownTable("t"), TableStatus("ready", 1), at)


def with_new_view(known_table: KnownTable, at: float, now: float, *, retained: bool = False) -> KnownTable:
    return with_public(known_table, PublicView(1, at, None), None, now, retained=retained)


BEHIND = {
    "clocks years apart do not matter but what takes longer does": (
        with_new_view(with_new_view(ready(), YEARS, 10.0), YEARS + 5, 15.4),
        (99.0, None),
        0.4,
    ),
    "a quiet table is not behind": (with_new_view(ready(), 5.0, 10.0, retained=True), (1000.0, None), 0.0),
    "of a lost table all since is unknown": (
        with_status(with_new_view(ready(), 1.0, 10.0), TableStatus("lost", 1), 20.0),
        (50.0, None),
        30.0,
    ),
    "while the broker is gone too": (with_new_view(ready(), 1.0, 10.0), (50.0, 45.0), 5.0),
    "a clock that was put right makes nothing late": (
        with_new_view(with_new_view(ready(), 100.0, 10.0), 100.0 - 3600, 12.0),
        (12.0, None),
        0.0,
    ),
}


@pytest.mark.parametrize(("table", "moment_and_cut", "seconds"), BEHIND.values(), ids=BEHIND.keys())
def test_how_far_behind_it_is(table: KnownTable, moment_and_cut: tuple[float, float | None], seconds: float) -> None:
    assert behind(table, *moment_and_cut) == seconds


def test_the_end_of_an_earlier_start_comes_late_and_says_nothing_of_the_table_now() -> None:
    started_again = with_status(ready(), TableStatus("ready", 2), 10.0)
    assert with_status(started_again, TableStatus("lost", 1), 11.0).state == "ready"
    assert with_status(started_again, TableStatus("lost", 2), 11.0).state == "lost"


def test_what_a_table_has_cleared_while_nobody_heard_is_forgotten() -> None:
    known_tables = {"t": ready(at=1.0)}
    assert still_told(known_tables, 5.0, 14.0) == known_tables
    assert still_told(known_tables, 5.0, 16.0) == {}


def with_view_of_match(known_table: KnownTable, match: int, view: dict[str, Any], at: float) -> KnownTable:
    return with_public(known_table, PublicView(match, at, view), None, at, retained=False)


def early_end(match: int) -> MatchResult:
    return convert(result(match, over=False, winners=[]), MatchResult)


def test_a_match_that_was_ended_early_is_so_until_another_begins_or_it_is_seen_to_change() -> None:
    seen_table = with_view_of_match(ready(), 3, {}, 10.0)
    assert not with_result(seen_table, early_end(2), 20.0).ended, "another ended"
    ended_early = with_result(seen_table, early_end(3), 20.0)
    assert ended_early.ended
    assert with_view_of_match(ended_early, 3, {}, 90.0).ended
    assert not with_view_of_match(ended_early, 4, {}, 20.1).ended
    assert with_view_of_match(ended_early, 3, {"late": 1}, 20.0 + LAST_VIEW).ended
    assert not with_view_of_match(ended_early, 3, {"new": 1}, 20.1 + LAST_VIEW).ended


def test_a_match_that_was_taken_up_again_goes_on_as_soon_as_its_table_says_so() -> None:
    ended = with_public(ready(), PublicView(3, 10.0, {}, ended=True), None, 10.0, retained=False)
    assert with_result(ended, early_end(3), 10.1).ended
    goes_on = with_public(ended, PublicView(3, 10.5, {}, ended=False), None, 10.5, retained=False)
    assert not goes_on.ended
    assert goes_on.changed > ended.changed
    assert not with_result(goes_on, early_end(3), 10.6).ended, "a result from before comes late"
