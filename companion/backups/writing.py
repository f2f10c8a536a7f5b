"""Writes backups: all that a table needs in one file, which are its log, tags, settings, rights of phones, measured
figures, simulated world, and its identity and credentials in its club.

The file is a zip with these under fixed names, and `manifest.json` with the version that wrote it and a checksum of
each. It can be made while people play, because SQLite copies the log as it stands at one moment.
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
"""Prefix of the temporary folders in which backups are packed."""
_LEFT_BEHIND_S = 3600.0
"""Seconds after which such a folder counts as left behind."""


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

    If `to` is a folder, the file is named by the time. An existing file is never overwritten. `advance` is called with
    the bytes packed after each piece; if it raises, nothing is left behind.
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
        # It is empty still: it only reserved the name.
        target.unlink(missing_ok=True)
        if isinstance(wrong, OSError):
            if isinstance(wrong, PermissionError) and wrong.filename:
                raise NotNow(f"can't back up {wrong.filename}: {wrong.strerror} for whoever keeps the table") from wrong
            raise NotNow(f"can't write {target}: {wrong.strerror}. Make room, or choose another place") from wrong
        raise
    return target


def _clear_leftovers(folder: Path) -> None:
    """Remove unfinished backups, which a stick keeps if it is pulled out too early."""
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
    """Check that tags and rights, which are packed unread, can be used, and all matches be read. Raises `NotNow`.

    `advance` is called after each match.
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
    """Return the size and SHA-256 of a file. Raises OSError."""
    with path.open("rb") as file:
        return PackedFile(path.stat().st_size, hashlib.file_digest(file, "sha256").hexdigest())


def files_of(table: Table) -> dict[str, Path]:
    """Return the table's files that a backup holds besides the settings, by their names in the backup."""
    log = table.log
    beside = {PHONES: phones_of(log), WORLD: world_of(log), CLUB: club_of(log), FIGURES: figures_of(log)}
    named = {TAGS: table.tags, LOG: log, **beside}
    credentials = {PASSWORD: table.club.password_file, CA: table.club.ca} if table.club else {}
    return {name: Path(file) for name, file in (named | credentials).items() if file}


def _parts(table: Table, settings: Path, folder: Path) -> dict[str, Path]:
    """Return the files to pack. The log is copied before the world is read: a start drops moves that the log lacks."""
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
    """Run the block with the rights of the table's keeper; yield a folder for copies in which the keeper may write."""
    home = settings.absolute().parent
    with as_owner_of(home) as lowered:
        if not lowered:
            yield beside
            return
        with tempfile.TemporaryDirectory(prefix=_PART, dir=home) as folder:
            yield Path(folder)


def _pack(file: IO[bytes], parts: dict[str, Path], made_at: datetime, advance: Advance) -> None:
    """Pack the files piece by piece: a log of many years does not fit into the memory of a small Pi.

    They are added by `open`, which stores no time: zip can't store one before 1980, which an unset clock may show.
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
