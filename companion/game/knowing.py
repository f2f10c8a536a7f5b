"""What a player may know of a card."""

from enum import Enum


class Knowing(Enum):
    """What a player may know of a card that lies somewhere."""

    SEES = "sees"
    """Which card it is; they may look at it where it lies."""
    HEARS = "hears"
    """Which card it is, told by ear when they lay it; but nobody looks at it where it lies, not even they."""
    NOTHING = "nothing"
    """Not even which card it is."""
