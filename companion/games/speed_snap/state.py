"""What the judge remembers, and what a table may choose. Both are frozen: each step makes a new value."""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated

import msgspec

from companion.game.head_starts import HeadStarts
from companion.game.playing_cards import DECK
from companion.game.press_race import Shout, first_together
from companion.game.turn_order import next_seat


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long a match is, and how its races are judged."""

    deals: Annotated[int, msgspec.Meta(ge=1, le=5)] = 2
    """How often the whole deck is shared out and turned."""
    tie_window: Annotated[float, msgspec.Meta(ge=0, lt=60)] = 0.0005
    """Seconds; presses this close to the earliest are a dead heat: the pile stays."""
    head_starts: HeadStarts = {}
    """Whose presses are judged as if they had come so many seconds earlier."""


class Phase(Enum):
    """What the table is doing."""

    DEAL = "deal"
    """The deck is shared out; no card is turned yet."""
    TURN = "turn"
    LAST = "last"
    """Every card of the deal is turned; the last two may still be snapped."""
    OVER = "over"


class State(msgspec.Struct, frozen=True):
    """A match."""

    seats: tuple[int, ...]
    options: Options
    points: Mapping[int, int]
    """Cards taken, less one for each press for nothing."""
    head_starts: Mapping[int, int] = {}
    """Seat → microseconds."""
    phase: Phase = Phase.DEAL
    deal: int = 1
    turned: tuple[str, ...] = ()
    """Every card of this deal so far."""
    pile: tuple[str, ...] = ()
    """Those that nobody had taken when the last one was turned, the top last."""
    shouts: tuple[Shout, ...] = ()
    """Sorted: the earliest press of each seat for the two on top; while they are not alike, each press that may be for
    the next card, or has been paid for after the last one."""
    last_at: int = 0
    """When the last card was read, in microseconds on the table's clock."""
    snaps: tuple[tuple[int, int], ...] = ()
    """Each pile taken before the last card was turned: by whom, and how many cards."""

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.phase is Phase.OVER

    @property
    def active(self) -> int | None:
        """The seat that turns the next card, or None; each deal is begun by the next one."""
        if self.phase in (Phase.LAST, Phase.OVER):
            return None
        return next_seat(self.seats, self.seats[0], self.deal - 1 + len(self.turned))

    @property
    def is_alike(self) -> bool:
        """Whether the two on top have the same rank."""
        ranks = [DECK[card].value for card in self.pile[-2:]]
        return len(ranks) == 2 and ranks[0] == ranks[1]

    @property
    def window(self) -> int:
        """Microseconds within which nobody was first."""
        return round(self.options.tie_window * 1_000_000)

    @property
    def contenders(self) -> tuple[int, ...]:
        """Who pressed first for the two on top: one seat, or all of a dead heat."""
        return first_together(self.shouts, self.window) if self.is_alike else ()

    @property
    def taker(self) -> int | None:
        """The seat that takes the pile; None: nobody has pressed for it, or it was a dead heat."""
        return self.contenders[0] if len(self.contenders) == 1 else None

    @property
    def all_snaps(self) -> tuple[tuple[int, int], ...]:
        """As `snaps`, with the pile that is taken now."""
        return self.snaps if self.taker is None else (*self.snaps, (self.taker, len(self.pile)))
