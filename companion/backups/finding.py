"""Finds backups: beside the table, copied from a stick when it was plugged in, or on a mounted one."""

import os
import re
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import IO

import msgspec
from msgspec import Struct

from companion.backups.restoring import peek
from companion.errors import CompanionError, NotNow, WrongInput
from companion.storage import files
from companion.versions.launcher import as_owner_of

FOLDER = "table-companion"
"""The folder that marks a disk as meant for the table, because a backup holds the seats' codes."""
TAKEN = "from-stick"
"""The folder beside a table's settings for backups copied from a stick, which is mounted only for that moment."""
TAKEN_AT_ONCE = 3
"""How many backups, the newest, are copied from a stick."""
MOST = 8
"""How many backups, the newest, are listed of each folder."""
LOOKED_AT = 200
"""How many files of a folder are opened, newest name first: another's folder may hold thousands."""
LARGEST = 200_000_000
"""Bytes that no backup and no update exceeds."""
MOUNTS = Path("/proc/self/mountinfo")


class Whereabouts(StrEnum):
    """Where a backup lies."""

    TABLE = "table"
    STICK = "stick"


class FoundBackup(Struct, frozen=True):
    """A backup at hand."""

    key: str
    """Identifies it in forms."""
    name: str
    """Its file name, as a page can show it."""
    made: str
    """Wall-clock time, ISO 8601."""
    place: Whereabouts
    path: Path


class StickFault(StrEnum):
    """Why no backup could be written onto a stick: the code of its sentence."""

    GONE = "stick-gone"
    LOCKED = "stick-locked"
    FULL = "stick-full"
    UNREADABLE = "stick-unreadable"
    """It has no file system that this machine knows, or a broken one."""
    TABLE_DAMAGED = "table-damaged"
    """The stick is not the reason: the table's own files can't be used."""


class StickNote(Struct, frozen=True):
    """The result of the backup to the stick that was plugged in last."""

    at: str
    """Wall-clock time, ISO 8601."""
    wrote: str = ""
    """The backup's name; "" if none could be written."""
    code: str = ""
    """Why none could be: a `StickFault`, perhaps of another version of this program; "" if one was written."""
    why: str = ""
    """The same in the terminal's words."""


def find_backups(settings: Path, mounts: Path = MOUNTS) -> list[FoundBackup]:
    """Return the backups that a table can reach, the newest first; unreadable ones are left out."""
    home = settings.absolute().parent
    at_hand = [*_in_folder(home, Whereabouts.TABLE), *_in_folder(home / TAKEN, Whereabouts.STICK)]
    for stick in find_sticks(settings, mounts):
        at_hand += _in_folder(stick, Whereabouts.STICK)
    newest = sorted(at_hand, key=lambda backup: backup.made, reverse=True)
    # The same backup may be found on a stick and copied from it; only the first is kept.
    distinct = {(backup.name, backup.made, backup.place): backup for backup in reversed(newest)}
    return [*distinct.values()][::-1]


def find_sticks(settings: Path, mounts: Path = MOUNTS) -> list[Path]:
    """Return the table's folder on every mounted disk that has one and is not the disk on which the table lives."""
    home = settings.absolute().parent
    sticks = []
    for mounted in _mounted_disks(mounts):
        folder = mounted / FOLDER
        with suppress(OSError):
            if stat.S_ISDIR(folder.lstat().st_mode) and not home.is_relative_to(mounted):
                sticks.append(folder)
    return sticks


def open_plain(path: Path, largest: int = LARGEST) -> IO[bytes]:
    """Open a regular file of at most `largest` bytes. Raises `WrongInput` and OSError.

    A stick may hold anything: links, pipes, devices, files without end.
    """
    opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = os.fstat(opened)
        if not stat.S_ISREG(status.st_mode):
            raise WrongInput(f"{path.name} is no file, but a device, a pipe or a folder: it is left alone")
        if status.st_size > largest:
            raise WrongInput(f"{path.name} is larger than any of ours, {largest / 1e6:.0f} MB: it is left alone")
    except BaseException:
        os.close(opened)
        raise
    return open(opened, "rb")


