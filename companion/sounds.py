"""What a page may sound like: what its observer was told, and nothing that he may not know."""

from collections.abc import Mapping
from typing import Any

import msgspec

from companion import games


class Sound(msgspec.Struct, frozen=True):
    """The latest thing of a match that sounds."""

    name: str
    """first, start or end."""
    entry: int
    """The public entry that brought it about: a later sound has a greater one."""


def sound(view: Mapping[str, Any]) -> Sound | None:
    """Give what sounds in a view; None: nothing that is still told."""
    rulings = [one for one in view["told"] if one["entry"] is not None and not one["misplay"]]
    if view["over"]:
        return Sound("end", rulings[-1]["entry"]) if rulings else None
    sounds = games.known()[view["game"]].sounds
    return next((Sound(sounds[one["code"]], one["entry"]) for one in reversed(rulings) if one["code"] in sounds), None)
