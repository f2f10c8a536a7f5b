"""Files that survive a power cut, as the whole old file or the whole new one; and the names of a log's files."""

import errno
import fcntl
import glob
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from typing import IO

_ANEW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NONBLOCK | os.O_CLOEXEC
"""O_NONBLOCK: if the path is a pipe, opening it must not wait for a reader."""
PRIVATE = 0o600
"""The mode of files with codes or sealed cards: only their owner may read them."""


def write(part: Path, content: bytes) -> None:
    """Write a new file, to be swapped in later; on return it is on disk. Raises OSError."""
    with open(os.open(part, _ANEW | os.O_NOFOLLOW, 0o666), "wb") as file:
        _write(file, content)


def write_private(part: Path, content: bytes) -> None:
    """Do the same for a file that only its owner may read. Raises OSError."""
    with private(part) as file:
        _write(file, content)


def replace(path: Path, content: bytes, check: Callable[[Path], object] = lambda part: None) -> None:
    """Replace a whole file; its mode stays, and one that root makes belongs to the folder's owner.

    If `check` raises anything about the new file, the old one stays. Raises OSError.
    """
    part = path.with_name(f"{path.name}.new")
    try:
        part.unlink(missing_ok=True)
        write(part, content)
        with suppress(FileNotFoundError):
            part.chmod(stat.S_IMODE(path.stat().st_mode))
        give_to_the_folders_owner(part)
        check(part)
        swap(part, path)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def replace_private(path: Path, content: bytes) -> None:
    """Replace a whole file by one that only its owner may read. Raises OSError."""
    part = path.with_name(f"{path.name}.new")
    write_private(part, content)
    swap(part, path)


def append(path: Path, content: bytes) -> None:
    """Append to an existing file; on return it is on disk. Raises OSError."""
    with open(os.open(path, os.O_WRONLY | os.O_APPEND), "ab") as file:
        _write(file, content)


def private(path: Path) -> IO[bytes]:
    """Open a file to write it from scratch, so that only its owner may read it. Raises OSError.

    One that root makes belongs to the folder's owner.
    """
    close_to_others(path)
    try:
        descriptor = os.open(path, _ANEW | os.O_EXCL, PRIVATE)
    except FileExistsError:
        return open(os.open(path, _ANEW | os.O_NOFOLLOW, PRIVATE), "wb")
    give_to_the_folders_owner(path)
    return open(descriptor, "wb")


def unused(path: Path, suffix: str = "") -> Path:
    """Return a path that no file has yet: `path` and `suffix`, or with `-2`, `-3` and so on between the two.

    A name made of the time may be taken: two are wanted in one second, or the clock was set back.
    """
    numbers = chain([""], (f"-{number}" for number in count(2)))
    candidates = (path.with_name(f"{path.name}{number}{suffix}") for number in numbers)
    return next(candidate for candidate in candidates if not os.path.lexists(candidate))


def contents(path: Path, most: int = -1) -> bytes:
    """Return what a file holds, or its first `most` bytes.

    Raises OSError, also for what is no ordinary file: a pipe would keep its reader waiting for ever.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is no ordinary file", str(path))
    with open(descriptor, "rb") as file:
        return file.read(most)


def held(lock: Path) -> IO[bytes]:
    """Lock a file until it is closed; the kernel releases it when the process ends, however it ends.

    Raises BlockingIOError if another process holds it, and any other OSError if it can't be written.
    """
    file = private(lock)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise
    return file


def close_to_others(*paths: Path) -> None:
    """Let only their owners read these files, which an older version left open to all; skip those we may not change."""
    for path in paths:
        with suppress(OSError):
            if stat.S_ISREG(path.lstat().st_mode):  # a link may lead to something that is not ours
                path.chmod(PRIVATE)


def swap(part: Path, path: Path) -> None:
    """Put the new file in the place of the old one, for good. Raises OSError."""
    part.replace(path)
    sync(path.parent)


def sync(path: Path) -> None:
    """Make sure that the contents of a file, or the names in a folder, are on disk. Raises OSError."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def give_to_the_folders_owner(path: Path) -> None:
    """Give a file that root has just made to the folder's owner; do nothing for another user, or without owners.

    Raises OSError if it does not exist.
    """
    if os.geteuid() == 0:
        folder = path.parent.stat()
        with suppress(PermissionError):
            os.chown(path, folder.st_uid, folder.st_gid, follow_symlinks=False)


def closed(path: Path) -> str:
    """Return the message for a file that this user may not read, with what to do."""
    try:
        owner = path.owner()
    except (OSError, KeyError):
        owner = "NAME"
    return (
        f"can't read {path}: only the user who keeps the table may, because it holds codes or sealed cards. "
        f"Put sudo -u {owner} before the same command. "
        f"If this user should keep the table: sudo chown {os.geteuid()} {path}"
    )


def _write(file: IO[bytes], content: bytes) -> None:
    file.write(content)
    file.flush()
    os.fsync(file.fileno())


def wal_of(log: Path) -> Path:
    """Return the write-ahead log that SQLite keeps beside a log."""
    return log.with_name(f"{log.name}-wal")


def phones_of(log: Path) -> Path:
    """Return the file of the phones, their rights and the seats' codes."""
    return log.with_name(f"{log.name}.phones")


def questions_of(log: Path) -> Path:
    """Return the file of the open question, and how often each phone has asked in vain."""
    return log.with_name(f"{log.name}.questions")


def results_of(log: Path) -> Path:
    """Return the file in which the results of old matches are stored."""
    return log.with_name(f"{log.name}.results")


def faults_of(log: Path) -> Path:
    """Return the file of exceptions from games' code since the table was started."""
    return log.with_name(f"{log.name}.faults")


def world_of(log: Path) -> Path:
    """Return the file in which a simulated table keeps what lies where."""
    return log.with_name(f"{log.name}.world")


def club_of(log: Path) -> Path:
    """Return the file in which a table keeps its id in a club, and which results the broker has."""
    return log.with_name(f"{log.name}.club")


def old_layout_of(log: Path, layout: int) -> Path:
    """Return the file that keeps a log as it was before it was converted from that layout."""
    return log.with_name(f"{log.name}.layout-{layout}")


def files_of_log(log: Path) -> set[Path]:
    """Return a log and everything kept beside it under its name."""
    return {log, *log.parent.glob(f"{glob.escape(log.name)}*")}
