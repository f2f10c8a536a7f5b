"""The table's clock: seconds that never run back, whatever the machine's wall clock does.

A Raspberry Pi without a clock chip wakes up in the past, so the table counts by itself: it goes on `PAUSE` after the
last recorded event, however long it was off.
"""

from time import CLOCK_MONOTONIC_RAW, clock_gettime

PAUSE = 600.0
"""Seconds. A box tells presses that it kept while the table was off by how long ago they were, and they must come after
everything stored before. Ten minutes are enough for a Pi to start again."""


class TableClock:
    """Call it for the time now, in seconds."""

    def __init__(self, last_at: float = 0.0, pause: float = PAUSE):
        """Go on `pause` seconds after `last_at`, the last recorded time; from 0 if nothing was recorded."""
        self._offset = (last_at + pause if last_at else 0.0) - _ticking()

    def __call__(self) -> float:
        """Return the time now."""
        return _ticking() + self._offset


def _ticking() -> float:
    """Read the raw monotonic clock, which NTP neither sets nor slews, so that a box's clock can be compared with it."""
    return clock_gettime(CLOCK_MONOTONIC_RAW)
