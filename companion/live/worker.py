"""The judge's thread: it does jobs in order of arrival, and the caller blocks until its job is done.

A worker that has not been started has no thread: the caller does its own job, and all that wait, itself.
"""

import queue
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar

from companion.devices.sensing import Sensing
from companion.errors import CompanionError, NotKept
from companion.threads import LastingThread, Rounds, keep

WAITING_AT_MOST = 1000
"""The most jobs in the queue; when it is full, a driver blocks, and a page is told to try again."""
TOGETHER_AT_MOST = 64
"""The most jobs stored in one transaction."""
ROOM_WITHIN = 5.0
"""Seconds that a page waits for room in the queue."""
AFTER_A_FAULT = 10.0
"""Seconds until the next round, if a fault of the program hides when something is due."""

T = TypeVar("T")


class Sensed:
    """What a source sensed, to be stored and judged."""

    def __init__(self, sensings: tuple[Sensing, ...]):
        self.sensings = sensings
        self.done: Future[None] = Future()


class Asked:
    """A call to be made between two events."""

    def __init__(self, call: Callable[[], Any]):
        self.call = call
        self.done: Future[Any] = Future()


class Worker:
    """One thread and its bounded queue; `tell`, `bring` and `ask` may be called from any other thread."""

    def __init__(
        self, store: Callable[[Sequence[Sensed]], None], between: Callable[[], None], due: Callable[[], float]
    ) -> None:
        """`store` takes jobs of sources that came together; what it raises is the result of each that it has not
        completed. `between` is called after each round, and at the latest `due()` seconds after the last one.
        """
        self._store = store
        self._between = between
        self._due = due
        self._waiting: queue.Queue[Sensed | Asked] = queue.Queue(WAITING_AT_MOST)
        self._thread = LastingThread("judge", self._run)
        self._has_thread = False

    def start(self) -> None:
        """Begin to work."""
        self._has_thread = True
        self._thread.start()

    def stop(self) -> None:
        """Finish what is in the queue, then stop."""
        self._thread.stop(lambda: self._waiting.put(Asked(lambda: None)))  # or it would wait for what is due next

    @property
    def waiting(self) -> int:
        """Roughly how many jobs wait, as seen from outside."""
        return self._waiting.qsize()

    def tell(self, sensings: tuple[Sensing, ...]) -> None:
        """Queue what a source sensed, and block until it is stored, however long. Raises what `store` raised."""
        self._result(self.bring(sensings))

    def bring(self, sensings: tuple[Sensing, ...]) -> Sensed:
        """Queue what a source sensed to be stored, and return without waiting for that."""
        job = Sensed(sensings)
        self._waiting.put(job)
        return job

    def ask(self, call: Callable[[], T]) -> T:
        """Queue a call, to be made between two events, and return its result.

        Raises what it raised, and `NotKept` if the queue has no room within `ROOM_WITHIN`.
        """
        job = Asked(call)
        try:
            self._waiting.put(job, timeout=ROOM_WITHIN)
        except queue.Full:
            raise NotKept("the table is too busy; try again") from None
        answer: T = self._result(job)
        return answer

    def work(self) -> None:
        """Do what waits and what is due, in the calling thread: the worker has none of its own."""
        self._round(self._next(0.0))

    def _result(self, job: Sensed | Asked) -> Any:
        while not (self._has_thread or job.done.done()):
            self.work()
        return job.done.result()

    def _run(self, rounds: Rounds) -> None:
        while not (rounds.is_set() and self._waiting.empty()):
            with rounds.resting():
                jobs = self._next(self.rest())
            self._round(jobs)

    def _round(self, jobs: list[Sensed | Asked]) -> None:
        while jobs:
            self._work_off(jobs)
        try:
            self._between()
        except Exception as wrong:  # kept and no pause, unlike other threads after a fault: jobs wait
            keep(self._thread.name, wrong)

    def _next(self, within: float) -> list[Sensed | Asked]:
        """Return the waiting jobs, up to `TOGETHER_AT_MOST`; none if none comes within so many seconds."""
        try:
            jobs = [self._waiting.get(timeout=within)]
        except queue.Empty:
            return []
        while len(jobs) < TOGETHER_AT_MOST and not self._waiting.empty():
            jobs.append(self._waiting.get_nowait())
        return jobs

    def rest(self) -> float:
        """Return the seconds that may pass before anything is due."""
        try:
            return max(0.0, self._due())
        except Exception as wrong:
            keep(self._thread.name, wrong)
            return AFTER_A_FAULT

    def _work_off(self, jobs: list[Sensed | Asked]) -> None:
        """Make the first call, or store together all that sources told before the next call."""
        first = jobs[0]
        if isinstance(first, Asked):
            del jobs[0]
            _answer([first], first.call)
            return
        together: list[Sensed] = []
        while jobs and isinstance(job := jobs[0], Sensed):
            together.append(job)
            del jobs[0]
        _answer(together, lambda: self._store(together))


def _answer(jobs: Sequence[Sensed | Asked], call: Callable[[], Any]) -> None:
    """Make the call, and complete the jobs that are not done yet with what it returned or raised."""
    answer: Any = None
    wrong: BaseException | None = None
    try:
        answer = call()
    except (CompanionError, ValueError) as expected:
        wrong = expected
    except BaseException as unexpected:  # a game's code may even call sys.exit(): the callers must not block for ever
        keep("judge", unexpected)
        wrong = unexpected
    for job in jobs:
        if not job.done.done():
            job.done.set_result(answer) if wrong is None else job.done.set_exception(wrong)
