"""What the judge of STOP me GO remembers, and the options of a table."""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Literal

import msgspec

from companion.games.stop_me_go.cards import GANGSTERS, Colour

Seat = Literal["1", "2", "3", "4", "5", "6"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The booklet's options, and where it is silent, the reading this table takes."""

    reshuffle: Literal["lazy", "eager"] = "lazy"
    """When an empty pile is shuffled again: when a gangster is needed, or at once, without the one that flees next."""
    allow_change: bool = True
    """Whether a laid card may be replaced until everybody has laid."""
    colours: Mapping[Seat, Colour] = {}
    """Who plays which colour, told beforehand at a table with only a centre pad; otherwise a seat's first card says
    it."""
    target: Annotated[int, msgspec.Meta(ge=2, le=3)] = 3
    """Tokens that win at once: the booklet's three, or two for a short match."""

    def __post_init__(self) -> None:
        if len(set(self.colours.values())) < len(self.colours):
            raise ValueError("colours must be a different one for each seat")


class Phase(Enum):
    """What the table is doing, in the booklet's words where it has one."""

    READY = "ready"
    """A round begins with the next gangster."""
    MISDEED = "misdeed"
    """Somebody turns up the next gangster."""
    INTERVENTION = "intervention"
    """Everybody lays a card on the newest gangster."""
    ARREST = "arrest"
    """Somebody turns up the cards on the oldest gangster."""
    ROUND_END = "round-end"
    """One was captured: somebody turns up the cards on the others, one gangster after the other."""
    REWARD = "reward"
    """The round's winner takes a token."""
    VALUES = "values"
    """All tokens are won, and the host tells what those without tags are worth."""
    OVER = "over"


Laid = Mapping[int, str]
"""Seat → the card it laid, in the order of laying; to be told in the order of the seats."""


class Out(msgspec.Struct, frozen=True):
    """A gangster on the table, with the cards that lie face down on it."""

    gangster: str
    slot: int
    """0 to 3, clockwise around the pile."""
    laid: Laid = {}
    """Empty until everybody has laid."""


class Flip(msgspec.Struct, frozen=True):
    """A gangster whose cards were turned up."""

    gangster: str
    slot: int
    laid: Laid
    stops: tuple[int, ...]
    """The seats that laid STOP."""
    arrest: bool
    """Whether it was the oldest, in an arrest; otherwise it was at the round's end."""

    @property
    def captor(self) -> int | None:
        """The only seat that laid STOP; None: nobody did, or several did."""
        return self.stops[0] if len(self.stops) == 1 else None


class Won(msgspec.Struct, frozen=True):
    """Who won a round, and with which gangster."""

    seat: int
    gangster: str
    over: int | None
    """The seat whose 10 was beaten by this 1; None: the highest gangster won."""


class Round(msgspec.Struct, frozen=True):
    """A round: all ten gangsters are in the pile, on the table, discarded or captured."""

    pile: frozenset[str] = GANGSTERS
    discard: tuple[str, ...] = ()
    arrived: int = 0
    """Gangsters turned up so far."""
    out: tuple[Out, ...] = ()
    """The gangsters on the table, oldest first."""
    flips: tuple[Flip, ...] = ()
    fled: int = 0
    owned: Mapping[int, str] = {}
    """Seat → the gangster it captured."""
    won: Won | None = None


class State(msgspec.Struct, frozen=True):
    """A match of STOP me GO. Mappings are never changed, only replaced."""

    seats: tuple[int, ...]
    options: Options
    holders: Mapping[str, int] = {}
    """Colour → the seat that plays it."""
    shown: frozenset[str] = frozenset()
    """The cards that gave their seats a colour before there was a gangster to lay them on."""
    phase: Phase = Phase.READY
    lays: int = 0
    """Gangsters turned up so far in the match."""
    round: Round = Round()
    """The one that is going on, or the last one until the next begins."""
    laying: Laid = {}
    """The cards laid so far on the newest gangster, until everybody has."""
    presses: tuple[int, ...] = ()
    """When the last presses that turned something up came, in microseconds."""
    tokens: Mapping[int, tuple[str | None, ...]] = {}
    """Seat → its reward tokens; None is one without a tag. Sealed, but for how many."""
    values: Mapping[int, tuple[int, ...]] | None = None
    """Seat → what its tokens are worth, once the end revealed it."""
    history: tuple[Round, ...] = ()
    """The rounds whose token is taken."""

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.phase is Phase.OVER

    @property
    def tokens_left(self) -> int:
        """How many tokens can still be won: two more than agents are in play."""
        return len(self.seats) + 2 - sum(map(len, self.tokens.values()))

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that have not laid on the newest gangster."""
        return tuple(seat for seat in self.seats if seat not in self.laying)
