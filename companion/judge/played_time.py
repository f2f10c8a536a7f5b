"""How long people have played, without the times at which a match was not on the table.

The table's clock goes on then: it leaps ahead by ten minutes at every start (`devices/monotonic_clock.py`), and a past
match may wait for days before it is corrected or taken up again.
"""

from collections.abc import Iterable

from msgspec import Struct


class Away(Struct, frozen=True):
    """A span, in seconds on the table's clock, in which a match was not on the table."""

    since: float
    until: float


def seconds_played(began: float, at: float, away: Iterable[Away]) -> float:
    """Return the seconds from `began` to `at` without these times, which may overlap; never less than 0.

    >>> seconds_played(100.0, 900.0, [Away(200.0, 800.0), Away(300.0, 850.0)])
    150.0
    """
    played = at - began
    counted_to = began
    # Sorted by their beginning, so that overlapping times are counted once.
    for away_time in sorted(away, key=lambda away_time: away_time.since):
        since = max(away_time.since, counted_to)
        until = min(away_time.until, at)
        if until > since:
            played -= until - since
            counted_to = until
    return max(0.0, played)
