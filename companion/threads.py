"""Threads that last: what one raises is kept and told, and it goes on after a breath.

Nobody else starts a thread, so that none can die, hang or stay behind unnoticed. Each looks at its `Rounds` again and
again, and waits by them: so it is known to come round. /check shows what threads raised and which are stuck; systemd's
watchdog is told nothing good while one is.
"""

import logging
import math
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

FIRST_BREATH_S = 0.2
LONGEST_BREATH_S = 30.0
"""Seconds until a thread goes on after it raised something: doubled each time, up to the longest."""
WELL_S = 60.0
"""Seconds of work after which the next breath is the first again."""
PATIENCE_S = 60.0
"""Seconds within which a thread comes round; one that takes longer is stuck."""
MOST = 20
"""The most faults kept: once these are mended, the next ones show."""

_journal = logging.getLogger(__name__)
T = TypeVar("T")


class ThreadFault(Struct, frozen=True):
    """What a thread raised, without its words: they may name a sealed card, and are in the journal."""

    thread: str
    kind: str
    """The exception's class: "ValueError"."""
    where: str
    """The line that raised it: "port.py:41"."""
    number: int
    """How often it was raised there."""


class Rounds(threading.Event):
    """A thread's signal to stop. Looking at it says that the thread has come round; waiting by it, that it rests."""

    def __init__(self, patience: float = PATIENCE_S) -> None:
        """`patience`: seconds within which the thread comes round while it does not rest."""
        super().__init__()
        self._patience = patience
        self._owner: int | None = None
        self._due = math.inf

    def begin(self) -> None:
        """Count the calling thread's rounds from now on."""
        self._owner = threading.get_ident()
        self._come_round()

    def is_set(self) -> bool:
        """Return whether to stop."""
        self._come_round()
        return super().is_set()

    def wait(self, timeout: float | None = None) -> bool:
        """Rest until it is time to stop, at most this many seconds; return whether it is."""
        with self.resting(timeout):
            return super().wait(timeout)

    @contextmanager
    def resting(self, seconds: float | None = None) -> Iterator[None]:
        """Let the thread wait for something else in the block; None: for however long nothing happens."""
        if self._is_owners():
            self._due = math.inf if seconds is None else time.monotonic() + seconds + self._patience
        try:
            yield
        finally:
            self._come_round()

    def is_overdue(self) -> bool:
        """Return whether the thread should have come round by now."""
        return time.monotonic() > self._due

    def _come_round(self) -> None:
        if self._is_owners():
            self._due = time.monotonic() + self._patience

    def _is_owners(self) -> bool:
        return self._owner == threading.get_ident()


Work = Callable[[Rounds], None]
"""What a thread does: until it is told to stop, or until there is nothing more to do."""


class LastingThread:
    """A thread that goes on until its work returns, or until it is stopped."""

    def __init__(self, name: str, work: Work, *, patience: float = PATIENCE_S, daemon: bool = False) -> None:
        """`patience`: see `Rounds`. A daemon can't be stopped, because it waits for what never comes."""
        self.name = name
        self.rounds = Rounds(patience)
        self._work = work
        self._thread = threading.Thread(target=self._run, name=name, daemon=daemon)

    def start(self) -> None:
        """Begin to work."""
        _crew.add(self)
        self._thread.start()

    def stop(self, wake: Callable[[], object] = lambda: None, within: float | None = None) -> None:
        """Have it stop, and wait for its end, at most `within` seconds. `wake` ends what it waits for, if anything."""
        self.rounds.set()
        wake()
        if self._thread.is_alive():
            self._thread.join(within)

    @property
    def is_alive(self) -> bool:
        """Whether it has begun, and not ended yet."""
        return self._thread.is_alive()

    @property
    def is_stuck(self) -> bool:
        """Whether it has died, or should have come round by now."""
        return not self._thread.is_alive() or self.rounds.is_overdue()

    def _run(self) -> None:
        self.rounds.begin()
        breath = FIRST_BREATH_S
        try:
            while True:
                began = time.monotonic()
                try:
                    self._work(self.rounds)
                    return
                except BaseException as wrong:  # no one above would hear of SystemExit either
                    keep(self.name, wrong)
                if time.monotonic() - began > WELL_S:
                    breath = FIRST_BREATH_S
                if self.rounds.wait(breath):
                    return
                breath = min(LONGEST_BREATH_S, 2 * breath)
        finally:
            _crew.remove(self)
            del self._work  # as `threading.Thread` does: it may hold whoever holds this


