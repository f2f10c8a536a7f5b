"""What the judge of ¡Go! remembers, and the options of a table. Sets of cards are numbers: see `cards.py`."""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Literal

import msgspec

from companion.games.go.best_division import Division

ROW_WITHOUT_PLAYERS = 5
"""The row has five cards, and one more for each player."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The booklet's options, and how much of the play the table follows."""

    tracking: Literal["calls", "turns"] = "calls"
    caller_series: Literal["caller", "auto"] = "caller"
    target: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 4
    """Points that end the match."""


class Phase(Enum):
    """What the table is doing."""

    PLAYING = "playing"
    """Cards are dealt, taken and thrown away, until somebody calls."""
    CALLED = "called"
    """Hands are read, the caller says which series."""
    OVER = "over"


class TakenFrom(Enum):
    """Where a player takes a card."""

    PILE = "pile"
    DISCARD = "discard"
    ROW = "row"


class Turn(msgspec.Struct, frozen=True):
    """The turns of a round, where the table follows them."""

    active: int
    """The seat whose turn it is."""
    took: TakenFrom | None = None
    """What was taken; None: the active player has yet to take."""
    card: str | None = None
    """The card taken; None: unknown."""
    must_call: bool = False
    """Whether it was the last card of the pile."""
    ready: int | None = None
    """Who threw a card away and may call, until the next player takes."""
    row: str | None = None
    """The open row card; None: not seen yet."""
    row_taken: int = 0
    discards: tuple[str, ...] = ()
    """The discard pile as far as it was seen, its top last."""
    discarded: int = 0
    """The same cards as a set."""
    held: Mapping[int, int] = {}
    """Seat → the cards it is known to hold. What came from the pile is sealed."""
    shown: int = 0
    """Those of them that everybody saw taken."""


class Doubled(msgspec.Struct, frozen=True):
    """A card that was read in a hand after it had been read in another one, or while it lay open elsewhere. Sealed."""

    card: str
    seat: int
    other: int | None
    """Whose hand had it first; None: it lies open."""
    seq: int


class Call(msgspec.Struct, frozen=True):
    """A call, and what was read of the hands since."""

    caller: int
    rests: tuple[int, ...]
    """The events it rests on: the call, the row card, the series."""
    row: str | None
    """The open row card; None: not told yet."""
    hands: Mapping[int, int]
    """Seat → the cards read. Sealed."""
    turn: Turn | None = None
    """How the turns stood, where the table follows them."""
    reading: int | None = None
    """Whose cards the shared reader reads."""
    at_centre: int = 0
    """The cards that the shared reader has read."""
    series: int | Literal["best"] | None = None
    """What the caller has chosen; "best": the judge's proposal, whatever the hand turns out to be; None: not yet."""
    division: Division | None = None
    """How that series divides the caller's hand; None while it is not told, or while the hand is a card short."""
    doubled: tuple[Doubled, ...] = ()
    """The cards that lie in two places, until that is open."""
    spare: Mapping[int, int] = {}
    """Seat → the cards read of its hand beyond twelve, while one of these lies elsewhere too. Sealed."""
    told: int = 0
    """The cards of which everybody was told that they had been read in two places."""


class Scored(msgspec.Struct, frozen=True):
    """A round that was scored, or was perfect: then nobody else's hand was looked at."""

    caller: int
    row: str
    divisions: Mapping[int, Division]
    points: Mapping[int, int]
    perfect: bool = False


class Void(msgspec.Struct, frozen=True):
    """A round that counts for nothing."""

    taker: int | None
    """Who took the last row card; None: the host called the round void."""


class State(msgspec.Struct, frozen=True):
    """A match of ¡Go!. Mappings are never changed, only replaced."""

    seats: tuple[int, ...]
    options: Options
    first: int
    """The first player of this round."""
    phase: Phase = Phase.PLAYING
    stretch: int = 0
    """Counts the calls and the rounds that have begun."""
    turn: Turn | None = None
    """None: the table does not follow turns, or somebody has called."""
    call: Call | None = None
    last: tuple[str, str] | None = None
    """Place and card of the tap that ended the round before, while nothing has happened since."""
    points: Mapping[int, int] = {}
    winners: tuple[int, ...] = ()
    history: tuple[Scored | Void, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.phase is Phase.OVER

    @property
    def row_size(self) -> int:
        """How many cards the row begins with; it is never refilled."""
        return ROW_WITHOUT_PLAYERS + len(self.seats)
