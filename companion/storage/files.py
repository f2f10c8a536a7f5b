"""Files that outlast a power cut: after one, each is the old one or the new one, whole. And which files are a log's."""

import glob
import os
from contextlib import suppress
from pathlib import Path


def write(part: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a new file beside the one it shall take the place of; on return it is on disk. Raises OSError."""
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def swap(part: Path, path: Path) -> None:
    """Put what was written in the place of the old file, for good. Raises OSError."""
    part.replace(path)
    sync(path.parent)


def sync(path: Path) -> None:
    """See to it that what is in a file, or the names in a folder, are on disk. Raises OSError."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def give_to_the_folders_owner(path: Path) -> None:
    """Hand over a file that root has just made; for anybody else, or on a disk without owners, nothing is to be done.

    Raises OSError where it is not there.
    """
    if os.geteuid() == 0:
        folder = path.parent.stat()
        with suppress(PermissionError):
            os.chown(path, folder.st_uid, folder.st_gid, follow_symlinks=False)


def wal_of(log: Path) -> Path:
    """Return the write-ahead log that SQLite keeps beside a log."""
    return log.with_name(f"{log.name}-wal")


def phones_of(log: Path) -> Path:
    """Return the file of the phones, their rights and the seats' codes."""
    return log.with_name(f"{log.name}.phones")


def results_of(log: Path) -> Path:
    """Return the file in which the results of old matches are remembered."""
    return log.with_name(f"{log.name}.results")


def faults_of(log: Path) -> Path:
    """Return the file of what games' code raised since the table was started."""
    return log.with_name(f"{log.name}.faults")


def all_of(log: Path) -> set[Path]:
    """Return a log and all that is kept beside it under its name."""
    return {log, *log.parent.glob(f"{glob.escape(log.name)}*")}
