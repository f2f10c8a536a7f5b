"""What the lamps at the seats show. Everybody sees every lamp, so what everybody may know is all that goes in."""

from collections.abc import Collection, Mapping
from typing import Any

from companion.table.cues import Cue


def cues(view: Mapping[str, Any] | None, troubled: Collection[str] = ()) -> dict[int, Cue]:
    """Give a cue for each seat that has one, from the public view and the places whose reader needs a hand."""
    found: dict[int, Cue] = {}
    if view and not view["over"]:
        found = dict.fromkeys(view["table"]["now"].get("seats", ()), Cue.WAITING)
    for place in troubled:
        if place.startswith("seat-"):
            found[int(place.removeprefix("seat-"))] = Cue.ERROR
    return found
