"""Whose turn it is if one waits for another: each phone has its own turns, however often others ask."""

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import get_ident

import gevent
from gevent.event import Event
from gevent.lock import Semaphore

STRETCH = 0.003
"""Seconds of work on one page after which others who wait come first."""
PAUSES = 3.0
"""How long an asker rests after a request, while others ask too, relative to the time that the page took for it."""
LONGEST_COUNTED = 0.25
"""Seconds of a request that count at most."""
HELD = 0.5
"""Seconds that an asker's next request waits for one that waits for others' work, at most."""
BREATH = 0.001
"""Seconds after which whatever others have sent has been read."""
COMPANY = 10.0
"""Seconds for which somebody who has asked counts as asking."""
MANY = 256
"""Askers remembered before those at rest are forgotten."""


class Turns:
    """One is served at a time, and then comes after all others who wait. Use it from the page's thread."""

    def __init__(self) -> None:
        self.now: str | None = None
        """Who is being served."""
        self._waiting: dict[str, deque[Event]] = {}
        """The requests of each who waits, oldest first; whose turn is next comes first."""

    @contextmanager
    def of(self, asker: str) -> Iterator[None]:
        """Wait for a turn, and hold it."""
        if self.now is None:
            self.now = asker
        else:
            called = Event()
            self._waiting.setdefault(asker, deque()).append(called)
            try:
                called.wait()
            except BaseException:  # the page is stopping
                if called.ready():
                    self._next()
                else:
                    self._without(asker, called)
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

    def _without(self, asker: str, called: Event) -> None:
        self._waiting[asker].remove(called)
        if not self._waiting[asker]:
            del self._waiting[asker]


class PageTurn:
    """A request's turn at the page. Its time counts, except while it waits for others' work."""

    def __init__(self, slot: Semaphore, clock: Callable[[], float], sleep: Callable[[float], None]) -> None:
        self._slot = slot
        self._clock = clock
        self._sleep = sleep
        self._since = clock()
        self._before = 0.0
        """Seconds that counted before it last waited, or breathed."""
        self._waits = False
        self._let_go_of = False

    @property
    def spent(self) -> float:
        """Seconds that the page has worked for it."""
        return self._before + self._clock() - self._since

    def breathe(self) -> None:
        """Let others go first if this page has been worked on for a stretch."""
        if self._waits or self._clock() - self._since < STRETCH:
            return
        spent = self.spent
        self._sleep(BREATH)
        self._before = spent
        self._since = self._clock()

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Wait for others' work. The asker's next request waits too, but not for long: that may take seconds."""
        if self._waits:
            yield
            return
        spent = self.spent
        self._waits = True
        letting_go = gevent.spawn_later(HELD, self._let_go)
        try:
            yield
        finally:
            letting_go.kill(block=False)
            if self._let_go_of:
                self._slot.acquire()
                self._let_go_of = False
            self._waits = False
            self._before = spent
            self._since = self._clock()

    def _let_go(self) -> None:
        self._let_go_of = True
        self._slot.release()


_TURN: ContextVar[PageTurn | None] = ContextVar("the turn of the request under way", default=None)


def turn_under_way() -> PageTurn | None:
    """Return the turn that this greenlet's request has; None outside of one."""
    return _TURN.get()


def breathe() -> None:
    """Let others go first, if the request under way has been worked on for a stretch.

    Called between parts of whatever takes long, so that nobody waits for all of somebody else's page.
    """
    turn = _TURN.get()
    if turn is not None:
        turn.breathe()


class PageTurns:
    """An asker's requests are answered one after the other, however many connections it has.

    So whoever else asks waits for one of them at most; and between two of them the page is left to others, if others
    ask too: a phone that does not ask without pause never notices. Each thread that asks has lines of its own, since a
    semaphore of gevent's belongs to the thread in which it was first waited for.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = gevent.sleep):
        self._clock = clock
        self._sleep = sleep
        self._lines: dict[tuple[int, str], _AskersLine] = {}
        """By thread and asker."""
        self._latest = ("", -COMPANY)
        """Who asked last, and when."""
        self._latest_other = ("", -COMPANY)
        """The last to ask who was somebody else, and when."""

    @contextmanager
    def of(self, asker: str) -> Iterator[PageTurn]:
        """Wait for an asker's turn, and hold it."""
        self._note(asker)
        line = self._lines.setdefault((get_ident(), asker), _AskersLine())
        line.requests += 1
        try:
            with line.slot:
                self._rest(asker, line)
                turn = PageTurn(line.slot, self._clock, self._sleep)
                under_way = _TURN.set(turn)
                try:
                    yield turn
                finally:
                    _TURN.reset(under_way)
                    line.rests_until = self._clock() + PAUSES * min(turn.spent, LONGEST_COUNTED)
        finally:
            line.requests -= 1

    def _rest(self, asker: str, line: "_AskersLine") -> None:
        """Leave the page to others: as long as is due if they ask, and else for a moment, to see whether they do."""
        rests = line.rests_until - self._clock() if self._has_company(asker) else 0.0
        if line.requests > 1:
            # Else one would be answered right after the other, and nothing that others send would be read meanwhile.
            rests = max(rests, BREATH)
        if rests > 0:
            self._sleep(rests)

    def _note(self, asker: str) -> None:
        if self._latest[0] != asker:
            self._latest_other = self._latest
        self._latest = asker, self._clock()
        if len(self._lines) > MANY:
            busy = {of: line for of, line in self._lines.items() if line.requests or line.rests_until > self._clock()}
            self._lines = busy

    def _has_company(self, asker: str) -> bool:
        _, asked_at = self._latest_other if self._latest[0] == asker else self._latest
        return self._clock() - asked_at < COMPANY


class _AskersLine:
    """The requests of one asker."""

    def __init__(self) -> None:
        self.slot = Semaphore(1)
        self.requests = 0
        """Those that have or await their turn."""
        self.rests_until = 0.0
