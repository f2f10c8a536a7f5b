"""Whose turn it is if one waits for another: each phone has its own turns, however often others ask."""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from gevent.event import Event


class Turns:
    """One is served at a time, and then comes after all others who wait. Use it from the page's thread."""

    def __init__(self) -> None:
        self.now: str | None = None
        """Who is being served."""
        self._waiting: dict[str, deque[Event]] = {}
        """The requests of each who waits, oldest first; whose turn is next comes first."""

    @contextmanager
    def of(self, who: str) -> Iterator[None]:
        """Wait for a turn, and hold it."""
        if self.now is None:
            self.now = who
        else:
            called = Event()
            self._waiting.setdefault(who, deque()).append(called)
            try:
                called.wait()
            except BaseException:  # the page is stopping
                if called.ready():
                    self._next()
                else:
                    self._without(who, called)
                raise
        try:
            yield
        finally:
            self._next()

    def _next(self) -> None:
        if self.now in self._waiting:
            self._waiting[self.now] = self._waiting.pop(self.now)
        self.now = next(iter(self._waiting), None)
        if self.now is not None:
            called = self._waiting[self.now][0]
            self._without(self.now, called)
            called.set()

    def _without(self, who: str, called: Event) -> None:
        self._waiting[who].remove(called)
        if not self._waiting[who]:
            del self._waiting[who]
