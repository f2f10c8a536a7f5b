"""What other programs are told of the match on the table: made once for all who ask, until it changes."""

import msgspec

from companion.web.render.api_values import SeenByAll, on_table, seen
from companion.web.room import Room


class Broadcast:
    """Tells of the match on the table. Use it from the page's thread."""

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
            made = self._made[language] = msgspec.json.encode(on_table(now, language))
        return made
