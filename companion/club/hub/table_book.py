"""What the hub stores of its tables: names, births, and which the keeper has forgotten."""

import contextlib

from companion.club.hub.known_table import KnownTable
from companion.club.hub.store import HubFault, KeptValue, Store, Unkeepable


class TableBook:
    """Stored facts on tables. Any thread may use it; errors of the file are left to the keeper's page to report."""

    def __init__(self, store: Store):
        """Read the stored facts. Raises `HubFault`."""
        self._store = store
        self._presences = store.presences()
        self._names = store.table_names()
        self._forgotten = KeptValue[frozenset[str]](store, "forgotten-tables", frozenset[str], frozenset())

    def first_known(self, table: str, at: float) -> KnownTable:
        """Return a table that is first heard at `at` (seconds), with what was stored of it."""
        state, birth = self._presences.get(table, ("lost", 0))
        return KnownTable(table, state=state, birth=birth, state_at=at, told_at=at)  # type: ignore[arg-type]

    def name_of(self, table: str) -> str:
        """Return a table's last name; "" if it never sent one, has left, or is forgotten."""
        return "" if table in self._forgotten.now else self._names.get(table, "")

    def is_forgotten(self, known_table: KnownTable) -> bool:
        """Return whether the keeper has forgotten a table that has not been heard since."""
        return known_table.state != "ready" and known_table.table in self._forgotten.now

    def forget(self, table: str) -> None:
        """Hide a table until it is heard again. Raises `HubFault`."""
        self._forgotten.change(lambda forgotten: forgotten | {table})

    def note(self, earlier: KnownTable, updated: KnownTable) -> None:
        """Store what a message has changed."""
        table = updated.table
        with contextlib.suppress(HubFault, Unkeepable):
            if updated.state == "ready":
                self._recall(table)
            if (updated.state, updated.birth) != (earlier.state, earlier.birth):
                self._store.remember_presence(table, updated.state, updated.birth)
            if updated.about is not None and updated.name != self._names.get(table):
                self._names[table] = updated.name
                self._store.remember_table_name(table, updated.name)

    def drop(self, table: str) -> None:
        """Delete what is stored of a table that has left, except its birth."""
        self._presences.pop(table, None)
        with contextlib.suppress(HubFault):
            self._recall(table)
            if self._names.pop(table, None) is not None:
                self._store.drop_table_name(table)

    def _recall(self, table: str) -> None:
        if table in self._forgotten.now:
            self._forgotten.change(lambda forgotten: forgotten - {table})
