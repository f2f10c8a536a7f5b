"""What the judge remembers, and what a table may choose. Both are frozen: each step makes a new value."""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated

import msgspec


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The defaults are the booklet's."""

    rounds: Annotated[int, msgspec.Meta(ge=1, le=9)] = 5
    """The match is over after this many rounds."""


class Phase(Enum):
    """What the table is doing."""

    LAY = "lay"
    """Everybody lays a card, face down."""
    FLIP = "flip"
    """All have laid: somebody presses, and the cards are turned up."""
    OVER = "over"


class State(msgspec.Struct, frozen=True):
    """A match."""

    seats: tuple[int, ...]
    options: Options
    phase: Phase
    points: Mapping[int, int]
    round: int = 1
    laid: Mapping[int, str] = {}
    """By seat, the card that lies face down: sealed until it is turned up."""
    open: tuple[tuple[int, str], ...] = ()
    """The seats and cards of the latest flip."""
    used: tuple[str, ...] = ()
    """Every card that was turned up."""

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.phase is Phase.OVER

    @property
    def missing(self) -> tuple[int, ...]:
        """The seats that have not laid a card in this round."""
        return tuple(seat for seat in self.seats if seat not in self.laid)
