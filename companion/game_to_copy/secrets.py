"""What the laws must know of this game besides its code: its options, and what is sealed."""

import random
from typing import Any

from companion.events import Event
from companion.judge.match import Match, judge
from companion.kit.nothing_sealed import mended  # noqa: F401 - the laws read it here
from companion.kit.other_secrets import other_lays

from .cards import DECK

OPTIONS: tuple[dict[str, Any], ...] = ({}, {"rounds": 1}, {"rounds": 3})
NO_OPTIONS: tuple[dict[str, Any], ...] = ({"rounds": 0}, {"rounds": 10}, {"rounds": "5"})


def closed(match: Match) -> bool:
    """Return whether anything is sealed now, or would be."""
    return not match.over


def sealed(match: Match) -> bool:
    """Return whether something is: a card lies face down."""
    return bool(match.state.laid)


def disguised(events: list[Event], chance: random.Random, observer: int | None = None) -> list[Event]:
    """Have others than `observer` lay other cards in the round that is going on."""
    used = judge(events).state.used
    return other_lays(events, chance, observer, ("flipped",), [card for card in DECK if card not in used])
