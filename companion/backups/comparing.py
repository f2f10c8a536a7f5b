"""Compares a backup with the table, to show people what restoring it would change."""

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from msgspec import Struct

from companion.backups.restoring import unpacked
from companion.backups.writing import LOG, PHONES, TABLE, TAGS
from companion.config import Table, begun
from companion.settings import ConfigFault
from companion.storage.files import phones_of
from companion.storage.integrity import fault_in
from companion.storage.log import Log
from companion.storage.opening import LogFault


class Difference(Struct, frozen=True):
    """How a backup and the table differ."""

    made: str
    """When the backup was made: wall-clock time, ISO 8601."""
    matches: int
    """How many the backup has."""
    unreadable: int
    """How many of these can't be read."""
    gone: int
    """Matches of the table that the backup lacks, or has only in part."""
    back: int
    """Matches of the backup that the table lacks, or has only in part."""
    settings: bool
    """Whether the settings differ."""
    port: int | None
    """The page's port in the backup's settings; None if it is the same."""
    stickers: bool
    """Whether the stickers differ."""
    phones: bool
    """Whether the rights of phones, the seats' codes, names or looks differ."""


def compare(settings: Path, table: Table, backup: Path) -> Difference:
    """Compare a backup with the table as it is. Raises `WrongInput` for one that can't be used, and `NotNow`."""
    with unpacked(settings, backup) as unpacked_backup:
        log = unpacked_backup.folder / LOG
        in_backup = _matches(log)
        at_table = _matches(table.log)
        port = _port(unpacked_backup.folder / TABLE)
        return Difference(
            made=unpacked_backup.made,
            matches=len(in_backup),
            unreadable=_unreadable(log),
            gone=_lacking(at_table, in_backup),
            back=_lacking(in_backup, at_table),
            settings=_differs(unpacked_backup.folder / TABLE, settings),
            port=None if port == table.page.port else port,
            stickers=table.tags is not None and _differs(unpacked_backup.folder / TAGS, table.tags),
            phones=_differs(unpacked_backup.folder / PHONES, phones_of(table.log)),
        )


def _matches(log: Path) -> Mapping[tuple[int, str], int]:
    """Return the number of events of each match that counts for somebody, by its number and noted time."""
    if not log.exists():
        return {}
    with closing(Log(log, writes=False)) as opened:
        return {(entry.id, entry.noted): entry.events for entry in opened.matches() if not entry.demo}


def _unreadable(log: Path) -> int:
    if not log.exists():
        return 0
    with closing(Log(log, writes=False)) as opened:
        return sum(fault_in(opened, match) is not None for match in opened.traces())


def _lacking(matches: Mapping[tuple[int, str], int], elsewhere: Mapping[tuple[int, str], int]) -> int:
    return sum(events > elsewhere.get(match, 0) for match, events in matches.items())


def _differs(packed: Path, present: Path) -> bool:
    """Whether a file differs from the table's; False if the backup lacks it, since the table's then stays."""
    return packed.exists() and not (present.exists() and packed.read_bytes() == present.read_bytes())


def _port(settings: Path) -> int:
    try:
        return begun(settings).page.port
    except (ConfigFault, LogFault):
        return 0
