"""Stores the results that tables send, round-robin by table, so that a flooding table delays nobody else's.

The broker's thread only queues them; a thread of its own stores each, and it is acknowledged once it is on disk. What a
table sends beyond its limits is dropped and asked for later: an honest table still has it.
"""

import logging
import math
import threading
from collections import deque
from collections.abc import Callable, Mapping

from msgspec import Struct

from companion.club.hub.allowance import Allowance
from companion.club.hub.store import HubFault, Store, Unkeepable
from companion.threads import LastingThread, Rounds

AGAIN_S = 1.0
"""Seconds between attempts to store a result."""
MOST_WAITING = 1_500_000
"""Bytes of one table's results in the queue, at most: a season of two thousand matches."""
MOST_KEPT = 1_500_000
"""A table's allowance of stored bytes: several seasons."""
LEAST = 700
"""Bytes that even a shorter result counts for: the season's sums keep as much in memory of each."""
KEPT_PER_S = 50.0
"""Refill of that allowance, in bytes a second: many times what people can play."""
ASKED_AGAIN_S = 60.0
"""Seconds until a table is asked again for what was dropped."""

_journal = logging.getLogger(__name__)


class ArrivedResult(Struct, frozen=True):
    """A result as it arrived."""

    table: str
    match: int
    revision: int
    told: bytes
    """The JSON to be stored."""
    number: int
    """Its message id, for the acknowledgement."""
    connection: int
    """The connection to which that id belongs."""

    @property
    def size(self) -> int:
        """The bytes that it counts for."""
        return max(len(self.told), LEAST)


class ResultIntake:
    """The queue of arrived results, and the thread that stores them. Any thread may use it."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], float],
        *,
        is_kept: Callable[[ArrivedResult, bool], None],
        ignore: Callable[[str, str], None],
        ask: Callable[[str], None],
        has_changed: Callable[[], None],
    ) -> None:
        """Set the callbacks, which are called from the intake's own thread.

        `is_kept` gets each result that need not be sent again, and whether it was news; `ignore` a table, and why a
        result of it is not stored; `ask` a table that must send dropped results again; `has_changed` is called when
        trouble with the disk begins or ends.
        """
        self._store = store
        self._clock = clock
        self._is_kept = is_kept
        self._ignore = ignore
        self._ask = ask
        self._has_changed = has_changed
        self._allowance = Allowance(MOST_KEPT, KEPT_PER_S, clock)
        self._waiting: dict[str, deque[ArrivedResult]] = {}
        """The queues by table; the table served last comes last."""
        self._bytes: dict[str, int] = {}
        """Queued bytes by table."""
        self._being_kept: ArrivedResult | None = None
        """The result being stored: out of its queue, and not charged to its table yet."""
        self._owed: dict[str, float] = {}
        """The tables whose results were dropped, and when to ask for them."""
        self._woken = threading.Condition()
        self._has_come = False
        """Whether something was queued since the last turn."""
        self._again_at = -math.inf
        """When the disk is tried again, in seconds."""
        self.disk_trouble = ""
        """Why results can't be stored at present; "" if they can."""
        self._thread = LastingThread("results", self._run)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop; queued results are not acknowledged, so the broker sends them again."""
        self._thread.stop(self._wake)

    def has_room(self, table: str, size: int) -> bool:
        """Return whether a result of this many bytes may be queued; if not, its table is asked for it later."""
        with self._woken:
            waiting = self._bytes.get(table, 0) + max(size, LEAST)
            if self._being_kept is not None and self._being_kept.table == table:
                waiting += self._being_kept.size
            if waiting <= min(MOST_WAITING, self._allowance.left(table)):
                return True
            if table not in self._owed:
                self._owed[table] = self._clock() + ASKED_AGAIN_S
                self._wake()
            return False

    def add(self, arrived: ArrivedResult) -> None:
        """Queue a result."""
        with self._woken:
            self._waiting.setdefault(arrived.table, deque()).append(arrived)
            self._bytes[arrived.table] = self._bytes.get(arrived.table, 0) + arrived.size
            self._wake()

    def waiting(self) -> Mapping[str, int]:
        """Return the queued bytes by table."""
        with self._woken:
            return dict(self._bytes)

    def _wake(self) -> None:
        with self._woken:
            self._has_come = True
            self._woken.notify()

    def turn(self) -> float | None:
        """Store one result, or ask for dropped ones; return the seconds until the next turn (None: until something
        arrives).
        """
        at = self._clock()
        if at < self._again_at:
            return self._again_at - at
        with self._woken:
            arrived = self._being_kept = self._next()
        if arrived is not None:
            self._try_to_keep(arrived)
            self._being_kept = None
            return 0.0
        self._ask_for_what_was_dropped()
        with self._woken:
            asked_at = min(self._owed.values(), default=None)
        return None if asked_at is None else max(0.0, asked_at - at)

    def _run(self, rounds: Rounds) -> None:
        while not rounds.is_set():
            seconds = self.turn()
            with self._woken:
                if seconds != 0.0 and not (self._has_come or rounds.is_set()):
                    with rounds.resting():
                        self._woken.wait(seconds)
                self._has_come = False

    def _next(self) -> ArrivedResult | None:
        """Take the next result from the queues; None if they are empty."""
        for table in self._waiting:
            return self._taken_from(table)
        return None

    def _ask_for_what_was_dropped(self) -> None:
        with self._woken:
            at = self._clock()
            owed = [table for table, owed_at in self._owed.items() if owed_at <= at]
            for table in owed:
                del self._owed[table]
        for table in owed:
            self._ask(table)

    def _taken_from(self, table: str) -> ArrivedResult:
        queue = self._waiting.pop(table)
        arrived = queue.popleft()
        self._bytes[table] -= arrived.size
        if queue:
            self._waiting[table] = queue  # reinserted behind all others: a dict keeps the order of insertion
        else:
            del self._bytes[table]
        return arrived

    def _try_to_keep(self, arrived: ArrivedResult) -> None:
        try:
            self._keep(arrived)
        except Exception:  # deliberately everything: a result that can't be handled must not block others
            _journal.exception("a result of %s", arrived.table)
            self._ignore("", "a fault of the hub")
            self._is_kept(arrived, False)

    def _keep(self, arrived: ArrivedResult) -> None:
        """Store a result; on trouble with the disk, queue it again."""
        try:
            number = self._store.take(arrived.table, arrived.match, arrived.revision, arrived.told)
        except Unkeepable:
            self._ignore(arrived.table, "unkeepable result")
            self._is_kept(arrived, False)
            return
        except HubFault as wrong:
            self._note_disk_trouble(str(wrong))
            self._wait_again(arrived)
            return
        self._note_disk_trouble("")
        if number is not None:
            # Charged only if it was new: a result that comes twice costs its table nothing.
            with self._woken:
                self._allowance.take(arrived.table, arrived.size)
                self._being_kept = None
        self._is_kept(arrived, number is not None)

    def _wait_again(self, arrived: ArrivedResult) -> None:
        """Put a result back at the head of its table's queue, and pause."""
        with self._woken:
            self._waiting.setdefault(arrived.table, deque()).appendleft(arrived)
            self._bytes[arrived.table] = self._bytes.get(arrived.table, 0) + arrived.size
        self._again_at = self._clock() + AGAIN_S

    def _note_disk_trouble(self, trouble: str) -> None:
        if trouble != self.disk_trouble:
            self.disk_trouble = trouble
            self._has_changed()
