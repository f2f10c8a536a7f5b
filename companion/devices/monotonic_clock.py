"""The table's clock: seconds that never run back, whatever the machine's wall clock does.

A Raspberry Pi without a clock chip wakes up in the past; so the table counts by itself and goes on after the last
recorded event, and every pause counts as `PAUSE` where a box may have kept what was pressed meanwhile.
"""

from time import CLOCK_MONOTONIC_RAW, clock_gettime

PAUSE = 600.0
"""Seconds. A box that keeps its presses while the table is off tells them afterwards, by how long ago they were: they
have to come after everything stored before. Ten minutes are enough for a Pi to start again."""


class TableClock:
    """Call it for the time now, in seconds."""

    def __init__(self, last_at: float = 0.0, pause: float = PAUSE):
        """Go on `pause` seconds after `last_at`, the last recorded time; from 0 if nothing was recorded."""
        self._offset = (last_at + pause if last_at else 0.0) - _ticking()

    def __call__(self) -> float:
        """Return the time now."""
        return _ticking() + self._offset


def _ticking() -> float:
    """Neither set nor slewed by the network's time, so that a buzzer box's clock can be compared with it."""
    return clock_gettime(CLOCK_MONOTONIC_RAW)
