"""Where the live table keeps its events: one SQLite file, many matches, nothing ever rewritten.

Write-ahead log with full synchronisation: when `append` returns, the events survive a power cut. The body of a row is
the event's line in the record, byte for byte.
"""

import fcntl
import os
import sqlite3
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

import msgspec

from companion.errors import NotNow
from companion.events import Event
from companion.judge.record_file import Damaged, decode, encode_line
from companion.storage.files import all_of, close_to_others, closed, private, wal_of

VERSION = 1
_SCHEMA = """
CREATE TABLE match (id INTEGER PRIMARY KEY, began TEXT NOT NULL, simulated INTEGER NOT NULL);
CREATE TABLE event (
  match INTEGER NOT NULL REFERENCES match (id),
  seq INTEGER NOT NULL,
  origin TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (match, seq)
);
CREATE UNIQUE INDEX event_origin ON event (origin) WHERE origin <> '';
CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER event_kept BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
CREATE TRIGGER match_stays BEFORE UPDATE ON match BEGIN SELECT RAISE(ABORT, 'matches are never changed'); END;
CREATE TRIGGER match_kept BEFORE DELETE ON match BEGIN SELECT RAISE(ABORT, 'matches are never deleted'); END;
"""

PATIENCE = 0.1
"""Seconds that an event waits for another program that writes to the log, which none should."""

_FAULTS = (sqlite3.Error, UnicodeDecodeError, MemoryError)
"""Of a damaged file SQLite may quote bytes that are no text, or say that no memory suffices for a row."""


class LogFault(NotNow):
    """The log can't be read or written: what, where, and what to do now."""


class InUse(LogFault):
    """Another companion uses the log: the table is running."""


class Entry(msgspec.Struct, frozen=True):
    """A match in the log."""

    id: int
    began: str
    """Wall-clock time, ISO 8601, as the machine knew it."""
    simulated: bool
    game: str
    events: int


