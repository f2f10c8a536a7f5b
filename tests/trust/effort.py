"""Whether the time that something takes would tell what is sealed. No clock has a part in it: calls are counted."""

import gc
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager


@contextmanager
def calls_counted() -> Iterator[Counter[str]]:
    """Count the calls of functions in this block, by this thread."""
    calls: Counter[str] = Counter()

    def called(frame: object, what: str, arg: object) -> None:
        calls[what] += what in ("call", "c_call")

    before = sys.getprofile()
    gc.disable()  # it would call what clears up after others
    sys.setprofile(called)
    try:
        yield calls
    finally:
        sys.setprofile(before)
        gc.enable()


def is_unlike(efforts: Iterable[int], times: float) -> bool:
    """Return whether the most are more than so many times the fewest: that would show in the time they take."""
    few, *_, many = sorted(efforts)
    return many > times * few
