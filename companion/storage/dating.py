"""Dates of matches, worked out from readings of the wall clock. Pure.

All readings of one boot are of one clock, which may be set in between. The newest of the most trusted readings dates
everything in that boot, before and after it: a clock is set because it was wrong.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta, timezone

from msgspec.structs import replace

from companion.wall_clock import Reading, Trust

STEP = 5.0
"""Seconds by which two readings may differ and the clock still count as not set, but drifting."""
RESUMED = 15 * 60.0
"""A clock that was only saved across a power cut resumes within this many seconds of the last noted time."""
EARLIEST = "2026"
"""No table existed before this year: what is dated earlier was begun by a clock that nobody had set."""


def is_continuous(first: Reading, second: Reading) -> bool:
    """Return whether the wall clock has not been set between two readings."""
    return first.boot == second.boot and abs(first.started - second.started) <= STEP


def believed(reading: Reading, earlier: Sequence[Reading]) -> Reading:
    """Return a reading with the trust that the earlier ones, oldest first, allow.

    Without a hardware clock, a machine resumes the time that it saved, or an older one: then it is unknown how long it
    was off.
    """
    if reading.trust is not Trust.LIKELY or not earlier:
        return reading
    continued = next((previous for previous in reversed(earlier) if is_continuous(previous, reading)), None)
    if continued is not None:
        return replace(reading, trust=min(continued.trust, reading.trust))
    last = earlier[-1]
    goes_on = last.run != reading.run and reading.wall < last.wall + RESUMED
    return replace(reading, trust=Trust.UNKNOWN) if goes_on else reading


def best(readings: Iterable[Reading]) -> Reading | None:
    """Return the reading that dates a boot; `readings` are oldest first. None if there is none."""
    best_reading: Reading | None = None
    for reading in readings:
        if best_reading is None or reading.trust >= best_reading.trust:
            best_reading = reading
    return best_reading


def is_news(reading: Reading, readings: Sequence[Reading]) -> bool:
    """Return whether a newer reading changes the dates that follow from the earlier ones of its boot."""
    best_reading = best(readings)
    if best_reading is None or reading.trust > best_reading.trust:
        return True
    return reading.trust == best_reading.trust and not is_continuous(reading, best_reading)


def began(opening: Reading, readings: Sequence[Reading]) -> str:
    """Return when a match began whose first reading is `opening`, as local time in ISO 8601; "" if nobody knows.

    `readings` are all of its boot, oldest first.
    """
    best_reading = best(readings)
    if best_reading is None or best_reading.trust is Trust.UNKNOWN:
        return ""
    wall = best_reading.started + opening.ticks
    # The clock was right already: the time and zone that people saw then are kept.
    as_read_then = abs(wall - opening.wall) <= STEP
    return written(opening.wall, opening.zone) if as_read_then else written(wall, best_reading.zone)


def now_by(best_reading: Reading | None, current: Reading) -> str:
    """Return the time of `current` by the reading that counts, as local time in ISO 8601; "" if nobody knows."""
    return "" if best_reading is None else began(current, [best_reading])


def written(wall: float, zone: int) -> str:
    """Write a time in ISO 8601, to a second."""
    try:
        return datetime.fromtimestamp(wall, timezone(timedelta(seconds=zone))).isoformat("T", "seconds")
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC).isoformat("T", "seconds")


def as_noted(began: str) -> str:
    """Return when a match began that has no reading, from the time noted beside it; "" if no table existed then."""
    return began if began >= EARLIEST else ""
