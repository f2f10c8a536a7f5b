"""Seats that hear their cards: a card on such a seat's reader is named to its own phone alone, and is not laid.

Everybody sees that a seat listens. No record keeps what it heard, a restart forgets it, and another seat's sealed act
does not affect it.
"""

import msgspec

from companion.devices import sensing
from companion.events import UNKNOWN
from companion.game import Knowing
from companion.judge.match import Match

MOST = 12
"""How many of the latest cards a phone gets, because it may have missed some: a whole hand."""


class HeardCards(msgspec.Struct, frozen=True):
    """What a seat has heard since it began to listen."""

    number: int = 0
    """How many cards it heard; one laid twice is heard twice."""
    cards: tuple[str, ...] = ()
    """The latest of them, oldest first; "" where even its player may not look at the card."""


class Hearing:
    """The seats that hear their cards. Use it from one thread at a time."""

    def __init__(self, clock: sensing.Clock) -> None:
        self._clock = clock
        self.heard: dict[int, HeardCards] = {}
        """By listening seat."""
        self._spans: dict[int, tuple[float, float]] = {}
        """By seat, when it last began and stopped listening; kept after that for readings that come late."""

    def begin(self, seat: int) -> None:
        """Let this seat hear its cards from now on."""
        if seat not in self.heard:
            self.heard[seat] = HeardCards()
            self._spans[seat] = self._clock(), float("inf")

    def end(self, seat: int) -> None:
        """Let its cards count as lays again."""
        if self.heard.pop(seat, None) is not None:
            self._spans[seat] = self._spans[seat][0], self._clock()

    def covers(self, seat: int | None, at: float) -> bool:
        """Whether this seat listened at that time: its reader may report a card after the seat has stopped."""
        begun, ended = self._spans.get(seat or 0, (0.0, 0.0))
        return begun <= at < ended

    def hear(self, match: Match, seat: int | None, card: str) -> None:
        """Tell a seat that listens which card it has laid."""
        if seat in self.heard:
            earlier = self.heard[seat]
            name = card if card == UNKNOWN or _may_look(match, seat, card) else ""
            self.heard[seat] = HeardCards(earlier.number + 1, (*earlier.cards, name)[-MOST:])


def may_hear(match: Match, seat: int, card: str) -> bool:
    """Return whether a seat's player may be told which card of the deck they laid, going by what that seat knows."""
    return _known(match, seat, card) is not Knowing.NOTHING


def _may_look(match: Match, seat: int, card: str) -> bool:
    """Return whether its player may look at it too, going by what that seat knows, so that a refusal tells them
    nothing."""
    return _known(match, seat, card) is Knowing.SEES


def _known(match: Match, seat: int, card: str) -> Knowing:
    game = match.game
    if card not in game.deck:
        return Knowing.NOTHING
    return match.tried("knows", lambda: game.knows(match.state, seat).of(card), otherwise=Knowing.NOTHING)
