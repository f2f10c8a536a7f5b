"""Opens a log's file, locks it for one writer, copies it, and explains failures."""

import errno
import os
import shutil
import sqlite3
import stat
from contextlib import closing, suppress
from pathlib import Path
from typing import IO
from urllib.parse import quote

from companion.errors import NotNow
from companion.storage.ailments import Ailment, AilmentCode
from companion.storage.files import closed, held, private, wal_of

FAULTS = (sqlite3.Error, UnicodeDecodeError, MemoryError)
"""What SQLite may raise for a damaged file: its message may quote bytes that are not text, and a damaged length may
ask for more memory than there is."""


ROOM_BESIDE = 65_536
"""Bytes that SQLite may need for the index of a write-ahead log and its first page."""


class LogFault(NotNow):
    """The log can't be read or written: what, where, and what to do now."""

    def __init__(self, says: str, code: AilmentCode = AilmentCode.OTHER) -> None:
        """`code`: what is wrong with the log as a whole."""
        super().__init__(says)
        self.code = code

    @property
    def ailment(self) -> Ailment:
        """What is wrong, as a value that pages say in each language."""
        return Ailment(self.code, str(self))


class GameMissing(LogFault):
    """A match is of a game that is not installed here: it is kept, and can be read where the game is installed."""


class InUse(LogFault):
    """Another companion uses the log: the table is running."""


def see_that_it_may_be_read(path: Path) -> None:
    """Check that there is a log that this user may read. Raises `LogFault`.

    The file is not opened for that: POSIX drops all of a process's locks on a file when any descriptor of it is closed,
    so closing it would release SQLite's.
    """
    try:
        is_file = stat.S_ISREG(path.stat().st_mode)
    except PermissionError as wrong:
        raise LogFault(closed(path), AilmentCode.LOG_CLOSED) from wrong
    except (FileNotFoundError, NotADirectoryError):
        is_file = False
    except OSError as wrong:
        raise LogFault(f"can't read {path}: {wrong.strerror}", AilmentCode.DISK_FAILS) from wrong
    if not is_file:
        raise LogFault(f"no log at {path}: nothing has been played there yet")
    if not os.access(path, os.R_OK):
        raise LogFault(closed(path), AilmentCode.LOG_CLOSED)


def connected(path: Path, how: str = "rwc") -> sqlite3.Connection:
    """Connect to a log's file, as SQLite's `mode` says. Raises what SQLite raises."""
    uri = f"file:{quote(os.fsencode(path.absolute()))}?mode={how}"
    db = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    try:
        # 200 KiB; the default is 2 MB a connection, for a file that the system caches anyway. The pragma also reads
        # the file, so a damaged one is found here.
        db.execute("PRAGMA cache_size = -200")
    except FAULTS:
        db.close()
        raise
    return db


def connected_to_read(path: Path) -> sqlite3.Connection:
    """Connect beside a writer, or in a read-only folder.

    In such a folder SQLite can't read a write-ahead log that a killed writer left, so the log is refused then.
    """
    try:
        return connected(path, "ro")
    except sqlite3.OperationalError:
        if wal_of(path).exists():
            raise
        return connected(path, "ro&immutable=1")


def copy(db: sqlite3.Connection, to: Path) -> None:
    """Write a copy of what a connection sees, as one self-contained file.

    Raises OSError, also if the copy finds no room, and sqlite3.Error.
    """
    private(to).close()
    try:
        with closing(connected(to)) as copied:
            db.backup(copied)
            copied.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as wrong:
        if getattr(wrong, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:  # the copy's disk: reading needs no room
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(to)) from wrong
        raise


