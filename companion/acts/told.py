"""References to entries of the public story in acts, by their content, so that people agree to what they were shown."""

import hashlib
import json
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from companion.game import Verdict
from companion.judge.match import Match


class EntryTold(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A reference to an entry of the public story: its index on the page, and its content."""

    entry: Annotated[int, msgspec.Meta(ge=0)]
    code: str | None = None
    """The verdict's code; None: not compared."""
    mark: str | None = None
    """Hash of its code and facts; None: not compared."""
    seq: int | None = None
    """The event behind it, set once people are asked, since entries before it may go meanwhile. None: found by its
    index."""


def mark(code: str, facts: Mapping[str, Any]) -> str:
    """Return a short hash of a verdict's code and facts."""
    return hashlib.sha256(json.dumps([code, facts], sort_keys=True).encode()).hexdigest()[:8]


def named(match: Match, entry: int) -> EntryTold:
    """Return a reference to an entry by which it is found even if its index has changed."""
    verdict = match.public[entry]
    return EntryTold(entry, verdict.code, mark(verdict.code, verdict.facts), verdict.seq)


def entry_of(match: Match, entry_told: EntryTold) -> int | None:
    """Return the current index of an entry; None if its content has changed, or it is gone."""
    if entry_told.seq is None:
        entry = entry_told.entry
        stands = entry < len(match.public) and _says(match.public[entry], entry_told)
        return entry if stands else None
    entries = (
        at for at, verdict in enumerate(match.public) if verdict.seq == entry_told.seq and _says(verdict, entry_told)
    )
    return next(entries, None)


def _says(verdict: Verdict, entry_told: EntryTold) -> bool:
    return entry_told.code in (None, verdict.code) and entry_told.mark in (None, mark(verdict.code, verdict.facts))
