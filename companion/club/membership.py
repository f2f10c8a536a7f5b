"""How a table stands with its club, for whoever keeps it."""

from enum import Enum

import msgspec


class Hindrance(Enum):
    """Why the club hears nothing, or not everything, of the table."""

    UNREACHABLE = "can't be reached"
    REFUSED = "does not let this table in"
    DENIED = "does not take what this table says"
    TAKEN_OVER = "another has come with this table's id: a copy of it? Restart the one that should stay"
    LEFT = "was left by this table, and is told nothing more"
    NOT_KEPT = "what was sent can't be kept"


class Membership(msgspec.Struct, frozen=True):
    """How a table now stands with its club."""

    club: str
    broker: str
    table: str = ""
    """The table's id."""
    tried: bool = False
    """Whether any attempt has had an outcome yet."""
    hindrance: Hindrance | None = None
    why: str = ""
    """In the broker's or the system's words, English, without credentials."""
    waiting: int = 0
    """Results that the broker has not acknowledged."""
    behind: bool = True
    """Whether the broker has not acknowledged the newest of everything."""
    ignored: int = 0
    """Messages that could not be used."""
