"""The watermark of presses: the time before which every press has been told, so that no earlier one can arrive.

Each source of presses says up to when it has told everything (`Passed`); an act entered by phone holds the watermark at
its time until it is judged. A press can be shown once the watermark has passed it. A source that is silent (older
firmware, an unplugged cable, buttons that can't know it) holds that up, but no longer than the table's `window`.
"""

import math
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from companion.devices.sensing import Clock, Passed


class Watermark:
    """The watermark; `entering`, `entered` and `reaches` may be called from any thread."""

    def __init__(self, clock: Clock, sources: Collection[str] | None) -> None:
        """Take the names of all sources of presses; None: unknown, so the watermark never moves."""
        self._clock = clock
        self._passed = dict.fromkeys(("",) if sources is None else sources, -math.inf)
        self._entered: dict[object, float] = {}
        self._lock = threading.Lock()

    def hear(self, passed: Passed) -> None:
        """Note the time up to which a source has told everything."""
        if passed.source in self._passed:
            self._passed[passed.source] = passed.at

    @contextmanager
    def entering(self) -> Iterator[tuple[object, float]]:
        """Hold the watermark while an act is entered; return the act's handle and time."""
        act = object()
        with self._lock:
            at = self._entered[act] = round(self._clock(), 6)
        try:
            yield act, at
        finally:
            self.entered(act)

    def entered(self, act: object) -> None:
        """Release the watermark: the act is judged, or was not entered."""
        with self._lock:
            self._entered.pop(act, None)

    def reaches(self, at: float) -> bool:
        """Whether the watermark has passed this time: no press up to then can still arrive."""
        with self._lock:
            entered = min(self._entered.values(), default=self._clock())
        return min([entered, *self._passed.values()]) > at


class HeldBack:
    """Presses that are judged but not shown yet, because an earlier one, or one in a dead heat with them, may still
    arrive. Use it from one thread.
    """

    def __init__(self, watermark: Watermark, clock: Clock, window: float) -> None:
        """Hold nothing back yet; `window`: seconds during which an earlier press may still arrive."""
        self.show_at: float | None = None
        """When they are shown at the latest; None: nothing is held back."""
        self._settled_after = 0.0
        self._watermark = watermark
        self._clock = clock
        self._window = window

    def add(self, pressed: Collection[float], dead_heat: float, head_start: float = 0.0) -> None:
        """Hold back presses at these times. Presses within `dead_heat` (seconds) of each other count as simultaneous; a
        press with a head start may come up to `head_start` later and still be judged before them.
        """
        if pressed and self._window:
            # The first press held back sets the latest moment; further ones do not put it off.
            self._settled_after = max(self._settled_after, max(pressed) + dead_heat + head_start)
            self.show_at = self.show_at or min(pressed) + self._window + head_start

    def end(self) -> None:
        """Hold nothing back any more: everything has been shown."""
        self.show_at = None
        self._settled_after = 0.0

    def due(self) -> list[float]:
        """Return the times at which to check `is_settled` again."""
        settled = [self._settled_after] if self._settled_after > self._clock() else []
        return settled if self.show_at is None else [*settled, self.show_at]

    def is_settled(self) -> bool:
        """Whether there are presses held back that can be shown now."""
        if self.show_at is None:
            return False
        return self._clock() >= self.show_at or self._watermark.reaches(self._settled_after)
