"""What the judge of stop it! remembers, and the options of a table."""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Literal

import msgspec

from companion.game.head_starts import HeadStarts
from companion.game.press_race import Shout, first_together
from companion.games.stop_it.cards import COLOURS, NEGATIVES, Colour


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The booklet's options, and where it is silent, the reading this table takes."""

    tie_window: Annotated[float, msgspec.Meta(ge=0, lt=60)] = 0.0005
    """Seconds; shouts this close to the earliest are a dead heat."""
    false_call: Literal["void", "penalty"] = "void"
    cumulative: bool = True
    """Whether a player with the fewest cards also pays for unsorted ones."""
    empty: Literal["last-calls", "end-now"] = "last-calls"
    colours: tuple[Colour, ...] = COLOURS
    negatives: Annotated[int, msgspec.Meta(ge=1, le=NEGATIVES)] = NEGATIVES
    """The match ends with this many negative points; fewer than the box holds make it short."""
    head_starts: HeadStarts = {}
    """Whose shouts are judged as if they had come so many seconds earlier."""

    def __post_init__(self) -> None:
        if not self.colours or len(set(self.colours)) < len(self.colours):
            raise ValueError("colours must be some of the box's, each once")


class Phase(Enum):
    """What the table is doing."""

    READY = "ready"
    """Nobody holds a card; a press starts."""
    COLLECTING = "collecting"
    SHOUTED = "shouted"
    """Somebody shouted; no stop card is shown yet."""
    COUNTING = "counting"
    SCORED = "scored"
    """The caller starts again."""
    OVER = "over"


class Lead(msgspec.Struct, frozen=True):
    """How far the next shout was from the caller's."""

    other: int
    """The seat of that shout."""
    margin: int
    """Microseconds; below zero if, in a dead heat, the other's came first."""
    dead_heat: bool


class Stop(msgspec.Struct, frozen=True):
    """One scored call."""

    caller: int
    card: str
    counts: Mapping[int, int]
    faults: frozenset[tuple[int, str]]
    points: Mapping[int, int]
    lead: Lead | None
    """None: nobody else shouted."""
    sure: int | None = None
    """As `State.sure` when it was called."""
    reactions: Mapping[int, int] = {}
    """Who shouted → how long after the start, in microseconds."""


class State(msgspec.Struct, frozen=True):
    """A match of stop it!. Mappings are never changed, only replaced."""

    seats: tuple[int, ...]
    options: Options
    phase: Phase = Phase.READY
    starts: int = 0
    """How often the table has begun to collect."""
    since: int = 0
    """Microseconds: when the table last began to collect."""
    head_starts: Mapping[int, int] = {}
    """Seat → microseconds."""
    deaf_until: int = 0
    """Microseconds; a press before it is an echo and means nothing."""
    last_calls_since: int | None = None
    """Set when the piles are empty: since when nobody has shouted."""
    shouts: tuple[Shout, ...] = ()
    """The earliest press of each seat since the start, sorted."""
    withdrawn: frozenset[int] = frozenset()
    """Those of a dead heat who had no stop card after all."""
    caller: int | None = None
    stop: str | None = None
    used: frozenset[str] = frozenset()
    """Stop cards set aside."""
    done: int | None = None
    """Whose press ended the last count: a second one within half a second is its echo, no restart."""
    counts: Mapping[int, int] = {}
    tapped: Mapping[str, int] = {}
    """Card → the seat that counted it by tapping, in this count."""
    faults: frozenset[tuple[int, str]] = frozenset()
    points: Mapping[int, int] = {}
    history: tuple[Stop, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.phase is Phase.OVER

    @property
    def window(self) -> int:
        """Microseconds within which nobody was first."""
        return round(self.options.tie_window * 1_000_000)

    @property
    def sure(self) -> int | None:
        """Microseconds by which a margin between shouts may be off; None if one of them was entered by hand."""
        return None if any(shout.by_hand for shout in self.shouts) else self.window

    @property
    def contenders(self) -> tuple[int, ...]:
        """The seats of which one is the caller: the first to shout, or all of a dead heat, in order of time."""
        first = first_together(self.shouts, self.window)
        return tuple(seat for seat in first if seat not in self.withdrawn)
