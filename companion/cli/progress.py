"""A line on a terminal that says how far a command is; elsewhere, as in a journal or a pipe, there is none."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from companion.progress import Advance, say_nothing

EVERY_S = 0.2
"""Seconds that the line stays as it is."""
CLEAR = "\r\x1b[K"
"""To the line's beginning, and rub out what stands there (ECMA-48, EL): every terminal of today knows it."""


class ProgressLine:
    """One line that is written over."""

    def __init__(self, stream: TextIO, work: str, clock: Callable[[], float] = time.monotonic) -> None:
        """`work` is what is being done, in ASCII: "reading every match"."""
        self._stream = stream
        self._work = work
        self._clock = clock
        self._is_there = False
        self._changes_at = 0.0
        """In seconds on the clock."""

    def show(self, done: int, of: int) -> None:
        """Say how far it is, if the line has stood a while; rub it out once all is done."""
        if done >= of:
            self.clear()
        elif self._clock() >= self._changes_at:
            self._changes_at = self._clock() + EVERY_S
            self._is_there = True
            self._put(f"{CLEAR}{self._work}: {100 * done // of} % (Ctrl-C stops)")

    def clear(self) -> None:
        """Leave the line to what is printed next."""
        if self._is_there:
            self._is_there = False
            self._put(CLEAR)

    def _put(self, text: str) -> None:
        with suppress(OSError):  # the terminal may have been closed: the work goes on
            self._stream.write(text)
            self._stream.flush()


@contextmanager
def shown_progress(work: str, stream: TextIO | None = None) -> Iterator[Advance]:
    """Show how far the block is, on stderr if no stream is named, if that is a terminal; yield what it tells."""
    stream = stream or sys.stderr
    if stream is None or not stream.isatty():
        yield say_nothing
        return
    line = ProgressLine(stream, work)
    try:
        yield line.show
    finally:
        line.clear()
