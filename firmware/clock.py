"""Device time: microseconds since the stamps began, 64 bits and more; it never wraps."""

from time import ticks_diff, ticks_us

from machine import disable_irq, enable_irq

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Clock:
    """The Pico's own microseconds, compared with the stamps' cycles when these begin.

    Both come from the same crystal, so what is known at the beginning stays true.
    """

    def __init__(self, begin: "Callable[[], object]") -> None:
        """Call `begin`, which starts the stamps, and count from then."""
        state = disable_irq()
        self._last = ticks_us()
        begin()
        self.doubt = ticks_diff(ticks_us(), self._last) + 1
        """How many microseconds `now` may be ahead of the stamps; it is never behind them."""
        enable_irq(state)
        self._now = 0

    def now(self) -> int:
        """Return the device time. Call it at least every eight minutes, before the ticks have wrapped halfway."""
        ticks = ticks_us()
        self._now += ticks_diff(ticks, self._last)
        self._last = ticks
        return self._now
