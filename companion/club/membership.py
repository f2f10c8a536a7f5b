"""A table's standing with its club, as its keeper sees it."""

from enum import Enum

import msgspec


class Hindrance(Enum):
    """Why the club gets nothing, or not everything, from the table."""

    UNREACHABLE = "can't be reached"
    REFUSED = "does not let this table in"
    DENIED = "does not take what this table says"
    TAKEN_OVER = "another has come with this table's id: a copy of it? Restart the one that should stay"
    LEFT = "was left by this table, and is told nothing more"
    NOT_KEPT = "what was sent can't be kept"


class Membership(msgspec.Struct, frozen=True):
    """The present state of a table's connection to its club."""

    club: str
    broker: str
    table: str = ""
    """The table's id."""
    tried: bool = False
    """Whether any attempt to connect has had an outcome yet."""
    hindrance: Hindrance | None = None
    """None: the club gets everything."""
    why: str = ""
    """The broker's or the system's own message, in English, without credentials."""
    waiting: int = 0
    """Results that the broker has not acknowledged."""
    behind: bool = True
    """Whether any of the newest messages is unacknowledged."""
    ignored: int = 0
    """Messages to the table that could not be read."""
