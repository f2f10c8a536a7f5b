"""The table's clock: seconds that never run back, whatever the machine's wall clock does.

A Raspberry Pi without a clock chip wakes up in the past; so the table counts by itself and goes on after the last
recorded event. A pause between two evenings counts as one second.
"""

from time import CLOCK_MONOTONIC_RAW, clock_gettime


class TableClock:
    """Call it for the time now, in seconds."""

    def __init__(self, after: float = 0.0):
        """Go on one second after `after`, the last recorded time."""
        self._offset = after + 1.0 - _ticking()

    def __call__(self) -> float:
        """Give the time now."""
        return _ticking() + self._offset


def _ticking() -> float:
    """Neither set nor slewed by the network's time, so that a buzzer box's clock can be compared with it."""
    return clock_gettime(CLOCK_MONOTONIC_RAW)
