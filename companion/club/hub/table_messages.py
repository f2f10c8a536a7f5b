"""Decodes tables' messages and applies them to what the hub knows; invalid ones are counted."""

from collections import Counter
from contextlib import suppress
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.club.hub.known_table import KnownTable, Shown, with_about, with_public, with_result, with_status
from companion.club.hub.store import HubFault, Store
from companion.club.payloads import About, MatchResult, PublicView, TableStatus, agrees, decoded
from companion.club.topics import ROOT, Spot
from companion.judge.views import View

MOST_COUNTED = 500
"""Kinds of ignored messages that are counted separately; further ones are counted by reason only."""
_RESULT_KEYS = frozenset(MatchResult.__struct_fields__) - {"match", "revision"}

Ignored = tuple[str, str]
"""A table (or "" for none), and the reason."""


class TableMessages:
    """Reads the messages of tables."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.ignored: Counter[Ignored] = Counter()

    def ignore(self, table: str, reason: str) -> None:
        """Count an ignored message."""
        if (table, reason) not in self.ignored and len(self.ignored) >= MOST_COUNTED:
            table = ""
        self.ignored[table, reason] += 1

    def ignore_topic(self, topic: str) -> None:
        """Count a message on a topic that is no table's."""
        is_our_version = topic.startswith(f"{ROOT}/")
        self.ignore("", "unknown topic" if is_our_version else "unknown version")

    def decode(self, table: str, payload: bytes | bytearray, kind: type[Any]) -> Any:
        """Decode a payload; unknown keys are counted and left out. None if it is invalid."""
        try:
            fields = decoded(payload)
            message = msgspec.convert(fields, kind)
        except ValueError:
            self.ignore(table, "unreadable payload")
            return None
        if fields.keys() - set(kind.__struct_fields__):
            self.ignore(table, "unknown key")
        return message

    def read_result(self, spot: Spot, payload: bytes | bytearray) -> MatchResult | None:
        """Decode the result of a match; None if it is invalid, of another match, or contradicts itself."""
        result: MatchResult | None = self.decode(spot.table, payload, MatchResult)
        if result is None:
            return None
        if result.match != spot.match or not agrees(result):
            self.ignore(spot.table, "unreadable payload")
            return None
        return result

    def apply(
        self, known_table: KnownTable, subject: str, payload: bytes | bytearray, at: float, *, retained: bool
    ) -> KnownTable | None:
        """Return a table after its message on `subject` ("status", "about" or "public"), received at `at` (seconds).

        None if the table has cleared its status, and so has left the club.
        """
        if not payload:
            return _without(known_table, subject)
        match subject:
            case "status":
                status = self.decode(known_table.table, payload, TableStatus)
                return with_status(known_table, status, at, retained=retained) if status else known_table
            case "about":
                about = self.decode(known_table.table, payload, About)
                return with_about(known_table, about, at) if about else known_table
        return self._with_view(known_table, payload, at, retained=retained)

    def _with_view(
        self, known_table: KnownTable, payload: bytes | bytearray, at: float, *, retained: bool
    ) -> KnownTable:
        public = self.decode(known_table.table, payload, PublicView)
        if public is None:
            return known_table
        on_screen = None
        if public.view is not None:
            try:
                on_screen = replace(msgspec.convert(public.view, Shown), drawable=_is_whole(public.view))
            except msgspec.ValidationError:
                self.ignore(known_table.table, "unreadable view")
                return known_table
        updated = with_public(known_table, public, on_screen, at, retained=retained)
        if public.match is None or public.match == known_table.match:
            return updated
        with suppress(HubFault):  # else it is shown without a result
            result = self._store.standing(known_table.table, public.match)
            return updated if result is None else with_result(updated, result, at)
        return updated


def body_to_store(payload: bytes | bytearray) -> bytes:
    """Return a result without unknown keys, and without those that have columns of their own."""
    fields: dict[str, msgspec.Raw] = msgspec.json.decode(payload, type=dict[str, msgspec.Raw])
    return msgspec.json.encode({key: value for key, value in fields.items() if key in _RESULT_KEYS})


def _is_whole(view: dict[str, Any]) -> bool:
    """Return whether a view has all fields of this version's views, whatever its game adds."""
    try:
        msgspec.convert(view, View)
    except msgspec.ValidationError:
        return False
    return True


def _without(known_table: KnownTable, subject: str) -> KnownTable | None:
    """Return a table without what it has cleared; None if that is its status."""
    if subject == "status":
        return None
    changed = known_table.changed + 1
    if subject == "about":
        return replace(known_table, about=None, changed=changed)
    return replace(known_table, match=None, view=None, shown=None, changed=changed)
