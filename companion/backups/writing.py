"""All that a table needs, in one file: its log, its tags, its settings, the codes of its seats,
what lies where in a simulated match, and its identity and credentials in its club.

The file is a zip with these under fixed names, and `manifest.json`, which says what wrote it and holds a checksum for
each. It can be made while people play: SQLite gives a copy of the log as it stands at one moment.
"""

import hashlib
import os
import shutil
import stat
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import IO

import msgspec

from companion.access import rights_file
from companion.access.rights_file import PhonesFault
from companion.club.outbox import copy_identity
from companion.config import Table
from companion.errors import NotNow
from companion.measuring.figures_file import figures_of
from companion.progress import Advance, say_nothing
from companion.storage.files import (
    PRIVATE,
    club_of,
    give_to_the_folders_owner,
    phones_of,
    private,
    swap,
    sync,
    unused,
    world_of,
)
from companion.storage.integrity import unread_in_words
from companion.storage.log import Log
from companion.tags.deck import TagsFault
from companion.tags.deck_file import Decks
from companion.versions.commit import full_version
from companion.versions.launcher import as_owner_of

VERSION = 1
MANIFEST = "manifest.json"
TABLE = "table.toml"
TAGS = "tags.toml"
LOG = "log.sqlite"
PHONES = "phones.json"
WORLD = "world.json"
FIGURES = "figures.json"
CLUB = "club.sqlite"
PASSWORD = "club-password"
CA = "club-ca.crt"
PIECE = 1_000_000
"""Bytes that are packed at once."""
_PART = ".backup-"
"""How the folders begin in which backups are packed."""
_LEFT_BEHIND_S = 3600.0
"""Seconds after which nobody is packing a backup any more."""


class PackedFile(msgspec.Struct, frozen=True):
    """A file in a backup."""

    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True):
    """A backup's manifest."""

    backup: int
    """The version of this layout."""
    companion: str
    made: str
    """Wall-clock time, ISO 8601, as the machine knew it."""
    files: dict[str, PackedFile]


def write_backup(table: Table, settings: Path, to: Path, advance: Advance = say_nothing) -> Path:
    """Write a backup of the table that the file `settings` describes; return its path.

    In a folder it is named by the time. An existing file is never overwritten. `advance` hears of each piece that is
    packed, in bytes; broken off, nothing is left of it.
    Raises `NotNow` and `LogFault`.
    """
    made_at = datetime.now().astimezone()
    _clear_leftovers(to)
    target = unused(to / f"table-{made_at:%Y-%m-%d-%H%M%S}", ".zip") if to.is_dir() else to
    try:
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))
    except FileExistsError:
        raise NotNow(f"{target} exists already: choose another name. Nothing is overwritten") from None
    except OSError as wrong:
        raise NotNow(f"can't write {target}: {wrong.strerror}. Choose another place") from wrong
    try:
        with tempfile.TemporaryDirectory(prefix=_PART, dir=target.parent) as folder:
            part = Path(folder) / "backup.zip"
            with private(part) as file, _copies(settings, Path(folder)) as copies:
                _pack(file, _parts(table, settings, copies), made_at, advance)
            sync(part)
            swap(part, target)
            give_to_the_folders_owner(target)
    except BaseException as wrong:
        # The empty file only reserved the name.
        target.unlink(missing_ok=True)
        if isinstance(wrong, OSError):
            if isinstance(wrong, PermissionError) and wrong.filename:
                raise NotNow(f"can't back up {wrong.filename}: {wrong.strerror} for whoever keeps the table") from wrong
            raise NotNow(f"can't write {target}: {wrong.strerror}. Make room, or choose another place") from wrong
        raise
    return target


