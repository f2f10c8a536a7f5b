"""Defaults for the `secrets.py` of a game in which everything lies open, to be imported there."""

import random
from typing import Any

from companion.events import Event
from companion.judge.match import Match

OPTIONS: tuple[dict[str, Any], ...] = ({},)
"""Options to test the game with."""
NO_OPTIONS: tuple[dict[str, Any], ...] = ()
"""Options that the game must refuse."""


def sealed(match: Match) -> bool:
    """Return whether anything is sealed at present."""
    return False


closed = sealed
"""Return whether anything is or would be sealed."""


def disguised(events: list[Event], chance: random.Random, observer: int | None = None) -> list[Event]:
    """Return the match with other secrets than those `observer` knows; their view must not differ."""
    return events


def mended(events: list[Event]) -> bool:
    """Return whether an act was refused that would be legal with other secrets."""
    return False
