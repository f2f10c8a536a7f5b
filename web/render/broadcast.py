"""What other programs are told about the match on the table: made once for everybody, until it changes."""

from typing import cast

import msgspec
from msgspec.structs import replace

from companion.judge.views import View, unshown
from companion.web.render.api_values import SeenByAll, TableNow, on_table, seen
from companion.web.room import Room


class Broadcast:
    """Reports the match on the table. Use it from the page's thread."""

    def __init__(self, room: Room):
        self._room = room
        self._of: SeenByAll | None = None
        self._made: dict[str, bytes] = {}

    def now(self, language: str) -> bytes:
        """Return the match on the table, as JSON. If only sealed facts changed, nothing is made again:
        even the time that takes would reveal that something was done.
        """
        room = self._room
        bots = room.simulation.bots if room.simulation else None
        now = seen(room.live.snapshot, room.phones.rights.people, frozenset(bots or ()))
        if now != self._of:
            self._of, self._made = now, {}
        made = self._made.get(language)
        if made is None:
            made = self._made[language] = msgspec.json.encode(self._told(now, language))
        return made

    def _told(self, now: SeenByAll, language: str) -> TableNow:
        view = now.snapshot.views.get(None)
        if view is None:
            return on_table(now, language)
        plain = cast("View", unshown(view))
        return self._room.live.faults.tried(
            view["game"],
            "words",
            lambda: on_table(now, language),
            lambda: on_table(replace(now, snapshot=replace(now.snapshot, views={None: plain})), language),
        )