def fold(path: Path) -> None:
    """Merge the write-ahead log of an unused log into its one file; a damaged log is left as it is."""
    if path.is_file():
        with suppress(sqlite3.Error), closing(connected(path, "rw")) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def lock(path: Path) -> IO[bytes]:
    """Lock a log for one writer until the returned file is closed: see `files.held`.

    Raises `InUse`, and `LogFault` if nothing can be written, if it is a device or a pipe, or if the log has two names:
    SQLite keeps new data in a file named after the one that was opened, unseen through the other.
    """
    try:
        path = path.resolve()
    except (OSError, RuntimeError) as wrong:
        raise LogFault(f"the log {path} is a link that leads nowhere", AilmentCode.LOG_STRANGE) from wrong
    if path.exists() and not path.is_file():
        raise LogFault(f"the log {path} is no ordinary file: give the log a file of its own", AilmentCode.LOG_STRANGE)
    if path.is_file() and path.stat().st_nlink > 1:
        raise LogFault(f"the log {path} is the same file as another, by a hard link. Delete one of the two names")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return held(path.with_name(f"{path.name}.lock"))
    except BlockingIOError:
        raise InUse(
            f"another companion already uses the log {path}. Stop it first, or give this one its own log",
            AilmentCode.LOG_HELD,
        ) from None
    except OSError as wrong:
        raise LogFault(
            f"can't write beside the log {path}: {wrong.strerror}. "
            f"Let user {os.geteuid()} write in {path.parent}, or choose another place for the log",
            code_of(wrong),
        ) from wrong


def fault(path: Path, wrong: Exception) -> LogFault:
    """Return why SQLite can't use the log at a path, in plain words with the cure."""
    code = getattr(wrong, "sqlite_errorcode", 0)
    reason = str(wrong)
    match wrong:
        case UnicodeDecodeError():
            code = sqlite3.SQLITE_CORRUPT
        case MemoryError():
            code = sqlite3.SQLITE_CORRUPT
            reason = "there is not enough memory for one of its rows"
    if code & 0xFF == sqlite3.SQLITE_IOERR and _is_full(path):
        code = sqlite3.SQLITE_FULL
    match code & 0xFF:
        case sqlite3.SQLITE_NOTADB:
            kind = AilmentCode.LOG_DAMAGED
            cure = "The file is not a log: give the log another name, and keep that file"
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_ERROR:  # our SQL fits our schema, so the schema is damaged
            kind = AilmentCode.LOG_DAMAGED
            cure = "The file is damaged: keep it, and bring back a backup (companion restore) or start a new log"
        case sqlite3.SQLITE_FULL:
            kind = AilmentCode.DISK_FULL
            cure = "The disk is full: make room. Nothing that was stored is lost"
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            kind = AilmentCode.LOG_CLOSED
            cure = f"This user may not write it: sudo chown {os.geteuid()} {path}, or is the disk mounted read-only?"
        case sqlite3.SQLITE_CANTOPEN:
            kind = AilmentCode.LOG_CLOSED
            cure = f"This user may not open it: sudo chown {os.geteuid()} {path}"
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            kind = AilmentCode.LOG_HELD
            cure = "Another program holds it (sqlite3, a backup): close that one"
        case sqlite3.SQLITE_IOERR:
            kind = AilmentCode.DISK_FAILS
            cure = "The disk does not work as it should: look at dmesg, and save a copy of the log elsewhere"
        case _:
            kind = AilmentCode.OTHER
            cure = "Nothing that was stored is lost"
    return LogFault(f"can't use the log {path}: {reason}. {cure}", kind)


def _is_full(path: Path) -> bool:
    """Whether the disk lacks room for SQLite's files beside a log: SQLite may report that as an I/O error."""
    try:
        return shutil.disk_usage(path.parent).free < ROOM_BESIDE
    except OSError:
        return False


def code_of(wrong: OSError) -> AilmentCode:
    """Return the ailment behind a failed write."""
    match wrong.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return AilmentCode.DISK_FULL
        case errno.EACCES | errno.EPERM | errno.EROFS:
            return AilmentCode.LOG_CLOSED
        case errno.EIO:
            return AilmentCode.DISK_FAILS
    return AilmentCode.OTHER