class Log:
    """An open log. Use it from one thread; other processes may read beside it, one writes."""

    def __init__(self, path: Path, *, writes: bool):
        """Open the log; a writer makes it where there is none. Raises `LogFault`."""
        self.path = path
        if not writes:
            _see_that_it_may_be_read(path)
        self._lock = lock(path) if writes else None
        try:
            self._db = _opened(path, writes)
        except LogFault:
            if self._lock:
                self._lock.close()
            raise
        self._inodes = {file: _inode(file) for file in (path, wal_of(path))} if writes else {}
        if writes:
            self._wait_at_most(PATIENCE)

    def close(self) -> None:
        """Close the file."""
        self._db.close()
        if self._lock:
            self._lock.close()

    def open_match(self, began: str, simulated: bool, first: Event) -> int:
        """Store a new match with its first event; give its number."""
        with self._transaction():
            cursor = self._db.execute("INSERT INTO match (began, simulated) VALUES (?, ?)", (began, simulated))
            match = cursor.lastrowid
            assert match is not None
            self._insert(match, [(first, "")])
        return match

    def append(self, match: int, events: Sequence[tuple[Event, str]]) -> None:
        """Store events with their origins; on return they are on disk, all or none. Raises `LogFault`."""
        with self._transaction():
            self._insert(match, events)

    def try_to_write(self) -> None:
        """See that events could be stored now; nothing is changed. Raises `LogFault`."""
        with self._transaction():
            self._db.execute(f"PRAGMA user_version = {VERSION}")

    def holds(self, origin: str) -> bool:
        """Whether a press of this origin is stored already."""
        return bool(self._rows("SELECT 1 FROM event WHERE origin = ? AND origin <> ''", origin))

    def latest(self) -> int | None:
        """Return the number of the last match begun."""
        found: int | None = self._rows("SELECT max(id) FROM match")[0][0]
        return found

    def last_at(self) -> float:
        """Return the latest recorded time, in seconds on the table's clock; 0 where there is none that can be read."""
        try:
            found = self._rows("SELECT max(json_extract(body, '$.at')) FROM event WHERE match = ?", self.latest())
        except LogFault:
            return 0.0
        return float(found[0][0] or 0.0)

    def copy(self, to: Path) -> None:
        """Write a copy, one file that needs no other beside it, also while another process plays. Raises `LogFault`."""
        try:
            private(to).close()
            with closing(_connected(to)) as copied:
                self._db.backup(copied)
                copied.execute("PRAGMA journal_mode = DELETE")
        except OSError as wrong:
            raise LogFault(f"can't write {to}: {wrong.strerror}") from wrong
        except _FAULTS as wrong:
            raise _fault(self.path, wrong) from wrong

    def check(self) -> None:
        """See that the whole file can be read, and that all in it agrees. Raises `LogFault`."""
        self._checked("PRAGMA integrity_check")

    def skim(self) -> None:
        """See that no page of the file is damaged: a third of the work. Raises `LogFault`."""
        self._checked("PRAGMA quick_check")

    def _checked(self, how: str) -> None:
        found = self._rows(how)
        if found != [("ok",)]:
            raise LogFault(f"the log {self.path} is damaged: {found[0][0]}")

    def lines(self, match: int) -> bytes:
        """Return a match as a record, as it was written. Raises `LogFault` where there is no such match."""
        rows = self._rows("SELECT CAST(body AS BLOB) FROM event WHERE match = ? ORDER BY seq", match)
        if not rows:
            raise LogFault(f"no match {match} in {self.path}; `companion export --list` shows what there is")
        return b"".join((body or b"") + b"\n" for (body,) in rows)

    def events(self, match: int) -> tuple[Event, ...]:
        """Read a match. Raises `LogFault`."""
        try:
            return decode(self.lines(match))
        except Damaged as wrong:
            raise LogFault(
                f"match {match} in {self.path} is damaged, event {wrong.line}: {wrong.why}. "
                "Start a new one; nothing is deleted"
            ) from wrong

    def matches(self, since: int = 0) -> list[Entry]:
        """List the matches, oldest first: all, or those from a number on; but for those of which `match` can't tell."""
        return self._entries("id >= ?", since)

    def match(self, number: int) -> Entry | None:
        """Return the entry of one match; None where there is none. Raises `LogFault` where it can't be read."""
        found = self._entries("id = ?", number)
        if not found and self._rows("SELECT 1 FROM match WHERE id = ?", number):
            raise LogFault(f"match {number} in {self.path} is damaged: when it began can't be read. It counts nowhere")
        return next(iter(found), None)

    def begun(self, start: str, end: str) -> list[Entry]:
        """List the matches whose `began`, as it is written, lies from `start` to before `end`; oldest first."""
        return self._entries("began >= ? AND began < ?", start, end)

    def _entries(self, which: str, *values: object) -> list[Entry]:
        """Look only at the matches that are asked for: over the years a log holds thousands."""
        rows = self._rows(
            "SELECT id, iif(typeof(began) = 'text', CAST(began AS BLOB), NULL), simulated,"
            " (SELECT CAST(body AS BLOB) FROM event WHERE match = id AND seq = 1),"
            f" (SELECT count(*) FROM event WHERE match = id) FROM match WHERE {which} ORDER BY id",
            *values,
        )
        return [
            Entry(number, began, bool(simulated), _game_of(body), events)
            for number, written, simulated, body, events in rows
            if (began := _text(written)) is not None
        ]

    def _rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            return self._db.execute(sql, values).fetchall()
        except OverflowError:  # a number beyond SQLite's integers is no match's
            return []
        except _FAULTS as wrong:
            raise _fault(self.path, wrong) from wrong

    def _insert(self, match: int, events: Iterable[tuple[Event, str]]) -> None:
        rows = [(match, event.seq, origin, encode_line(event).decode()) for event, origin in events]
        self._db.executemany("INSERT INTO event (match, seq, origin, body) VALUES (?, ?, ?, ?)", rows)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        for file, inode in self._inodes.items():
            if _inode(file) != inode:
                self._rescue()
                raise LogFault(f"the log {file} was moved or deleted while in use: put it back, or start again")
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
            self._wait_at_most(PATIENCE)
        except _FAULTS as wrong:
            with suppress(sqlite3.Error):  # the disk may fail at that too
                self._wait_at_most(0)  # until it is over: one has waited for all
                self._db.rollback()
            raise _fault(self.path, wrong) from wrong

    def _wait_at_most(self, seconds: float) -> None:
        self._db.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}")

    def _rescue(self) -> None:
        """Bring what only a deleted write-ahead log holds into the log itself, while it is still open."""
        with suppress(sqlite3.Error):
            self._db.execute("PRAGMA wal_checkpoint(FULL)")


def _see_that_it_may_be_read(path: Path) -> None:
    """See that there is a log, and that it is not closed to this user. It is not opened: closing it would let go of
    what SQLite holds in this process. Raises `LogFault`.
    """
    try:
        there = stat.S_ISREG(path.stat().st_mode)
    except PermissionError as wrong:
        raise LogFault(closed(path)) from wrong
    except OSError:
        there = False
    if not there:
        raise LogFault(f"no log at {path}: nothing was played there yet")
    if not os.access(path, os.R_OK):
        raise LogFault(closed(path))


