"""Round-robin queues: each phone has its own turns, however often others ask."""

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
"""Seconds of work on one page after which it lets waiting requests go first."""
PAUSES = 3.0
"""While others ask too: how long an asker rests after a request, as a multiple of the time that request took."""
LONGEST_COUNTED = 0.25
"""Upper bound, in seconds, of the time that counts for one request."""
HELD = 0.5
"""Seconds after which a request that waits for the judge or the disk no longer holds up the same asker's next one."""
BREATH = 0.001
"""Seconds to sleep so that the event loop reads what others have sent; `sleep(0)` may not poll the sockets."""
COMPANY = 10.0
"""Seconds for which an asker counts as active after a request."""
MANY = 256
"""Askers remembered before idle ones are forgotten."""


class Turns:
    """Serves one asker at a time, round-robin. Use it from the page's thread."""

    def __init__(self) -> None:
        self.now: str | None = None
        """The asker being served."""
        self._waiting: dict[str, deque[Event]] = {}
        """Waiting requests by asker, oldest first; the next asker comes first."""

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
                    # The turn had just been given to this request: unless it is passed on, nobody gets one any more.
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
            # Reinserted, this asker comes last: a dict keeps the order of insertion.
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
    """A request's turn at the page's thread. Time counts, except while the request waits for another thread."""

    def __init__(self, slot: Semaphore, clock: Callable[[], float], sleep: Callable[[float], None]) -> None:
        self._slot = slot
        self._clock = clock
        self._sleep = sleep
        self._since = clock()
        self._before = 0.0
        """Seconds that counted before the request last waited or yielded."""
        self._waits = False
        self._let_go_of = False

    @property
    def spent(self) -> float:
        """Seconds that the page's thread has worked on this request."""
        return self._before + self._clock() - self._since

    def breathe(self) -> None:
        """Yield to other requests once this one has been worked on for `STRETCH`."""
        if self._waits or self._clock() - self._since < STRETCH:
            return
        spent = self.spent
        self._sleep(BREATH)
        self._before = spent
        self._since = self._clock()

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Wait for another thread. The asker's next request waits too, for `HELD` at most: this may take seconds."""
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
    """Return the turn of this greenlet's request; None outside a request."""
    return _TURN.get()


def breathe() -> None:
    """Yield to other requests if the current one has been worked on for `STRETCH`.

    Called between the parts of long work, so that nobody waits for another's whole page.
    """
    turn = _TURN.get()
    if turn is not None:
        turn.breathe()


class PageTurns:
    """Answers an asker's requests one after the other, however many connections it has.

    So other askers wait for one of them at most. While others ask, an asker also rests between two requests; a phone
    that pauses by itself never notices. Lines are kept per thread, because a gevent semaphore belongs to the thread in
    which it was first waited for.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = gevent.sleep):
        self._clock = clock
        self._sleep = sleep
        self._lines: dict[tuple[int, str], _AskersLine] = {}
        """By thread and asker."""
        self._latest = ("", -COMPANY)
        """The last asker, and when they asked."""
        self._latest_other = ("", -COMPANY)
        """The last asker other than that one, and when they asked."""

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
        """Leave the page to others: for as long as is due if they ask, else for a moment, to learn whether they do."""
        rests = line.rests_until - self._clock() if self._has_company(asker) else 0.0
        if line.requests > 1:
            # Without a pause the event loop would never read what others send.
            rests = max(rests, BREATH)
        if rests > 0:
            self._sleep(rests)

    def _note(self, asker: str) -> None:
        if self._latest[0] != asker:
            self._latest_other = self._latest
        self._latest = asker, self._clock()
        if len(self._lines) > MANY:
            # A line that still rests must be kept: a fresh one would let its asker in at once.
            busy = {of: line for of, line in self._lines.items() if line.requests or line.rests_until > self._clock()}
            self._lines = busy

    def _has_company(self, asker: str) -> bool:
        _, asked_at = self._latest_other if self._latest[0] == asker else self._latest
        return self._clock() - asked_at < COMPANY


class _AskersLine:
    """One asker's requests."""

    def __init__(self) -> None:
        self.slot = Semaphore(1)
        self.requests = 0
        """How many have or await their turn."""
        self.rests_until = 0.0
