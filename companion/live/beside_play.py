"""What the big screen currently shows beside play; held in memory only."""

import threading
from collections.abc import Callable

from companion.acts.beside_play import BesidePlay


class ShownBeside:
    """Every method may be called from any thread."""

    def __init__(self, changed: Callable[[], None], clock: Callable[[], float]) -> None:
        """Call `changed` after each change, in the thread that made it."""
        self._changed = changed
        self._clock = clock
        self._lock = threading.Lock()
        self._value = BesidePlay()

    @property
    def now(self) -> BesidePlay:
        """What is shown now."""
        return self._value.at(self._clock())

    def change(self, step: Callable[[BesidePlay], BesidePlay]) -> None:
        """Change what is shown; `step` must be quick."""
        with self._lock:
            value_before = self.now
            self._value = step(value_before)
            is_changed = self._value is not value_before
        if is_changed:
            self._changed()