def _clear_leftovers(folder: Path) -> None:
    """Remove what a stick kept of backups that were never finished, because it was pulled out."""
    newest_left_behind = time.time() - _LEFT_BEHIND_S
    with suppress(OSError):
        for leftover in [*folder.glob(f"{_PART}*/"), *folder.glob("table-????-??-??-??????*.zip")]:
            status = leftover.lstat()
            if status.st_mtime > newest_left_behind:
                continue
            if stat.S_ISDIR(status.st_mode):
                shutil.rmtree(leftover, ignore_errors=True)
            elif stat.S_ISREG(status.st_mode) and status.st_size == 0:
                leftover.unlink()


def see_that_it_can_be_restored(table: Table, advance: Advance = say_nothing) -> None:
    """Check that tags and codes, which are packed as they are, can be used, and all matches read. Raises `NotNow`.

    `advance` hears of each match that was read.
    """
    try:
        Decks(table.tags)
        if phones_of(table.log).exists():
            rights_file.load(phones_of(table.log))
        for lost in unread_in_words(table.log, advance) if table.log.exists() else ():
            raise NotNow(f"but `companion restore` would want `--anyway` for it: {lost}")
    except (TagsFault, PhonesFault) as wrong:
        raise NotNow(f"but `companion restore` would refuse it: {wrong}. Mend that, and back up again") from wrong


def digest(path: Path) -> PackedFile:
    """Measure a file. Raises OSError."""
    with path.open("rb") as file:
        return PackedFile(path.stat().st_size, hashlib.file_digest(file, "sha256").hexdigest())


def files_of(table: Table) -> dict[str, Path]:
    """Return where a table keeps what a backup holds of it besides its settings, by the names in the backup."""
    log = table.log
    beside = {PHONES: phones_of(log), WORLD: world_of(log), CLUB: club_of(log), FIGURES: figures_of(log)}
    named = {TAGS: table.tags, LOG: log, **beside}
    credentials = {PASSWORD: table.club.password_file, CA: table.club.ca} if table.club else {}
    return {name: Path(file) for name, file in (named | credentials).items() if file}


def _parts(table: Table, settings: Path, folder: Path) -> dict[str, Path]:
    """Return what is packed. The world comes after the log: moves that the log lacks are dropped on restoring."""
    parts = {TABLE: settings}
    for name, file in files_of(table).items():
        if file.exists():
            parts[name] = folder / name if name in (LOG, CLUB) else file
            if name == LOG:
                with closing(Log(file, writes=False)) as log:
                    log.copy(parts[LOG])
            if name == CLUB:
                copy_identity(file, parts[CLUB])
    return parts


@contextmanager
def _copies(settings: Path, beside: Path) -> Iterator[Path]:
    """Read as the table's keeper what follows; return a folder for copies, where root itself would have to write."""
    home = settings.absolute().parent
    with as_owner_of(home) as lowered:
        if not lowered:
            yield beside
            return
        with tempfile.TemporaryDirectory(prefix=_PART, dir=home) as folder:
            yield Path(folder)


def _pack(file: IO[bytes], parts: dict[str, Path], made_at: datetime, advance: Advance) -> None:
    """Pack them piece by piece: a log of many years is larger than the memory of a small Pi has room for.

    None gets a time, by `open`: zip knows none before 1980, which a clock that nobody has set may show.
    """
    all_bytes = sum(path.stat().st_size for path in parts.values())
    packed_bytes = 0
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        files = {}
        for name, path in parts.items():
            checksum = hashlib.sha256()
            size = 0
            with path.open("rb") as inside, packed.open(name, "w") as outside:
                while piece := inside.read(PIECE):
                    checksum.update(piece)
                    outside.write(piece)
                    size += len(piece)
                    advance(packed_bytes + size, all_bytes)
            packed_bytes += size
            files[name] = PackedFile(size, checksum.hexdigest())
        manifest = Manifest(VERSION, full_version(), made_at.isoformat(timespec="seconds"), files)
        with packed.open(MANIFEST, "w") as outside:
            outside.write(msgspec.json.format(msgspec.json.encode(manifest)))
