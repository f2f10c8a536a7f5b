"""What a data line tells a row of WS2812B lamps, from the moments at which its level changes."""

from collections.abc import Callable
from typing import Any

_ONE_US = 0.6
"""A level that is high for longer than this is a 1 (data sheet: 0.4 µs for a 0, 0.8 µs for a 1)."""
_LATCH_US = 50.0
"""A level that is low for longer than this begins a new row."""


class Bits:
    """The latest row of bits on a pin."""

    def __init__(self, pin: Any, now_us: Callable[[], float]) -> None:
        """Listen to an emulated pin; `now_us` is the emulator's time in microseconds."""
        self._pin = pin
        self._now_us = now_us
        self._changed_us = 0.0
        self._high = False
        self._bits = ""
        pin.add_listener(lambda *_: self._change())

    def colours(self) -> list[tuple[int, int, int]]:
        """Return red, green and blue of each lamp in the row."""
        values = [int(self._bits[at : at + 8], 2) for at in range(0, len(self._bits) - 7, 8)]
        return [(red, green, blue) for green, red, blue in zip(values[::3], values[1::3], values[2::3], strict=False)]

    def _change(self) -> None:
        high = bool(self._pin.output_value)
        if high == self._high:
            return
        lasted_us = self._now_us() - self._changed_us
        if not high:
            self._bits += "1" if lasted_us > _ONE_US else "0"
        elif lasted_us > _LATCH_US:
            self._bits = ""
        self._high = high
        self._changed_us = self._now_us()
