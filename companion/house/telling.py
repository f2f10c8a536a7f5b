"""Who tells the house: a thread of its own follows the table, and hands on each happening when its time has come."""

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
"""The most snapshots that wait to be looked at: a slow machine leaves out what is older."""


class AtHome(Protocol):
    """Somebody at home who is told. Nothing here waits for them."""

    def start(self) -> None:
        """Begin to pass on."""

    def stop(self) -> None:
        """End."""

    def tell(self, happening: Happening) -> None:
        """Pass on what has happened."""

    def show(self, snapshot: Snapshot) -> None:
        """Pass on how the table is: everything about it has been told."""


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
        """`snapshot` and `people` return what is so now; `clock` counts seconds."""
        self._snapshot = snapshot
        self._people = people
        self._language = language
        self._listeners = listeners
        self._clock = clock
        self._seen = happenings.begin(snapshot())
        self._looked_at: deque[tuple[float, Snapshot]] = deque(maxlen=MOST)
        self._waiting: deque[tuple[float, Due]] = deque()
        """When each may be told, in the order in which they happened."""
        self._woken = threading.Event()
        self._thread = LastingThread("house", self._run)

    def start(self) -> None:
        """Begin to tell."""
        for listener in self._listeners:
            listener.show(self._seen.snapshot)
            listener.start()
        self._thread.start()

    def stop(self) -> None:
        """Stop telling; what is not told yet is left untold."""
        self._thread.stop(self._woken.set)
        for listener in self._listeners:
            listener.stop()

    def look(self) -> None:
        """Take note of how the table is now; quick, and never in anybody's way."""
        self._looked_at.append((self._clock(), self._snapshot()))
        self._woken.set()

    def turn(self) -> float:
        """Take in what is new, and tell what is due; return when something is due again, in seconds of the clock."""
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
            # What happens later is told later, also if the big screen plays it for a shorter time.
            earliest = self._waiting[-1][0] if self._waiting else -math.inf
            self._waiting.append((max(earliest, at + due.after), due))

    def _run(self, rounds: Rounds) -> None:
        while not rounds.is_set():
            due_at = self.turn()
            with rounds.resting():
                self._woken.wait(None if due_at == math.inf else max(0.0, due_at - self._clock()))
            self._woken.clear()
