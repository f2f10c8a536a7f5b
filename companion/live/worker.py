"""What the live table has still to do: jobs wait in one bounded queue, and who brings one waits for it."""

import queue
import sys
import traceback
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from companion.devices.sensing import Sensing
from companion.errors import CompanionError, NotKept
from companion.events import Event

WAITING_AT_MOST = 1000
"""Jobs in the queue; a driver waits for room, a page is told to try again."""
TOGETHER_AT_MOST = 64
"""Jobs stored in one transaction."""
ROOM_WITHIN = 5.0
"""Seconds that a page waits for room in the queue."""


class Job:
    """Something that happened, to be stored and judged; or a call to be made between two events."""

    def __init__(self, items: tuple[Sensing | Event, ...] = (), call: Callable[[], Any] | None = None):
        """Either of the two."""
        self.items = items
        self.call = call
        self.done: Future[Any] = Future()

    def fail(self, wrong: Exception) -> None:
        """Tell who waits that it was not done, unless he was told something already."""
        if not self.done.done():
            self.done.set_exception(wrong)

    def make(self) -> None:
        """Make the call; its answer, or what it raises, goes to who waits."""
        assert self.call is not None
        try:
            self.done.set_result(self.call())
        except (CompanionError, ValueError) as wrong:
            self.done.set_exception(wrong)
        except Exception as wrong:
            unexpected()
            self.done.set_exception(wrong)


class Jobs:
    """The queue. One thread takes jobs out of it; any may bring them."""

    def __init__(self) -> None:
        """Nothing is to be done."""
        self._waiting: queue.Queue[Job] = queue.Queue(WAITING_AT_MOST)

    @property
    def none(self) -> bool:
        """Whether nothing waits."""
        return self._waiting.empty()

    def bring(self, job: Job, room_within: float | None = ROOM_WITHIN) -> Any:
        """Have a job done; give its answer.

        Raises what it raised, and `NotKept` where the queue has no room within that time (seconds).
        """
        try:
            self._waiting.put(job, timeout=room_within)
        except queue.Full:
            raise NotKept("the table is too busy; try again") from None
        return job.done.result()

    def next(self, within: float) -> list[Job]:
        """Give those that wait, but not too many at once; none if none comes within that time (seconds)."""
        try:
            jobs = [self._waiting.get(timeout=within)]
        except queue.Empty:
            return []
        while len(jobs) < TOGETHER_AT_MOST and not self._waiting.empty():
            jobs.append(self._waiting.get_nowait())
        return jobs


def unexpected() -> None:
    """Tell of a fault of the program itself where the owner looks; the table goes on."""
    traceback.print_exc(file=sys.stderr)
