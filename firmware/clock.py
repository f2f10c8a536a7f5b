"""Device time: microseconds since the stamps began; it never wraps."""

from time import ticks_diff, ticks_us

from machine import disable_irq, enable_irq

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Clock:
    """The Pico's microsecond counter, compared with the stamps' cycles when these begin.

    Both come from the same crystal, so their offset stays the same.
    """

    def __init__(self, begin: "Callable[[], object]") -> None:
        """Call `begin`, which starts the stamps, and count from then."""
        state = disable_irq()  # an interrupt in between would widen `doubt` for the whole boot
        self._last = ticks_us()
        begin()
        self.doubt = ticks_diff(ticks_us(), self._last) + 1
        """The most microseconds by which `now` is ahead of the stamps; it is never behind them."""
        enable_irq(state)
        self._now = 0

    def now(self) -> int:
        """Return the device time. Call it at least every eight minutes: `ticks_diff` is wrong beyond half a wrap."""
        ticks = ticks_us()
        self._now += ticks_diff(ticks, self._last)
        self._last = ticks
        return self._now
