"""A progress line on a terminal; without one, as in a journal or a pipe, nothing is shown."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from companion.progress import Advance, say_nothing

EVERY_S = 0.2
"""Seconds between two updates of the line."""
CLEAR = "\r\x1b[K"
"""Go to the line's beginning, and erase it (ECMA-48, EL): every terminal of today knows it."""


class ProgressLine:
    """A line that is overwritten."""

    def __init__(self, stream: TextIO, work: str, clock: Callable[[], float] = time.monotonic) -> None:
        """`work` names the work, in ASCII: "reading every match"."""
        self._stream = stream
        self._work = work
        self._clock = clock
        self._is_there = False
        self._changes_at = 0.0
        """In seconds on the clock."""

    def show(self, done: int, of: int) -> None:
        """Update the line, at most every `EVERY_S`; erase it once all is done."""
        if done >= of:
            self.clear()
        elif self._clock() >= self._changes_at:
            self._changes_at = self._clock() + EVERY_S
            self._is_there = True
            self._put(f"{CLEAR}{self._work}: {100 * done // of} % (Ctrl-C stops)")

    def clear(self) -> None:
        """Erase the line."""
        if self._is_there:
            self._is_there = False
            self._put(CLEAR)

    def _put(self, text: str) -> None:
        with suppress(OSError):  # the terminal may have been closed: the work goes on
            self._stream.write(text)
            self._stream.flush()


@contextmanager
def shown_progress(work: str, stream: TextIO | None = None) -> Iterator[Advance]:
    """Show the block's progress, on stderr by default, if that is a terminal; yield the function that reports it."""
    stream = stream or sys.stderr
    if stream is None or not stream.isatty():
        yield say_nothing
        return
    line = ProgressLine(stream, work)
    try:
        yield line.show
    finally:
        line.clear()
