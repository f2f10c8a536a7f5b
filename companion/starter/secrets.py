"""What the laws must know of this game beside its code: its options, its words, and what is sealed."""

import random
from typing import Any

from msgspec.structs import replace

from companion.events import Event, Tapped, seat_at
from companion.judge.match import Match, judge

from .cards import DECK

OPTIONS: tuple[dict[str, Any], ...] = ({}, {"rounds": 1}, {"rounds": 3})
"""Some that the game knows …"""
NO_OPTIONS: tuple[dict[str, Any], ...] = ({"rounds": 0}, {"rounds": 10}, {"rounds": "5"})
"""… and some that it must refuse."""
WORDS: dict[str, Any] = {}
"""What may be said, and a test of the value that it may bear. Here nothing is said."""


def closed(match: Match) -> bool:
    """Return whether anything is sealed now, or would be."""
    return not match.over


def sealed(match: Match) -> bool:
    """Return whether something is: a card lies face down."""
    return bool(match.state.laid)


def disguised(events: list[Event], chance: random.Random, who: int | None = None) -> list[Event]:
    """Have others than `who` lay other cards in the round that is going on; everybody else must see no difference."""
    match = judge(events)
    free = [card for card in DECK if card not in match.state.used]
    since = max((verdict.seq for verdict in match.verdicts if verdict.code == "flipped"), default=1)

    def other(event: Event) -> Event:
        if isinstance(event, Tapped) and event.seq > since and event.card in free:
            seat = seat_at(event.place)
            if seat in match.state.laid and seat != who and (seat, event.card) not in match.state.open:
                return replace(event, card=chance.choice(free))
        return event

    return [other(event) for event in events]


def mended(events: list[Event]) -> bool:
    """Return whether something was refused that another secret could make good: nothing ever is."""
    return False