class Backlog(Generic[T]):
    """What waits for a thread of its own, which takes one after the other; nobody who adds to it waits.

    It is a daemon: whatever it takes long over is not waited for at the end.
    """

    def __init__(self, name: str, most: int, take: Callable[[T, Rounds], None]) -> None:
        """Of more than `most`, what is older is left out."""
        self._take = take
        self._waiting: deque[T] = deque(maxlen=most)
        self._woken = threading.Event()
        self._thread = LastingThread(name, self._run, daemon=True)

    def start(self) -> None:
        """Begin to take what waits."""
        self._thread.start()

    def stop(self, within: float) -> None:
        """Take nothing more, and wait at most so many seconds for what is being done."""
        self._thread.stop(self._woken.set, within)

    def add(self, item: T) -> None:
        """Have this wait as well."""
        self._waiting.append(item)
        self._woken.set()

    def clear(self) -> None:
        """Leave out all that waits."""
        self._waiting.clear()

    def _run(self, rounds: Rounds) -> None:
        while not rounds.is_set():
            while self._waiting and not rounds.is_set():
                self._take(self._waiting.popleft(), rounds)
            with rounds.resting():
                self._woken.wait()
            self._woken.clear()


def start_errand(name: str, errand: Callable[[], None], patience: float = PATIENCE_S) -> None:
    """Have something done once that nobody waits for; what it raises is kept and told, and not tried again."""

    def work(_: Rounds) -> None:
        try:
            errand()
        except Exception as wrong:
            keep(name, wrong)

    LastingThread(name, work, patience=patience).start()


def keep(thread: str, wrong: BaseException) -> None:
    """Keep what a thread raised, and put it in the journal: whole at first, then in a line at every doubling."""
    fault = _crew.keep(thread, wrong)
    if fault.number == 1:
        _journal.error("%s goes on after a fault of the program", thread, exc_info=wrong)
    elif not fault.number & (fault.number - 1):
        _journal.error("%s goes on after the same fault of the program, number %d", thread, fault.number)


def faults() -> tuple[ThreadFault, ...]:
    """Return what threads have raised since the program was started, the first first."""
    return _crew.faults()


def stuck() -> tuple[str, ...]:
    """Return the names of threads that have died, or have not come round in time."""
    return _crew.stuck()


def forget_faults() -> None:
    """Forget what was raised until now."""
    _crew.forget_faults()


class _Crew:
    """All threads at work in this program, and what they raised."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._threads: list[LastingThread] = []
        self._faults: dict[tuple[str, str, str], ThreadFault] = {}

    def add(self, thread: LastingThread) -> None:
        with self._lock:
            self._threads.append(thread)

    def remove(self, thread: LastingThread) -> None:
        with self._lock:
            self._threads.remove(thread)

    def keep(self, thread: str, wrong: BaseException) -> ThreadFault:
        where = _where(wrong)
        key = thread, type(wrong).__name__, where
        with self._lock:
            known_fault = self._faults.get(key) or ThreadFault(*key, number=0)
            fault = replace(known_fault, number=known_fault.number + 1)
            if key in self._faults or len(self._faults) < MOST:
                self._faults[key] = fault
        return fault

    def faults(self) -> tuple[ThreadFault, ...]:
        with self._lock:
            return tuple(self._faults.values())

    def stuck(self) -> tuple[str, ...]:
        with self._lock:
            return tuple(thread.name for thread in self._threads if thread.is_stuck)

    def forget_faults(self) -> None:
        with self._lock:
            self._faults.clear()


def _where(wrong: BaseException) -> str:
    frames = traceback.extract_tb(wrong.__traceback__)
    if not frames:
        return ""
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}"


_crew = _Crew()
