"""Files of a table that can't be used, and the cures: values that terminal and pages show alike."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct


class AilmentCode(StrEnum):
    """What is wrong; its sentence on the pages is `ails-CODE`."""

    SETTINGS_WRONG = "settings-wrong"
    SETTINGS_LOST = "settings-lost"
    """Empty or gone, and were not before."""
    SETTINGS_CUT = "settings-cut"
    """They lack the end of what they said."""
    STICKERS_WRONG = "stickers-wrong"
    STICKERS_LOST = "stickers-lost"
    """The same of the file of tags."""
    STICKERS_FEWER = "stickers-fewer"
    """Cards that had a sticker have none any more, and nobody took it off at the table."""
    PHONES_DAMAGED = "phones-damaged"
    LOG_LOST = "log-lost"
    """Empty or gone, and was not before."""
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
    """What a simulated table deals from: nobody knows the hands of the match in play."""
    DISK_FULL = "disk-full"
    DISK_FAILS = "disk-fails"
    MATCHES_LOST = "matches-lost"
    """Some matches can't be read; all others can."""
    PORT_TAKEN = "port-taken"
    """Another program has the page's port: it has the next free one."""
    OTHER = "other"


class Remedy(StrEnum):
    """A choice of what to do about it. Nothing is ever deleted: what stands in the way is moved aside."""

    LAST_COPY = "last-copy"
    """Bring back the copy that lies beside the file."""
    ANEW = "anew"
    """Go on without the file; of a log, with all of its matches that can be read."""
    AS_IT_IS = "as-it-is"
    """Go on with a file that lacks something: that is meant."""


class Ailment(Struct, frozen=True):
    """Something that can't be used."""

    code: AilmentCode
    says: str
    """What, where and why, in the terminal's words."""
    facts: Mapping[str, Any] = {}
    """What the sentence on the pages is about."""
    remedies: tuple[Remedy, ...] = ()
