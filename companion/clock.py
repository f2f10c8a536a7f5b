"""The table's clock: seconds that never run back, whatever the machine's wall clock does.

A Raspberry Pi without a clock chip wakes up in the past; so the table counts by itself and goes on after the last
recorded event. A pause between two evenings counts as one second.
"""

import time


class TableClock:
    """Call it for the time now, in seconds."""

    def __init__(self, after: float = 0.0):
        """Go on one second after `after`, the last recorded time."""
        self._offset = after + 1.0 - time.monotonic()

    def __call__(self) -> float:
        """Give the time now."""
        return time.monotonic() + self._offset
