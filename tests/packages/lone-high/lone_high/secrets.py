"""What the laws must know of this game: its options, and what is sealed."""

import random
from typing import Any

from companion.events import Event
from companion.game.playing_cards import DECK
from companion.judge.match import Match, judge
from companion.kit.nothing_sealed import mended  # noqa: F401 - the laws read it here
from companion.kit.other_secrets import other_lays

OPTIONS: tuple[dict[str, Any], ...] = ({}, {"tricks": 1}, {"tricks": 3})
NO_OPTIONS: tuple[dict[str, Any], ...] = ({"tricks": 0}, {"tricks": 9}, {"tricks": "5"})


def closed(match: Match) -> bool:
    """Return whether anything is sealed now, or would be."""
    return not match.over


def sealed(match: Match) -> bool:
    """Return whether a card lies face down."""
    return bool(match.state.laid)


def disguised(events: list[Event], chance: random.Random, observer: int | None = None) -> list[Event]:
    """Have others than `observer` lay other cards in this trick."""
    used = judge(events).state.used
    opened = ("taken", "cancelled")
    return other_lays(events, chance, observer, opened, [card for card in DECK if card not in used])
