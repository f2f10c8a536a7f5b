"""What the judge remembers of Lone High, and what a table may choose."""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated

import msgspec


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How it is played."""

    tricks: Annotated[int, msgspec.Meta(ge=1, le=8)] = 5
    """After how many the match is over."""


class Phase(Enum):
    """What the table is doing."""

    LAY = "lay"
    FLIP = "flip"
    """All have laid: somebody presses, and the cards are turned up."""
    OVER = "over"


class State(msgspec.Struct, frozen=True):
    """A match."""

    seats: tuple[int, ...]
    options: Options
    phase: Phase
    points: Mapping[int, int]
    trick: int = 1
    laid: Mapping[int, str] = {}
    """By seat, the card that lies face down: sealed until it is turned up."""
    open: tuple[tuple[int, str], ...] = ()
    """The seats and cards of the latest trick."""
    taker: int | None = None
    """Who took it; None: nobody."""
    used: tuple[str, ...] = ()
    """Every card that was turned up."""

    @property
    def over(self) -> bool:
        return self.phase is Phase.OVER

    @property
    def missing(self) -> tuple[int, ...]:
        """Who has not laid a card, in the order of the seats: never in that of laying."""
        return tuple(seat for seat in self.seats if seat not in self.laid)