def copy_plain(source: Path, to: Path) -> None:
    """Copy a regular file to one that only its owner may read. Raises `WrongInput` and OSError."""
    with open_plain(source) as file:
        save(file, to)


def save(backup: IO[bytes], to: Path) -> None:
    """Write an open backup to a file that only its owner may read. Raises OSError."""
    with files.private(to) as file:
        shutil.copyfileobj(backup, file)


def path_of(key: str, backups: Iterable[FoundBackup]) -> Path:
    """Return the path of the backup with this key. Raises `NotNow` if it is gone."""
    for backup in backups:
        if backup.key == key:
            return backup.path
    raise NotNow("that backup is not at hand any more: plug the stick in again")


def take_from_stick(folder: Path, settings: Path) -> list[str]:
    """Copy the newest backups from a stick's folder beside the table, replacing those of an earlier stick; return the
    names of those copied.

    The stick is read with the caller's rights, but files are written with those of the table's keeper. Raises OSError
    if nothing can be written there.
    """
    home = settings.absolute().parent
    folder_beside = home / TAKEN
    newest = [*_in_folder(folder, Whereabouts.STICK)][:TAKEN_AT_ONCE]
    with as_owner_of(home):
        with suppress(FileNotFoundError):
            shutil.rmtree(folder_beside)
        if newest:
            folder_beside.mkdir(mode=0o700)
    return [backup.name for backup in newest if _take(backup, folder_beside)]


def _take(backup: FoundBackup, to: Path) -> bool:
    """Copy a backup from a stick, if there is room for it and for restoring it; return whether it was copied."""
    try:
        with open_plain(backup.path) as file, as_owner_of(to.parent):
            if 3 * os.fstat(file.fileno()).st_size > shutil.disk_usage(to).free:
                return False
            save(file, to / backup.name)
    except (CompanionError, OSError):
        return False
    return True


def note_stick(settings: Path, note: StickNote) -> None:
    """Store the note on a stick, for the host's page. Raises OSError."""
    files.replace_private(_note_of(settings), msgspec.json.encode(note))


def last_stick(settings: Path) -> StickNote | None:
    """Return the note on the last stick; None if there is none, or it can't be read."""
    try:
        return msgspec.json.decode(_note_of(settings).read_bytes(), type=StickNote)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None


def _note_of(settings: Path) -> Path:
    return settings.with_name(f"{settings.name}.stick")


def _in_folder(folder: Path, place: Whereabouts) -> Iterator[FoundBackup]:
    """Yield the newest backups of a folder."""
    number = 0
    try:
        names = sorted((entry.name for entry in os.scandir(folder) if entry.name.endswith(".zip")), reverse=True)
    except OSError:
        return
    for name in names[:LOOKED_AT]:
        path = folder / name
        with suppress(CompanionError, OSError):
            if number < MOST and not name.startswith("."):
                key = sha256(os.fsencode(path)).hexdigest()[:16]
                yield FoundBackup(key, os.fsencode(name).decode(errors="replace"), _made(path), place, path)
                number += 1


def _made(path: Path) -> str:
    """Return when a backup was made. Raises `WrongInput` and OSError."""
    with open_plain(path) as file:
        return peek(path, file).made


def _mounted_disks(mounts: Path) -> Iterator[Path]:
    """Yield the mount points of disks (proc(5), mountinfo), without virtual file systems and `/` itself."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return
    for line in lines:
        mount, _, filesystem = line.partition(" - ")
        fields = mount.split(" ")
        source = filesystem.split(" ")[1:2]
        if len(fields) > 4 and source and source[0].startswith("/dev/") and fields[4] != "/":
            yield Path(re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), fields[4]))
