"""Files of a table that can't be used, and the remedies, as values that terminal and pages both show."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct


class AilmentCode(StrEnum):
    """What is wrong; its sentence on the pages is `ails-CODE`."""

    SETTINGS_WRONG = "settings-wrong"
    SETTINGS_LOST = "settings-lost"
    """Empty or gone, though they had contents before."""
    SETTINGS_CUT = "settings-cut"
    """Their end is missing."""
    STICKERS_WRONG = "stickers-wrong"
    STICKERS_LOST = "stickers-lost"
    """The file of tags is empty or gone, though it had contents before."""
    STICKERS_FEWER = "stickers-fewer"
    """Cards have lost their stickers in the file, though nobody removed them at the table."""
    PHONES_DAMAGED = "phones-damaged"
    LOG_LOST = "log-lost"
    """Empty or gone, though it had contents before."""
    LOG_DAMAGED = "log-damaged"
    LOG_NEWER = "log-newer"
    LOG_STRANGE = "log-strange"
    """Not a log, or another program's database."""
    LOG_CLOSED = "log-closed"
    """This user may not read or write it."""
    LOG_HELD = "log-held"
    """Another program holds it."""
    LOG_MOVED = "log-moved"
    """It was moved or deleted while the table used it."""
    HANDS_LOST = "hands-lost"
    """The file of the simulated world: the hands of the match in play are unknown."""
    DISK_FULL = "disk-full"
    DISK_FAILS = "disk-fails"
    MATCHES_LOST = "matches-lost"
    """Some matches can't be read; all others can."""
    PORT_TAKEN = "port-taken"
    """Another program has the page's port: it has the next free one."""
    OTHER = "other"


class Remedy(StrEnum):
    """What can be done about an ailment. Nothing is ever deleted: a file that is in the way is moved aside."""

    LAST_COPY = "last-copy"
    """Restore the copy beside the file."""
    ANEW = "anew"
    """Go on without the file; of a log, with all matches that can be read."""
    AS_IT_IS = "as-it-is"
    """Go on with a file that lacks something, because that is intended."""


class Ailment(Struct, frozen=True):
    """Something that can't be used."""

    code: AilmentCode
    says: str
    """What, where and why, in the terminal's words."""
    facts: Mapping[str, Any] = {}
    """The facts of its sentence on the pages."""
    remedies: tuple[Remedy, ...] = ()
