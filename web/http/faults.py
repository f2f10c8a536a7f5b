"""A rate-limited journal of exceptions: each is logged at most once a minute, however often somebody causes it."""

import logging
import time
import traceback
from collections import Counter
from collections.abc import Callable
from types import TracebackType

from msgspec import Struct

A_MINUTE = 60.0
"""Seconds for which the same fault is only counted."""

_journal = logging.getLogger(__name__)


class _Place(Struct, frozen=True):
    """Identifies a fault: by its exception type and the innermost line."""

    kind: str
    file: str
    line: int | None


_NOWHERE = _Place("", "", None)


class FaultJournal:
    """When each fault was last logged, and how often it has happened since."""

    def __init__(self, clock: Callable[[], float] = time.monotonic):
        self._clock = clock
        self._told_at: dict[_Place, float] = {}
        self._untold: Counter[_Place] = Counter()

    def note(self, what: str, wrong: BaseException) -> None:
        """Log a fault with its traceback, or only count it if the same was logged within the last minute."""
        place = _place(wrong.__traceback__, type(wrong))
        at = self._clock()
        if at - self._told_at.get(place, -A_MINUTE) < A_MINUTE:
            self._untold[place] += 1
            return
        times = self._untold.pop(place, 0)
        times_before = f" (and {times} times before)" if times else ""
        self._told_at[place] = at
        _journal.error("%s%s", what, times_before, exc_info=wrong)


def _place(trace: TracebackType | None, kind: type[BaseException]) -> _Place:
    innermost = traceback.extract_tb(trace)[-1:]
    return next((_Place(kind.__qualname__, frame.filename, frame.lineno) for frame in innermost), _NOWHERE)
