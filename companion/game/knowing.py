"""What an observer may know of cards."""

from collections.abc import Collection
from enum import Enum

import msgspec


class Knowing(Enum):
    """What an observer may know of a card that lies somewhere, or that they lay."""

    SEES = "sees"
    """Its identity; they may look at it."""
    HEARS = "hears"
    """Its identity, told by ear when they lay it; nobody may look at it where it lies, not even they."""
    NOTHING = "nothing"
    """Not even its identity."""


class KnownCards(msgspec.Struct, frozen=True):
    """Exceptions, by card id, from what an observer may know of any card: players see the cards that they hold or lay,
    and nobody else does.
    """

    sees: Collection[str] = ()
    """As `Knowing.SEES`."""
    hears: Collection[str] = ()
    """As `Knowing.HEARS`."""
    nothing: Collection[str] = ()
    """As `Knowing.NOTHING`."""

    def of(self, card: str) -> Knowing:
        """Return what a player may know of a card."""
        if card in self.nothing:
            return Knowing.NOTHING
        return Knowing.HEARS if card in self.hears else Knowing.SEES
