"""Converts the kernel's stamps to the table's clock.

Edges are stamped by CLOCK_MONOTONIC, which NTP slews; the table counts by the raw clock, which nothing slews. So the
two are compared at every press, and the drift since the edge is part of the uncertainty.
"""

import time
from collections.abc import Callable

from companion.devices.sensing import Clock

CLOSE_NS = 100_000_000
"""Presses closer together than this are converted by the same comparison, so that their order and distance are kept."""

_SLEWED = 500e-6  # the most by which the kernel slews a clock
_ROUNDED_S = 1e-6  # times are told in microseconds
_ATTEMPTS = 5  # one without an interruption is enough


class Stamps:
    """Converts stamps to the table's clock."""

    def __init__(self, clock: Clock, kernel: Callable[[], int] = time.monotonic_ns) -> None:
        """Take the table's clock, and the kernel's in nanoseconds."""
        self._clock = clock
        self._kernel = kernel
        self._compared = self._compare()
        self._last = self._compared[0]

    def place(self, stamp: int) -> tuple[float, float]:
        """Return the table's time of a stamp, in seconds, and the half-width of its uncertainty."""
        if abs(stamp - self._last) > CLOSE_NS:
            self._compared = self._compare()
        self._last = stamp
        middle, table, half = self._compared
        away = (stamp - middle) / 1e9
        return round(table + away, 6), half + abs(away) * _SLEWED + _ROUNDED_S

    def _compare(self) -> tuple[int, float, float]:
        """Read the table's clock between two readings of the kernel's; of several attempts the closest pair counts."""
        best: tuple[int, float, float] | None = None
        for _ in range(_ATTEMPTS):
            earlier = self._kernel()
            table_time = self._clock()
            later = self._kernel()
            half = (later - earlier) / 2e9
            if best is None or half < best[2]:
                best = (earlier + later) // 2, table_time, half
        assert best is not None
        return best