def _opened(path: Path, writes: bool) -> sqlite3.Connection:
    """Connect, and see that it is a log of ours; a writer's is made ready to write. Raises `LogFault`."""
    if writes and not path.exists():
        with suppress(OSError):  # SQLite says why
            private(path).close()
    try:
        db = _connected(path) if writes else _connected_to_read(path)
    except _FAULTS as wrong:
        raise _fault(path, wrong) from wrong
    try:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, VERSION):
            raise LogFault(
                f"{path} was written by a newer companion (log version {version}, this one knows {VERSION}): "
                "update this one. The log is left as it is"
            )
        if version == 0 and db.execute("SELECT 1 FROM sqlite_master").fetchone():
            raise LogFault(f"{path} is the database of another program: give the log a file of its own")
        if writes:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
        if writes and version == VERSION:
            # Changes nothing. A file that may not be written is opened all the same: the first event would be lost.
            db.execute(f"PRAGMA user_version = {VERSION}")
        if writes:
            close_to_others(*all_of(path), *all_of(path.resolve()))
        if writes and version == 0:
            db.executescript(f"BEGIN;{_SCHEMA}PRAGMA user_version = {VERSION};COMMIT;")
    except _FAULTS as wrong:
        db.close()
        raise _fault(path, wrong) from wrong
    except LogFault:
        db.close()
        raise
    return db


def _connected(path: Path, how: str = "rwc") -> sqlite3.Connection:
    there = f"file:{quote(str(path.absolute()))}?mode={how}"
    db = sqlite3.connect(there, uri=True, isolation_level=None, check_same_thread=False)
    try:
        # KiB. Else 2 MB a look, of a file that the system keeps in memory anyway
        db.execute("PRAGMA cache_size = -200")
    except _FAULTS:
        db.close()
        raise
    return db


def _connected_to_read(path: Path) -> sqlite3.Connection:
    """Connect beside a writer, or in a folder where nothing can be written.

    There what a killed writer left in the write-ahead log could not be seen: then it is not read at all.
    """
    db = _connected(path, "ro")
    try:
        db.execute("SELECT count(*) FROM sqlite_master")
    except _FAULTS as wrong:
        db.close()
        if not isinstance(wrong, sqlite3.OperationalError) or wal_of(path).exists():
            raise
        return _connected(path, "ro&immutable=1")
    return db


def _fault(path: Path, wrong: Exception) -> LogFault:
    """Return why SQLite can't use the log at a path, in plain words with the cure."""
    code, what = getattr(wrong, "sqlite_errorcode", 0), str(wrong)
    match wrong:
        case UnicodeDecodeError():
            code = sqlite3.SQLITE_CORRUPT
        case MemoryError():
            code, what = sqlite3.SQLITE_CORRUPT, "no memory suffices for one of its rows"
    match code & 0xFF:
        case sqlite3.SQLITE_NOTADB:
            cure = "The file is no log: give the log another name, and keep that file"
        case sqlite3.SQLITE_CORRUPT:
            cure = "The file is damaged: keep it, and bring back a backup (companion restore) or start a new log"
        case sqlite3.SQLITE_FULL:
            cure = "The disk is full: make room. Nothing that was stored is lost"
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            cure = f"This user may not write it: sudo chown {os.geteuid()} {path}, or is the disk mounted read-only?"
        case sqlite3.SQLITE_CANTOPEN if path.is_dir():
            cure = "It is a folder: give the log's file"
        case sqlite3.SQLITE_CANTOPEN:
            cure = f"This user may not open it: sudo chown {os.geteuid()} {path}"
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            cure = "Another program holds it (sqlite3, a backup): close that one"
        case sqlite3.SQLITE_IOERR:
            cure = "The disk does not do as it should: look into dmesg, and save a copy of the log elsewhere"
        case _:
            cure = "Nothing that was stored is lost"
    return LogFault(f"can't use the log {path}: {what}. {cure}")


def _inode(path: Path) -> int | None:
    try:
        return path.stat().st_ino
    except OSError:
        return None


def _text(written: bytes | None) -> str | None:
    try:
        return None if written is None else written.decode()
    except UnicodeDecodeError:
        return None


def _game_of(first: bytes | None) -> str:
    try:
        return str(msgspec.json.decode(first or b"")["game"])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, LookupError, TypeError):
        return "damaged"


def fold(path: Path) -> None:
    """Have all of a log that nobody uses in its one file; a damaged one is left as it is."""
    if path.is_file():
        with suppress(sqlite3.Error), closing(_connected(path, "rw")) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def lock(path: Path) -> IO[bytes]:
    """Hold a table for one writer, by its log, until closed; it goes with the process, however that ends.

    Raises `InUse`, and `LogFault` where nothing can be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = private(path.with_name(f"{path.name}.lock"))
    except OSError as wrong:
        raise LogFault(
            f"can't write beside the log {path}: {wrong.strerror}. "
            f"Let user {os.geteuid()} write in {path.parent}, or choose another place for the log"
        ) from wrong
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise InUse(
            f"another companion already uses the log {path}. Stop it first, or give this one its own log"
        ) from None
    return lock
