"""What an observer may know of cards."""

from collections.abc import Collection
from enum import Enum

import msgspec


class Knowing(Enum):
    """What an observer may know of a card where it lies, or once they lay it."""

    SEES = "sees"
    """Which card it is; they may look at it where it lies."""
    HEARS = "hears"
    """Which card it is, told by ear when they lay it; but nobody looks at it where it lies, not even they."""
    NOTHING = "nothing"
    """Not even which card it is."""


class KnownCards(msgspec.Struct, frozen=True):
    """What an observer may know of cards, by their ids, where that is not what is so of any card: whoever plays sees
    the cards that they hold or lay, and nobody else does.
    """

    sees: Collection[str] = ()
    """They may look at these where they lie."""
    hears: Collection[str] = ()
    """As `Knowing.HEARS`."""
    nothing: Collection[str] = ()
    """As `Knowing.NOTHING`."""

    def of(self, card: str) -> Knowing:
        """Return what somebody who plays may know of a card."""
        if card in self.nothing:
            return Knowing.NOTHING
        return Knowing.HEARS if card in self.hears else Knowing.SEES
