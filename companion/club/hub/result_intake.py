"""Keeps the results that tables send: one of each table in turn, so that one that floods holds up nobody else's.

Whoever hears the broker only hands them over here; a thread keeps them, and each is acknowledged once it is on disk.
Of a table that sends more than it may, what is beyond is dropped and asked for later: an honest one has it still.
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
"""Bytes of one table's results that wait; a season of two thousand matches has as many."""
MOST_KEPT = 1_500_000
"""Bytes of one table's results that are kept as they come: seasons of it."""
LEAST = 700
"""Bytes for which a shorter result counts as well: the season remembers as much of each, and more of people whom nobody
has heard of before.
"""
KEPT_PER_S = 50.0
"""Bytes a second that are kept beyond, many times what people can play."""
ASKED_AGAIN_S = 60.0
"""Seconds until a table is asked again for what was dropped."""

_journal = logging.getLogger(__name__)


class ArrivedResult(Struct, frozen=True):
    """A result as it came."""

    table: str
    match: int
    revision: int
    told: bytes
    """As it is kept."""
    number: int
    """By which the broker is told that it is kept."""
    connection: int
    """On which it came: another connection has other numbers."""

    @property
    def size(self) -> int:
        """The bytes for which it counts."""
        return max(len(self.told), LEAST)


class ResultIntake:
    """Any thread may use it."""

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
        """`is_kept` is called with each result that need not come again, and whether it was news; `ignore` with a table
        and why a result of it is not kept; `ask` with a table that must send again what was dropped; `has_changed` when
        there is trouble with the disk, or none any more. All are called from a thread of its own.
        """
        self._store = store
        self._clock = clock
        self._is_kept = is_kept
        self._ignore = ignore
        self._ask = ask
        self._has_changed = has_changed
        self._allowance = Allowance(MOST_KEPT, KEPT_PER_S, clock)
        self._waiting: dict[str, deque[ArrivedResult]] = {}
        """By table; who was served last comes last."""
        self._bytes: dict[str, int] = {}
        """How much of each table waits."""
        self._being_kept: ArrivedResult | None = None
        """What is taken from those that wait, and not charged to its table yet."""
        self._owed: dict[str, float] = {}
        """The tables of which something was dropped, and when to ask them for it."""
        self._woken = threading.Condition()
        self._has_come = False
        """Whether something has come since the last turn began to wait."""
        self._again_at = -math.inf
        """When the disk is tried again, in seconds."""
        self.disk_trouble = ""
        """Why nothing can be kept, as long as nothing can."""
        self._thread = LastingThread("results", self._run)

    def start(self) -> None:
        """Begin to keep results."""
        self._thread.start()

    def stop(self) -> None:
        """Stop; what still waits is not acknowledged, and comes again."""
        self._thread.stop(self._wake)

    def has_room(self, table: str, size: int) -> bool:
        """Return whether a result of this many bytes may wait; if not, its table is asked for it later."""
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
        """Have a result kept when it is its table's turn."""
        with self._woken:
            self._waiting.setdefault(arrived.table, deque()).append(arrived)
            self._bytes[arrived.table] = self._bytes.get(arrived.table, 0) + arrived.size
            self._wake()

    def waiting(self) -> Mapping[str, int]:
        """Return how many bytes of each table's results wait."""
        with self._woken:
            return dict(self._bytes)

    def _wake(self) -> None:
        with self._woken:
            self._has_come = True
            self._woken.notify()

    def turn(self) -> float | None:
        """Keep one result, or ask for what was dropped; return the seconds until there is more to do, None: until
        something comes.
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
        """Return the next result; None if none waits."""
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
            self._waiting[table] = queue  # behind all others
        else:
            del self._bytes[table]
        return arrived

    def _try_to_keep(self, arrived: ArrivedResult) -> None:
        try:
            self._keep(arrived)
        except Exception:  # deliberately everything: the next one is another's
            _journal.exception("a result of %s", arrived.table)
            self._ignore("", "a fault of the hub")
            self._is_kept(arrived, False)

    def _keep(self, arrived: ArrivedResult) -> None:
        """Keep a result; while the disk does not let it be kept, it waits."""
        try:
            number = self._store.take(arrived.table, arrived.match, arrived.revision, arrived.told)
        except Unkeepable:
            self._ignore(arrived.table, "unkeepable result")
            self._is_kept(arrived, False)
            return
        except HubFault as wrong:
            self._stand(str(wrong))
            self._wait_again(arrived)
            return
        self._stand("")
        if number is not None:
            # Charged only if it was new: what comes twice costs its table nothing.
            with self._woken:
                self._allowance.take(arrived.table, arrived.size)
                self._being_kept = None
        self._is_kept(arrived, number is not None)

    def _wait_again(self, arrived: ArrivedResult) -> None:
        """Put a result back before all others of its table, and rest."""
        with self._woken:
            self._waiting.setdefault(arrived.table, deque()).appendleft(arrived)
            self._bytes[arrived.table] = self._bytes.get(arrived.table, 0) + arrived.size
        self._again_at = self._clock() + AGAIN_S

    def _stand(self, trouble: str) -> None:
        if trouble != self.disk_trouble:
            self.disk_trouble = trouble
            self._has_changed()
