"""What the judge remembers, and what a table may choose. Both are frozen: each step makes a new value."""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated

import msgspec

from companion.games.speed_duel.cards import EACH, side


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long a match is."""

    cards: Annotated[int, msgspec.Meta(ge=5, le=EACH)] = EACH
    """How many cards each player has; who has laid so many first wins."""


class Phase(Enum):
    """What the table is doing."""

    TURN = "turn"
    """Each player turns up a card: at the beginning, and whenever both are stuck."""
    RACE = "race"
    OVER = "over"


class State(msgspec.Struct, frozen=True):
    """A match."""

    seats: tuple[int, ...]
    """The first plays red, the second black."""
    options: Options
    phase: Phase = Phase.TURN
    tops: tuple[str, str] = ("", "")
    """The top card of each pile, that of the first seat first; "" where none lies yet."""
    laid: tuple[str, ...] = ()
    """Every card that lies in the middle, in the order in which they came."""
    turned: tuple[int, ...] = ()
    """Who has turned up a card, while the other still has to."""
    stuck: tuple[int, ...] = ()
    """Who has said that none of their cards fits the tops as they are."""
    stuck_times: int = 0
    """How often somebody has said that they are stuck."""
    pressed_at: Mapping[int, int] = {}
    """By seat, when its last press counted, in microseconds on the table's clock."""
    last_at: int = 0
    """When the last card was read, likewise."""

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.phase is Phase.OVER

    @property
    def points(self) -> Mapping[int, int]:
        """By seat, how many cards it has laid."""
        sides = [side(card) for card in self.laid]
        return {seat: sides.count(at) for at, seat in enumerate(self.seats)}

    def seat_of(self, card: str) -> int:
        """Return whose card this is."""
        return self.seats[side(card)]

    def other(self, seat: int) -> int:
        """Return the opponent."""
        return next(opponent for opponent in self.seats if opponent != seat)
