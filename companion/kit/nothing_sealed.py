"""What a game in which everything lies open tells the laws: its `secrets.py` takes over what does not differ."""

import random
from typing import Any

from companion.events import Event
from companion.judge.match import Match

OPTIONS: tuple[dict[str, Any], ...] = ({},)
"""Some that the game knows …"""
NO_OPTIONS: tuple[dict[str, Any], ...] = ()
"""… and some that it must refuse."""


def sealed(match: Match) -> bool:
    """Return whether anything is sealed now."""
    return False


closed = sealed
"""Whether anything is, or would be."""


def disguised(events: list[Event], chance: random.Random, who: int | None = None) -> list[Event]:
    """Return the match with other secrets than `who` knows; everybody else must see no difference."""
    return events


def mended(events: list[Event]) -> bool:
    """Return whether something was refused that another secret could make good."""
    return False
