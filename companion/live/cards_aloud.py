"""Seats that hear their cards: what is laid on such a seat's reader is told to its own phone alone, and is no lay.

That a seat listens everybody sees. What it heard no record keeps and a restart forgets, and another seat's sealed act
changes nothing in it.
"""

import msgspec

from companion.devices import sensing
from companion.events import UNKNOWN
from companion.judge.match import Match

MOST = 12
"""Cards that are told to a phone that may have missed the last ones: a hand in all."""


class HeardCards(msgspec.Struct, frozen=True):
    """What a seat has heard since it began to listen."""

    number: int = 0
    """How many cards that were; a card laid twice is heard twice."""
    cards: tuple[str, ...] = ()
    """The latest of them, oldest first; "" where even its player may not look at the card."""


class Hearing:
    """Which seats hear their cards. Use it from one thread at a time."""

    def __init__(self, clock: sensing.Clock) -> None:
        """Begin with seats that all play."""
        self._clock = clock
        self.heard: dict[int, HeardCards] = {}
        """By seat that listens."""
        self._spans: dict[int, tuple[float, float]] = {}

    def begin(self, seat: int) -> None:
        """Have this seat hear its cards from now on."""
        if seat not in self.heard:
            self.heard[seat] = HeardCards()
            self._spans[seat] = self._clock(), float("inf")

    def end(self, seat: int) -> None:
        """Take its cards for lays again."""
        if self.heard.pop(seat, None) is not None:
            self._spans[seat] = self._spans[seat][0], self._clock()

    def covers(self, seat: int | None, at: float) -> bool:
        """Whether this seat listened then: of a card laid before its last word its reader may tell afterwards."""
        begun, ended = self._spans.get(seat or 0, (0.0, 0.0))
        return begun <= at < ended

    def hear(self, match: Match, seat: int | None, card: str) -> None:
        """Tell a seat that listens which card it has laid."""
        if seat in self.heard:
            before = self.heard[seat]
            told = card if card == UNKNOWN or _may_look(match, seat, card) else ""
            self.heard[seat] = HeardCards(before.number + 1, (*before.cards, told)[-MOST:])


def may_hear(match: Match, seat: int, card: str) -> bool:
    """Return whether a seat's player may be told which card of the deck it has laid; by what that seat knows."""
    game, state = match.game, match.state
    return card in game.deck and match.tried("audible", lambda: game.audible(state, seat, card), otherwise=False)


def _may_look(match: Match, seat: int, card: str) -> bool:
    """Return whether its player may look at it as well, by what that seat knows: so a refusal tells them nothing."""
    game, state = match.game, match.state
    return may_hear(match, seat, card) and not match.tried(
        "face_down", lambda: game.face_down(state, card), otherwise=True
    )
