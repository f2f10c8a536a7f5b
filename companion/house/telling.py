"""Follows the table in a thread of its own, and passes each happening to the listeners when it is due."""

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Protocol

from companion.access.people import People
from companion.house import happenings
from companion.house.happenings import Due, Happening
from companion.live.snapshot import Snapshot
from companion.threads import LastingThread, Rounds

MOST = 500
"""Most snapshots in the queue; a slow machine drops the oldest."""


class AtHome(Protocol):
    """A listener at home. Its methods must not block."""

    def start(self) -> None:
        """Start it."""

    def stop(self) -> None:
        """Stop it."""

    def tell(self, happening: Happening) -> None:
        """Take a happening."""

    def show(self, snapshot: Snapshot) -> None:
        """Take the table's state, once all its happenings have been told."""


class HouseTeller:
    """Follows a table. `look` may be called from any thread."""

    def __init__(
        self,
        snapshot: Callable[[], Snapshot],
        people: Callable[[], People],
        language: str,
        listeners: Sequence[AtHome],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`snapshot` and `people` return the present values; `clock` counts seconds."""
        self._snapshot = snapshot
        self._people = people
        self._language = language
        self._listeners = listeners
        self._clock = clock
        self._seen = happenings.begin(snapshot())
        self._looked_at: deque[tuple[float, Snapshot]] = deque(maxlen=MOST)
        self._waiting: deque[tuple[float, Due]] = deque()
        """Happenings in order, each with the time at which it may be told."""
        self._woken = threading.Event()
        self._thread = LastingThread("house", self._run)

    def start(self) -> None:
        """Start the listeners and the thread."""
        for listener in self._listeners:
            listener.show(self._seen.snapshot)
            listener.start()
        self._thread.start()

    def stop(self) -> None:
        """Stop; happenings that are not due yet are dropped."""
        self._thread.stop(self._woken.set)
        for listener in self._listeners:
            listener.stop()

    def look(self) -> None:
        """Queue the present snapshot. Never blocks."""
        self._looked_at.append((self._clock(), self._snapshot()))
        self._woken.set()

    def turn(self) -> float:
        """Process new snapshots, and tell what is due; return when the next happening is due, in clock seconds."""
        while self._looked_at:
            at, snapshot = self._looked_at.popleft()
            self._take_in(at, snapshot)
        while self._waiting and self._waiting[0][0] <= self._clock():
            _, due = self._waiting.popleft()
            for listener in self._listeners:
                listener.tell(due.happening)
        if self._waiting:
            return self._waiting[0][0]
        for listener in self._listeners:
            listener.show(self._seen.snapshot)
        return math.inf

    def _take_in(self, at: float, snapshot: Snapshot) -> None:
        self._seen, new = happenings.happened(self._seen, snapshot, self._people(), self._language)
        standing = (waits for waits in self._waiting if happenings.still_stands(waits[1], snapshot))
        self._waiting = deque(standing)
        for due in new:
            # In order: a later happening may have a shorter animation, but is told later all the same.
            earliest = self._waiting[-1][0] if self._waiting else -math.inf
            self._waiting.append((max(earliest, at + due.after), due))

    def _run(self, rounds: Rounds) -> None:
        while not rounds.is_set():
            due_at = self.turn()
            with rounds.resting():
                self._woken.wait(None if due_at == math.inf else max(0.0, due_at - self._clock()))
            self._woken.clear()
