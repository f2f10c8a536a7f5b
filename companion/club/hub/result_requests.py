"""What the hub asks its tables for: everything whenever a correction may be missing, then whatever leaves a gap."""

import contextlib
import time
from collections.abc import Callable, Iterable

from companion.club.hub.store import HubFault, Store

PATIENCE = 30.0
"""Seconds for a table to send what it was asked for, before the same is asked for again."""
EVERYTHING = 0
"""The match after which all results are asked for, so that none is left out."""


class ResultRequests:
    """The results that each table was asked to send again, since everything has been heard."""

    def __init__(self, store: Store, publish: Callable[[str, int], None], clock: Callable[[], float] = time.monotonic):
        """`publish` asks a table, by its id, for its results after a match."""
        self.can_be_answered = False
        """Whether the broker hands results on to the hub: if not, nothing is asked."""
        self._store = store
        self._publish = publish
        self._clock = clock
        self._asked: dict[str, tuple[int, float]] = {}
        """By table, the match after which its results were asked for, and when (seconds)."""
        self._asked_since_reconnecting: set[str] = set()
        """The tables that have reconnected, and were then asked for everything."""

    def forget(self) -> None:
        """Treat every table as if it had not been asked."""
        self._asked.clear()
        self._asked_since_reconnecting.clear()

    def ask_all(self, tables: Iterable[str]) -> None:
        """Have these tables send all their results again."""
        self.forget()
        for table in tables:
            self._ask(table, since=EVERYTHING)

    def ask_ready_table(self, table: str, *, reconnected: bool) -> None:
        """Ask for everything at first, and once more when the table first reconnects; later only for gaps.

        A broker that was killed may still hold that the table is there, when it is not; and it may have lost a
        correction, which no gap in the numbers shows.
        """
        if not reconnected:
            if table not in self._asked:
                self._ask(table, since=EVERYTHING)
            return
        if table in self._asked_since_reconnecting:
            self.ask_for_gaps(table)
            return
        self._ask(table, since=EVERYTHING)
        if self.can_be_answered:  # otherwise nothing was asked
            self._asked_since_reconnecting.add(table)

    def ask_for_gaps(self, table: str) -> None:
        """Ask a table for what may be missing of it."""
        with contextlib.suppress(HubFault):  # the keeper's page tells of the disk
            self._ask(table, since=self._store.without_gaps(table))

    def ask_for_gap_before(self, table: str, match: int) -> None:
        """Ask for what is missing before this match, unless the table still has time to answer."""
        with contextlib.suppress(HubFault):
            self._ask_before(table, match, self._store.without_gaps(table))

    def _ask_before(self, table: str, match: int, complete_to: int) -> None:
        since, asked_at = self._asked.get(table, (-1, 0.0))
        if match > complete_to and (since != complete_to or self._clock() > asked_at + PATIENCE):
            self._ask(table, since=complete_to)

    def _ask(self, table: str, *, since: int) -> None:
        if self.can_be_answered:
            self._asked[table] = since, self._clock()
            self._publish(table, since)
