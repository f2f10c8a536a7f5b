"""What the judge of Kartel remembers, and the options of a table."""

from collections.abc import Mapping
from enum import Enum
from typing import Literal

import msgspec

from companion.games.kartel.cards import TOKENS, TOKENS_WITHOUT_MONEY

NAMED = 6
"""Tokens not yet in the ring, up to this number, are named one by one, and wanted where they lie."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The booklet's rules, its variant, and what this table wants checked."""

    money: bool = True
    """False: the variant for young players, without the money tokens."""
    free_gang: Literal["minus", "zero"] = "minus"
    """How gangsters of a free boss count: the booklet says minus, some tables play zero."""
    ring: bool = False
    """Whether the ring is read before the match and the die told, so that every move can be checked."""


class Phase(Enum):
    """What the table is doing."""

    RING = "ring"
    """The ring is read, token by token."""
    PLAY = "play"
    OVER = "over"


class Departure(msgspec.Struct, frozen=True):
    """How a token left the ring: in which turn, and who won it, or jailed the boss."""

    turn: int
    """From 1."""
    seat: int
    roll: int | None
    """None where the table does not check moves."""


class State(msgspec.Struct, frozen=True):
    """A match of Kartel. Mappings are never changed, only replaced."""

    seats: tuple[int, ...]
    options: Options
    phase: Phase
    points: Mapping[int, int]
    """By seat, as if the match ended now."""
    roll: int | None = None
    """The die of the current turn."""
    circle: tuple[str, ...] = ()
    """The tokens in the order in which they were read, clockwise from where the commissioner began; () where the table
    does not read the ring. One that is won keeps its place."""
    moves: Mapping[str, Departure] = {}
    """Every token that left the ring, bosses too, in the order of the turns."""
    jailed: tuple[str, ...] = ()
    """The gangs whose boss is in prison, in that order."""
    latest: str | None = None
    """The token last read into the ring, or last taken out of it: read again, it is the same act."""

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.phase is Phase.OVER

    @property
    def active(self) -> int:
        """Whose turn it is; one token is one turn."""
        return self.seats[len(self.moves) % len(self.seats)]

    @property
    def tokens(self) -> tuple[str, ...]:
        """Every token this table plays with."""
        return TOKENS if self.options.money else TOKENS_WITHOUT_MONEY

    @property
    def gap(self) -> int:
        """The gap where the commissioner stands, left by the last token won: after this many tokens of the circle."""
        return self.circle.index(self.latest) + 1 if self.latest and self.moves and self.circle else 0

    @property
    def ring(self) -> tuple[str, ...]:
        """The tokens left, clockwise from the commissioner: those passed over come last, on the next lap."""
        at = self.gap
        return tuple(token for token in self.circle[at:] + self.circle[:at] if token not in self.moves)

    @property
    def unread(self) -> tuple[str, ...]:
        """The tokens that are still to be read into the ring."""
        circle = frozenset(self.circle)
        return tuple(token for token in self.tokens if token not in circle)

    @property
    def reach(self) -> tuple[str, ...]:
        """The tokens where the commissioner may stop, clockwise: gaps don't count, the ring closes up. () before the
        roll."""
        return self.ring[: self.roll] if self.roll else ()

    @property
    def offered(self) -> tuple[str, ...]:
        """The tokens that may be tapped now: still to be read, within reach, or simply left."""
        if self.phase is Phase.RING:
            return self.unread
        if self.phase is Phase.OVER:
            return ()
        return self.reach if self.options.ring else tuple(token for token in self.tokens if token not in self.moves)
