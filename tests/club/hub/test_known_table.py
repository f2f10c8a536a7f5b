"""How far behind the hub is, by two clocks that know nothing of each other."""

from typing import Any

from companion.club.hub.known_table import (
    LAST_VIEW,
    KnownTable,
    behind,
    still_told,
    with_early_end,
    with_public,
    with_status,
)
from companion.club.payloads import PublicView, TableStatus

YEARS = 1e9


def ready(now: float = 0.0) -> KnownTable:
    return with_status(KnownTable("t"), TableStatus("ready", 1), now)


def told(before: KnownTable, at: float, now: float, *, retained: bool = False) -> KnownTable:
    return with_public(before, PublicView(1, at, None), None, now, retained=retained)


def test_clocks_years_apart_do_not_matter_but_what_takes_longer_does() -> None:
    one = told(told(ready(), YEARS, 10.0), YEARS + 5, 15.4)
    assert behind(one, 99.0, None) == 0.4


def test_a_quiet_table_is_not_behind() -> None:
    assert behind(told(ready(), 5.0, 10.0, retained=True), 1000.0, None) == 0.0


def test_of_a_lost_table_all_since_is_unknown() -> None:
    assert behind(with_status(told(ready(), 1.0, 10.0), TableStatus("lost", 1), 20.0), 50.0, None) == 30.0


def test_while_the_broker_is_gone_all_since_is_unknown() -> None:
    assert behind(told(ready(), 1.0, 10.0), 50.0, 45.0) == 5.0


def test_a_clock_that_was_put_right_makes_nothing_late() -> None:
    one = told(told(ready(), 100.0, 10.0), 100.0 - 3600, 12.0)
    assert behind(one, 12.0, None) == 0.0


def test_what_a_table_has_cleared_while_nobody_heard_is_forgotten() -> None:
    known = {"t": ready(now=1.0)}
    assert still_told(known, 5.0, 14.0) == known
    assert still_told(known, 5.0, 16.0) == {}


def seen(before: KnownTable, match: int, view: dict[str, Any], now: float) -> KnownTable:
    return with_public(before, PublicView(match, now, view), None, now, retained=False)


def test_a_match_that_was_ended_early_is_so_until_another_begins() -> None:
    one = with_early_end(seen(ready(), 3, {}, 10.0), 3, 20.0)
    assert one.ended
    assert seen(one, 3, {}, 90.0).ended
    assert not seen(one, 4, {}, 20.1).ended


def test_a_match_that_was_ended_early_and_is_seen_to_change_goes_on() -> None:
    one = with_early_end(seen(ready(), 3, {}, 10.0), 3, 20.0)
    assert seen(one, 3, {"late": 1}, 20.0 + LAST_VIEW).ended
    assert not seen(one, 3, {"new": 1}, 20.1 + LAST_VIEW).ended


def test_the_early_end_of_another_match_ends_nothing() -> None:
    assert not with_early_end(seen(ready(), 3, {}, 10.0), 2, 20.0).ended
