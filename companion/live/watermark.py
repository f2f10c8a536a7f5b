"""The watermark of presses: the time up to which every press has been told, so no further one can come before it.

Each source of presses says up to when it has told everything (`Passed`); what people enter by phone is told from when
they enter it until it is judged. What all have passed can be shown, because no earlier press is under way. A source
that is silent (older firmware, a cable that is out, buttons that can't know it) holds that up for as long as the
table's `window` lets it.
"""

import math
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from companion.devices.sensing import Clock, Passed


class Watermark:
    """The watermark; `entering`, `entered` and `reaches` may be called from any thread."""

    def __init__(self, clock: Clock, sources: Collection[str] | None) -> None:
        """Take the names of all sources of presses; None: unknown, so nothing is ever passed."""
        self._clock = clock
        self._passed = dict.fromkeys(("",) if sources is None else sources, -math.inf)
        self._entered: dict[object, float] = {}
        self._lock = threading.Lock()

    def hear(self, passed: Passed) -> None:
        """Note how far a source has come."""
        if passed.source in self._passed:
            self._passed[passed.source] = passed.at

    @contextmanager
    def entering(self) -> Iterator[tuple[object, float]]:
        """Note that somebody enters an act; return its handle and its time."""
        act = object()
        with self._lock:
            at = self._entered[act] = round(self._clock(), 6)
        try:
            yield act, at
        finally:
            self.entered(act)

    def entered(self, act: object) -> None:
        """Note that it is judged, or came to nothing."""
        with self._lock:
            self._entered.pop(act, None)

    def reaches(self, at: float) -> bool:
        """Whether no press that happened up to then can still be told."""
        with self._lock:
            entered = min(self._entered.values(), default=self._clock())
        return min([entered, *self._passed.values()]) > at


class HeldBack:
    """Presses that are judged but not shown to anybody yet, because an earlier one, or one in a dead heat with them,
    may still be learned of. Use it from one thread.
    """

    def __init__(self, watermark: Watermark, clock: Clock, window: float) -> None:
        """Hold nothing back yet; `window` is how long (seconds) an earlier press may be learned of."""
        self.show_at: float | None = None
        """When they are shown at the latest; None: nothing is held back."""
        self._settled_after = 0.0
        self._watermark = watermark
        self._clock = clock
        self._window = window

    def add(self, pressed: Collection[float], dead_heat: float, head_start: float = 0.0) -> None:
        """Hold back what was pressed then. Presses within `dead_heat` (seconds) of each other count as one; one that
        comes within `head_start` more may be judged before them.
        """
        if pressed and self._window:
            self._settled_after = max(self._settled_after, max(pressed) + dead_heat + head_start)
            self.show_at = self.show_at or min(pressed) + self._window + head_start

    def end(self) -> None:
        """Hold nothing back any more: everything is shown."""
        self.show_at = None
        self._settled_after = 0.0

    def due(self) -> list[float]:
        """Return the moments to come at which they may be settled."""
        settled = [self._settled_after] if self._settled_after > self._clock() else []
        return settled if self.show_at is None else [*settled, self.show_at]

    def is_settled(self) -> bool:
        """Whether presses that nobody was shown can be shown now."""
        if self.show_at is None:
            return False
        return self._clock() >= self.show_at or self._watermark.reaches(self._settled_after)
