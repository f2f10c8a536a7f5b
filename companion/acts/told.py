"""An entry of the public story as an act names it: people agree to exactly what they were told."""

import hashlib
import json
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from companion.game import Verdict
from companion.judge.match import Match


class EntryTold(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of the public story: where it stood on a page, and what it said."""

    entry: Annotated[int, msgspec.Meta(ge=0)]
    code: str | None = None
    """The verdict's code; None: the mark alone says what it said."""
    mark: str | None = None
    """What its facts are known by; None: its code alone says what it said."""
    seq: int | None = None
    """The event behind it, once people were asked: entries before it may go meanwhile. None: the entry is where it
    was."""


def mark(code: str, facts: Mapping[str, Any]) -> str:
    """Tell one verdict from another by what it says."""
    return hashlib.sha256(json.dumps([code, facts], sort_keys=True).encode()).hexdigest()[:8]


def named(match: Match, entry: int) -> EntryTold:
    """Name an entry so that it is found again wherever it stands by then."""
    verdict = match.public[entry]
    return EntryTold(entry, verdict.code, mark(verdict.code, verdict.facts), verdict.seq)


def entry_of(match: Match, told: EntryTold) -> int | None:
    """Return where an entry stands now; None if it says something else, or is gone."""
    if told.seq is None:
        return told.entry if told.entry < len(match.public) and _says(match.public[told.entry], told) else None
    entries = (at for at, verdict in enumerate(match.public) if verdict.seq == told.seq and _says(verdict, told))
    return next(entries, None)


def _says(verdict: Verdict, told: EntryTold) -> bool:
    return told.code in (None, verdict.code) and told.mark in (None, mark(verdict.code, verdict.facts))
