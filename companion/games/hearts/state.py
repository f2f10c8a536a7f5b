"""What the judge remembers, and what a table may choose. Both are frozen: each step makes a new value."""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Literal

import msgspec

from companion.game.turn_order import next_seat
from companion.games.hearts.cards import cards_in_play, lowest_club, suit


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The defaults are the usual ones."""

    limit: Annotated[int, msgspec.Meta(ge=20, le=200)] = 100
    """The match is over after the round in which somebody has so many points."""
    passing: Literal["turns", "left", "none"] = "turns"
    """Where cards are passed: to each side in turns, always to the left, or nowhere."""
    moon: Literal["others", "own"] = "others"
    """Whoever takes all points has them added to all others, or taken from their own."""
    four_colours: bool = False
    """Whether pages draw each suit in a colour of its own."""


class Phase(Enum):
    """What the table is doing."""

    PASS = "pass"
    """Everybody passes three cards and presses."""
    PLAY = "play"
    OVER = "over"


class State(msgspec.Struct, frozen=True):
    """A match."""

    seats: tuple[int, ...]
    options: Options
    phase: Phase
    points: Mapping[int, int]
    round: int = 1
    passed: tuple[int, ...] = ()
    """The seats that have passed their cards."""
    trick: tuple[tuple[int, str], ...] = ()
    """The seats and cards of the trick that lies there."""
    last: tuple[tuple[int, str], ...] = ()
    """The same of the latest whole trick, until the next is led."""
    leader: int | None = None
    """The seat that leads the next trick or has led this one; None: whoever holds the lowest club."""
    taken: Mapping[int, int] = {}
    """Points that were taken in this round, by seat."""
    has_queen: int | None = None
    """The seat that took the queen of spades in this round; None: nobody has yet."""
    played: tuple[str, ...] = ()
    """Every card of this round."""
    hearts_broken: bool = False
    """Whether a heart was played in this round."""
    denied: Mapping[int, frozenset[str]] = {}
    """By seat, the cards that its player can't hold, or they would have had to play one."""
    revoked: int | None = None
    """The first seat that has played such a card in this round."""
    moons: tuple[int, ...] = ()
    """The seats that have shot the moon, once for each time."""
    history: tuple[Mapping[int, int], ...] = ()
    """The points after each round."""

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.phase is Phase.OVER

    @property
    def steps(self) -> int:
        """How many seats further round, clockwise, cards are passed; 0: none are."""
        return passing_steps(self.options, self.round, len(self.seats))

    @property
    def dealer(self) -> int:
        """The seat that deals this round."""
        return next_seat(self.seats, self.seats[0], self.round - 1)

    @property
    def active(self) -> int | None:
        """The seat whose turn it is; None: nobody's in particular."""
        if self.phase is not Phase.PLAY or self.leader is None:
            return None
        return next_seat(self.seats, self.leader, len(self.trick))

    @property
    def led(self) -> str | None:
        """The suit that people must follow; None: the next card leads."""
        return suit(self.trick[0][1]) if self.trick else None

    @property
    def first_card(self) -> str:
        """The card that leads the round."""
        return lowest_club(len(self.seats))

    @property
    def cards_left(self) -> int:
        """How many cards are still to be played in this round."""
        return len(cards_in_play(len(self.seats))) - len(self.played)


def passing_steps(options: Options, round_number: int, players: int) -> int:
    """Return how many seats further round cards are passed in this round; 0: none are."""
    if options.passing == "none":
        return 0
    if options.passing == "left":
        return 1
    directions = (1, -1, 2, 0) if players == 4 else (1, -1, 0)
    return directions[(round_number - 1) % len(directions)]
