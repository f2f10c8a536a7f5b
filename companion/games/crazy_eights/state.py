"""What the judge remembers, and what a table may choose. Both are frozen: each step makes a new value."""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Literal

import msgspec

from companion.game.playing_cards import DECK
from companion.game.turn_order import next_seat


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The defaults are the usual ones."""

    limit: Annotated[int, msgspec.Meta(ge=20, le=500)] = 100
    """The match is over after the round in which somebody has so many points."""
    dealt: Annotated[int, msgspec.Meta(ge=5, le=8)] = 5
    """How many cards everybody is dealt."""
    drawing: Literal["one", "until"] = "one"
    """Whoever can't lay a card draws one, or until one fits."""
    four_colours: bool = False
    """Whether pages draw each suit in a colour of its own."""


class Phase(Enum):
    """What the table is doing."""

    DEAL = "deal"
    """The dealer deals, and turns up the first card."""
    PLAY = "play"
    COUNT = "count"
    """One after the other taps what is left in their hand."""
    OVER = "over"


class State(msgspec.Struct, frozen=True):
    """A match."""

    seats: tuple[int, ...]
    options: Options
    phase: Phase
    points: Mapping[int, int]
    round: int = 1
    active: int = 0
    """The seat that is waited for."""
    stack: tuple[str, ...] = ()
    """The cards on the stack in the middle, the top one last."""
    suit: str = ""
    """The suit that is asked for; "": no card lies there yet."""
    namer: int | None = None
    """The seat that laid the eight on top, and may name its suit until the next act; None: no eight was laid."""
    has_named: bool = False
    """Whether that seat has named a suit: a press names the one after it, but pages offer it no more."""
    held: Mapping[int, int] = {}
    """By seat, how many cards are in its hand."""
    has_drawn: bool = False
    """Whether the active player has drawn a card in this turn."""
    passed: int = 0
    """How many players in a row had nothing to lay, and nothing to draw."""
    turn: int = 1
    """Counts the turns of a round."""
    shown: Mapping[int, tuple[str, ...]] = {}
    """By seat, the cards that were left in its hand, as far as they were tapped."""
    last_shown: str = ""
    """The card that was tapped last when hands were counted."""
    shown_until: int = 0
    """Until then, in microseconds on the table's clock, a reading of that card is the same act."""
    presser: int | None = None
    """The seat that has pressed last."""
    press_until: int = 0
    """Until then, in microseconds on the table's clock, a press of that seat is the same one."""
    wins: tuple[int, ...] = ()
    """The seats that have emptied their hand, once for each round."""
    history: tuple[Mapping[int, int], ...] = ()
    """The points after each round."""

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.phase is Phase.OVER

    @property
    def naming(self) -> int | None:
        """The seat that is still to name its eight's suit, which a card laid by the next settles; None: no seat is."""
        return None if self.has_named or self.phase is not Phase.PLAY else self.namer

    @property
    def dealer(self) -> int:
        """The seat that deals this round."""
        return next_seat(self.seats, self.seats[0], self.round - 1)

    @property
    def pile(self) -> int:
        """How many cards can still be drawn."""
        return len(DECK) - len(self.stack) - sum(self.held.values())

    @property
    def cards_shown(self) -> frozenset[str]:
        """All cards that were left in hands, as far as they were tapped."""
        return frozenset(card for cards in self.shown.values() for card in cards)

    @property
    def still_to_show(self) -> int:
        """How many cards the active player still has to tap."""
        return self.held[self.active] - len(self.shown.get(self.active, ()))
