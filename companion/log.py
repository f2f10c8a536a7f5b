"""Where the live table keeps its events: one SQLite file, many matches, nothing ever rewritten.

Write-ahead log with full synchronisation: when `append` returns, the events survive a power cut. The body of a row is
the event's line in the record, byte for byte.
"""

import fcntl
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

import msgspec

from companion.events import Event
from companion.log_faults import why_not
from companion.ownership import give_to_the_folders_owner
from companion.record import Damaged, decode, encode_line

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


class LogFault(Exception):
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
        if not writes and not path.is_file():
            raise LogFault(f"no log at {path}: nothing was played there yet")
        self._lock = lock(path) if writes else None
        try:
            self._db = _opened(path, writes)
        except LogFault:
            if self._lock:
                self._lock.close()
            raise
        self._inode = path.stat().st_ino

    def close(self) -> None:
        """Give the file back."""
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

    def holds(self, origin: str) -> bool:
        """Whether a press of this origin is stored already."""
        return bool(self._rows("SELECT 1 FROM event WHERE origin = ? AND origin <> ''", origin))

    def latest(self) -> int | None:
        """Give the number of the last match begun."""
        found: int | None = self._rows("SELECT max(id) FROM match")[0][0]
        return found

    def last_at(self) -> float:
        """Give the latest recorded time, in seconds on the table's clock; 0 where there is none that can be read."""
        try:
            found = self._rows("SELECT max(json_extract(body, '$.at')) FROM event WHERE match = ?", self.latest())
        except LogFault:
            return 0.0
        return float(found[0][0] or 0.0)

    def copy(self, to: Path) -> None:
        """Write a copy, one file that needs no other beside it, also while another process plays. Raises `LogFault`."""
        try:
            with closing(_connected(to)) as copied:
                self._db.backup(copied)
                copied.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.Error as wrong:
            raise _fault(self.path, wrong) from wrong

    def check(self) -> None:
        """See that the whole file can be read. Raises `LogFault`."""
        found = self._rows("PRAGMA integrity_check")
        if found != [("ok",)]:
            raise LogFault(f"the log {self.path} is damaged: {found[0][0]}")

    def lines(self, match: int) -> bytes:
        """Give a match as a record, as it was written. Raises `LogFault` where there is no such match."""
        rows = self._rows("SELECT body FROM event WHERE match = ? ORDER BY seq", match)
        if not rows:
            raise LogFault(f"no match {match} in {self.path}; `companion export --list` shows what there is")
        return b"".join(body.encode() + b"\n" for (body,) in rows)

    def events(self, match: int) -> tuple[Event, ...]:
        """Read a match. Raises `LogFault`."""
        try:
            return decode(self.lines(match))
        except Damaged as wrong:
            raise LogFault(
                f"match {match} in {self.path} is damaged, event {wrong.line}: {wrong.why}. "
                "Start a new one; nothing is deleted"
            ) from wrong

    def matches(self) -> list[Entry]:
        """List the matches, oldest first."""
        rows = self._rows(
            "SELECT id, began, simulated, (SELECT body FROM event WHERE match = id AND seq = 1),"
            " (SELECT count(*) FROM event WHERE match = id) FROM match ORDER BY id"
        )
        return [
            Entry(number, began, bool(simulated), _game_of(body), events)
            for number, began, simulated, body, events in rows
        ]

    def _rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            return self._db.execute(sql, values).fetchall()
        except sqlite3.Error as wrong:
            raise _fault(self.path, wrong) from wrong

    def _insert(self, match: int, events: Iterable[tuple[Event, str]]) -> None:
        rows = [(match, event.seq, origin, encode_line(event).decode()) for event, origin in events]
        self._db.executemany("INSERT INTO event (match, seq, origin, body) VALUES (?, ?, ?, ?)", rows)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        if not _is_there(self.path, self._inode):
            raise LogFault(f"the log {self.path} was moved or deleted while in use: put it back, or start again")
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
        except sqlite3.Error as wrong:
            if self._db.in_transaction:
                self._db.rollback()
            raise _fault(self.path, wrong) from wrong


def _opened(path: Path, writes: bool) -> sqlite3.Connection:
    """Connect, and see that it is a log of ours; a writer's is made ready to write. Raises `LogFault`."""
    try:
        db = _connected(path) if writes else _connected_to_read(path)
    except sqlite3.Error as wrong:
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
        if writes and version == 0:
            give_to_the_folders_owner(path)
            db.executescript(f"BEGIN;{_SCHEMA}PRAGMA user_version = {VERSION};COMMIT;")
    except sqlite3.Error as wrong:
        db.close()
        raise _fault(path, wrong) from wrong
    except LogFault:
        db.close()
        raise
    return db


def _connected(path: Path, how: str = "rwc") -> sqlite3.Connection:
    there = f"file:{quote(str(path.absolute()))}?mode={how}"
    return sqlite3.connect(there, uri=True, isolation_level=None, check_same_thread=False)


def _connected_to_read(path: Path) -> sqlite3.Connection:
    """Connect beside a writer, or in a folder where nothing can be written.

    There what a killed writer left in the write-ahead log could not be seen: then it is not read at all.
    """
    db = _connected(path, "ro")
    try:
        db.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError:
        db.close()
        if path.with_name(f"{path.name}-wal").exists():
            raise
        return _connected(path, "ro&immutable=1")
    return db


def _fault(path: Path, wrong: sqlite3.Error) -> LogFault:
    return LogFault(why_not(path, wrong))


def _is_there(path: Path, inode: int) -> bool:
    try:
        return path.stat().st_ino == inode
    except OSError:
        return False


def _game_of(first: str | None) -> str:
    try:
        return str(msgspec.json.decode(first or "")["game"])
    except (msgspec.DecodeError, LookupError, TypeError):
        return "damaged"


def lock(path: Path) -> IO[bytes]:
    """Hold a table for one writer, by its log, until closed; it goes with the process, however that ends.

    Raises `InUse`, and `LogFault` where nothing can be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = open(path.with_name(path.name + ".lock"), "wb")  # noqa: SIM115 - held until close
    except OSError as wrong:
        raise LogFault(
            f"can't write beside the log {path}: {wrong.strerror}. "
            f"Let user {os.geteuid()} write in {path.parent}, or choose another place for the log"
        ) from wrong
    give_to_the_folders_owner(Path(lock.name))
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise InUse(
            f"another companion already uses the log {path}. Stop it first, or give this one its own log"
        ) from None
    return lock
