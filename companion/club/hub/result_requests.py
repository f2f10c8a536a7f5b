"""The hub's requests to tables for results: for all when a correction may be missing, later for gaps."""

import contextlib
import time
from collections.abc import Callable, Iterable

from companion.club.hub.store import HubFault, Store

PATIENCE = 30.0
"""Seconds for a table to answer before the same request is repeated."""
EVERYTHING = 0
"""The match number after which results are asked for, so that none is left out."""


class ResultRequests:
    """The requests made on this connection, by table."""

    def __init__(self, store: Store, publish: Callable[[str, int], None], clock: Callable[[], float] = time.monotonic):
        """`publish` sends a request: a table's id, and the match number after which it must send results."""
        self.can_be_answered = False
        """Whether the hub's subscription to results is confirmed; before that nothing is asked."""
        self._store = store
        self._publish = publish
        self._clock = clock
        self._asked: dict[str, tuple[int, float]] = {}
        """By table, the match number after which results were asked for, and when (seconds)."""
        self._asked_since_reconnecting: set[str] = set()
        """Tables that have reconnected, and were then asked for everything."""

    def forget(self) -> None:
        """Forget all requests."""
        self._asked.clear()
        self._asked_since_reconnecting.clear()

    def ask_all(self, tables: Iterable[str]) -> None:
        """Ask these tables for all their results."""
        self.forget()
        for table in tables:
            self._ask(table, since=EVERYTHING)

    def ask_ready_table(self, table: str, *, reconnected: bool) -> None:
        """Ask for everything at first, and once more when the table first reconnects; later only for gaps.

        A broker that was killed may still hold the table's status "ready" when it is offline, so the first request may
        be lost; and it may have lost a correction, which no gap in the numbers shows.
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
        """Ask a table for its results from the first gap on."""
        with contextlib.suppress(HubFault):  # the keeper's page reports the disk
            self._ask(table, since=self._store.without_gaps(table))

    def ask_for_gap_before(self, table: str, match: int) -> None:
        """Ask for the results missing before this match, unless a request for them is still being answered."""
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
