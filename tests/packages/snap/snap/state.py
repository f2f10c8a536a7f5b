"""What the judge remembers of Snap."""

from collections.abc import Mapping
from enum import Enum

import msgspec

from companion.game.playing_cards import DECK


class Phase(Enum):
    """What the table is doing."""

    TURN = "turn"
    OVER = "over"


class Snap(msgspec.Struct, frozen=True):
    """Who took the pile with the card that lies on top."""

    seat: int
    at: int
    """Microseconds."""
    number: int
    """Cards, and so points."""


class State(msgspec.Struct, frozen=True):
    """A match."""

    seats: tuple[int, ...]
    points: Mapping[int, int]
    turned: tuple[str, ...] = ()
    """Every card so far."""
    pile: tuple[str, ...] = ()
    """Those that nobody has taken, the top last."""
    snap: Snap | None = None
    wrong: tuple[int, ...] = ()
    """Who pressed for nothing since the last card was turned."""

    @property
    def over(self) -> bool:
        """The whole deck was turned."""
        return len(self.turned) == len(DECK)

    @property
    def phase(self) -> Phase:
        return Phase.OVER if self.over else Phase.TURN

    @property
    def active(self) -> int:
        """Who turns the next card."""
        return self.seats[len(self.turned) % len(self.seats)]

    @property
    def alike(self) -> bool:
        """Whether the two on top have the same value."""
        values = [DECK[card].value for card in self.pile[-2:]]
        return len(values) == 2 and values[0] == values[1]
