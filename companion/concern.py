"""Whom an act concerns: whose it is, and whether taking it back would change what others did.

The answers rest on what everybody knows, so that being refused tells nothing that is sealed.
"""

from collections.abc import Collection, Sequence

from companion.again import counted
from companion.events import Event, Pressed, Retracted, Said, Tapped, seat_at
from companion.game import Misplay, Verdict
from companion.match import Match, judge

HOST = "host"
Doer = int | str
"""A seat, or "host"."""


def doers(match: Match, event: Event) -> frozenset[Doer]:
    """Say who may enter this event now, any of them; nobody: it is not a person's act."""
    match event:
        case Pressed(seat=seat) | Said(seat=seat):
            return frozenset({seat})
        case Tapped(place=place):
            owner = seat_at(place)
            return frozenset(match.game.whose(match.state, event) if owner is None else {owner})
    return frozenset()


def did(match: Match, seq: int) -> frozenset[Doer]:
    """Say whose an event of the match was when it came."""
    event = match.events[seq - 1]
    before = judge(match.events[: seq - 1]) if isinstance(event, Tapped) and seat_at(event.place) is None else match
    return doers(before, event)


def disturbs(match: Match, targets: Collection[int]) -> bool:
    """Say whether a ruling on another act, as everybody was told it, would no longer stand without these events."""
    return unsettles(match, [Retracted(0, 0.0, seq) for seq in targets], targets)


def unsettles(match: Match, events: Sequence[Event], targets: Collection[int]) -> bool:
    """Say whether, once these events are entered, a ruling that everybody was told would no longer stand, other than
    those on the acts `targets`.
    """
    others = (verdict for verdict in _rulings(match) if verdict.seq not in targets)
    return bool(counted(others) - counted(_rulings(judge([*match.events, *events]))))


def _rulings(match: Match) -> list[Verdict]:
    return [verdict for verdict in match.public if not isinstance(verdict, Misplay)]
