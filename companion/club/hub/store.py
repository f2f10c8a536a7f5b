"""The hub's database: one SQLite file beside CLUB.toml.

A result is on disk when `take` returns, and only then acknowledged to the broker. Every revision is kept; the highest
one counts. Results are numbered in order of arrival, and a correction gets a number of its own, so that programs that
read on by number see it.
"""

import secrets
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from companion.club.payloads import MatchResult, agrees, decoded, instant
from companion.errors import NotNow
from companion.storage import opening

T = TypeVar("T")
LAYOUT = 1
AT_A_TIME = 500
"""Results read at a time, while other threads wait."""
_TABLES = """
CREATE TABLE IF NOT EXISTS result (
  number INTEGER PRIMARY KEY AUTOINCREMENT, club_table TEXT NOT NULL, match INTEGER NOT NULL,
  revision INTEGER NOT NULL, stands INTEGER NOT NULL, told TEXT NOT NULL, began, UNIQUE (club_table, match, revision));
CREATE INDEX IF NOT EXISTS standing ON result (club_table, match) WHERE stands;
CREATE TABLE IF NOT EXISTS presence (club_table TEXT PRIMARY KEY, state TEXT NOT NULL, birth INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS table_name (club_table TEXT PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS kept (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


_CURES = {
    sqlite3.SQLITE_FULL: "Make room on the disk",
    sqlite3.SQLITE_IOERR: "The disk does not work as it should: look at dmesg, and save a copy of the file elsewhere",
    sqlite3.SQLITE_READONLY: "The hub's user may not write it, or the disk is mounted read-only",
    sqlite3.SQLITE_PERM: "The hub's user may not write it",
    sqlite3.SQLITE_CANTOPEN: "The hub's user may not open it, or it was deleted",
    sqlite3.SQLITE_BUSY: "Another program holds it (sqlite3, a backup): close that one",
    sqlite3.SQLITE_LOCKED: "Another program holds it (sqlite3, a backup): close that one",
    sqlite3.SQLITE_CORRUPT: "It is damaged: keep it, and bring back a copy",
    sqlite3.SQLITE_NOTADB: "It is damaged: keep it, and bring back a copy",
    sqlite3.SQLITE_NOMEM: "This machine has too little memory",
}
"""Advice by SQLite's primary result code, for faults of the file. Any other fault is of the data, and would recur."""


class _Beginning(Struct, frozen=True):
    """The part of a result that tells apart two matches of the same number."""

    began: str


def _beginning(body: bytes) -> float | str | None:
    """Return when a match began, to be compared: seconds since 1970, or the text if it is no time; None if missing."""
    try:
        began: str = decoded(body, _Beginning).began
    except ValueError:
        return None
    moment = instant(began)
    return began if moment is None else moment


class HubFault(NotNow):
    """The hub's database can't be used; the message says why, and what to do."""


class Unkeepable(ValueError):
    """The data can't be stored; the fault is in it, not in the file, so a retry is pointless."""


class KeptResult(Struct, frozen=True):
    """The highest revision of a result."""

    number: int
    table: str
    match: int
    revision: int
    told: msgspec.Raw
    """The result as its table sent it, as JSON."""
    first: int = 0
    """The number of its first revision. At a table from a backup, or a copied one, two matches may have the same match
    number; they are told apart by when they began."""

    @property
    def result(self) -> MatchResult | None:
        """The decoded result; None if it is invalid, which an earlier version of the hub did not check."""
        try:
            fields = decoded(bytes(self.told), dict)
            result = msgspec.convert({**fields, "match": self.match, "revision": self.revision}, MatchResult)
        except ValueError:
            return None
        return result if agrees(result) else None


class Store:
    """The hub's database. Any thread may use it; methods raise `HubFault`, and `Unkeepable` for bad arguments."""

    def __init__(self, path: Path):
        """Open the file, creating it if missing. Raises `HubFault`."""
        self.path = path
        self._lock = threading.Lock()
        try:
            with ExitStack() as failing:
                self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
                failing.callback(self._db.close)
                path.chmod(0o600)  # the keeper's code is in it
                layout = self._db.execute("PRAGMA user_version").fetchone()[0]
                if layout > LAYOUT:
                    raise HubFault(f"{path} was written by a newer companion: install that one")
                self._db.execute("PRAGMA journal_mode = WAL")
                # With WAL only FULL syncs at each commit, which `take` promises.
                self._db.execute("PRAGMA synchronous = FULL")
                self._db.executescript(_TABLES)
                self._note_beginnings()
                self._db.execute(f"PRAGMA user_version = {LAYOUT}")
                failing.pop_all()
        except (sqlite3.Error, OSError) as wrong:
            raise HubFault(f"can't keep the club's results in {path}: {wrong}. Mend that, or move it away") from wrong

    def _note_beginnings(self) -> None:
        """Fill in when each match began where that is missing: an older companion wrote it, perhaps only yesterday."""
        if "began" not in {column[1] for column in self._db.execute("PRAGMA table_info(result)")}:
            self._db.execute("ALTER TABLE result ADD COLUMN began")
        missing = self._db.execute("SELECT number, told FROM result WHERE began IS NULL")
        beginnings = [(began, number) for number, body in missing if (began := _beginning(body.encode())) is not None]
        with self._whole(self._db):
            self._db.executemany("UPDATE result SET began = ? WHERE number = ?", beginnings)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def pack(self) -> tuple[str, IO[bytes]]:
        """Return a file name, and an open copy of the database at one moment, which is deleted when closed."""
        home = self.path.absolute().parent
        name = f"{self.path.stem}-{datetime.now():%Y-%m-%d-%H%M%S}{self.path.suffix}"
        try:
            with tempfile.TemporaryDirectory(prefix=".backup-", dir=home) as folder:
                copy = Path(folder) / name
                with self._alone() as db:
                    opening.copy(db, copy)
                return name, copy.open("rb")
        except OSError as wrong:
            raise HubFault(f"can't write in {home}: {wrong.strerror}. Make room there") from wrong

    @contextmanager
    def _alone(self) -> Iterator[sqlite3.Connection]:
        """Hold the connection for one thread at a time, and convert its errors."""
        with self._lock:
            try:
                yield self._db
            except sqlite3.Error as wrong:
                # The low byte of an extended result code is the primary one.
                cure = _CURES.get(getattr(wrong, "sqlite_errorcode", 0) & 0xFF)
                if cure is None:
                    raise Unkeepable(str(wrong)) from wrong
                raise HubFault(f"can't use {self.path}: {wrong}. {cure}") from wrong
            except (OverflowError, UnicodeError) as wrong:
                raise Unkeepable(str(wrong)) from wrong

    @staticmethod
    @contextmanager
    def _whole(db: sqlite3.Connection) -> Iterator[None]:
        """Run the block in a transaction."""
        db.execute("BEGIN IMMEDIATE")
        try:
            yield
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise

    def take(self, table: str, match: int, revision: int, body: bytes) -> int | None:
        """Store a result, and return its number; None if this revision or a higher one is stored already."""
        with self._alone() as db:
            standing_sql = "SELECT revision FROM result WHERE club_table = ? AND match = ? AND stands"
            standing = db.execute(standing_sql, (table, match)).fetchone()
            # Results arrive again after a lost connection, and in any order: only a higher revision is news.
            if standing is not None and standing[0] >= revision:
                return None
            with self._whole(db):
                db.execute("UPDATE result SET stands = 0 WHERE club_table = ? AND match = ? AND stands", (table, match))
                return db.execute(
                    "INSERT INTO result (club_table, match, revision, stands, told, began) VALUES (?, ?, ?, 1, ?, ?)",
                    (table, match, revision, body.decode(), _beginning(body)),
                ).lastrowid

    def results(self, newest_number: int = 0) -> Iterator[KeptResult]:
        """Yield the highest revision of each result with a greater number, in order of arrival."""
        sql = (
            "SELECT number, club_table, match, revision, told, (SELECT MIN(number) FROM result AS any "
            "WHERE any.club_table = one.club_table AND any.match = one.match "
            "AND any.began = one.began) "
            "FROM result AS one WHERE number > ? AND stands ORDER BY number LIMIT ?"
        )
        while True:
            with self._alone() as db:
                # Capped, because sqlite3 raises OverflowError for integers above 64 bits.
                rows = db.execute(sql, (min(newest_number, 2**62), AT_A_TIME)).fetchall()
            for number, table, match, revision, body, first in rows:
                yield KeptResult(number, table, match, revision, msgspec.Raw(body.encode()), first)
            if len(rows) < AT_A_TIME:
                return
            newest_number = rows[-1][0]

    def standing(self, table: str, match: int) -> MatchResult | None:
        """Return the highest revision of a match's result; None if it has none, or an invalid one."""
        sql = "SELECT number, revision, told FROM result WHERE club_table = ? AND match = ? AND stands"
        with self._alone() as db:
            row = db.execute(sql, (table, match)).fetchone()
        return KeptResult(row[0], table, match, row[1], msgspec.Raw(row[2].encode())).result if row else None

    def last_number(self) -> int:
        """Return the number of the newest result, or 0."""
        with self._alone() as db:
            number: int = db.execute("SELECT COALESCE(MAX(number), 0) FROM result").fetchone()[0]
        return number

    def newest_match(self, table: str) -> int:
        """Return the highest match number among a table's stored results, or 0."""
        with self._alone() as db:
            sql = "SELECT COALESCE(MAX(match), 0) FROM result WHERE club_table = ?"
            number: int = db.execute(sql, (table,)).fetchone()[0]
        return number

    def without_gaps(self, table: str) -> int:
        """Return the number of a table's last match before the first missing one; 0 if the first is missing."""
        numbered_sql = (
            "SELECT match, ROW_NUMBER() OVER (ORDER BY match) AS nth FROM result WHERE club_table = ? AND stands"
        )
        sql = f"SELECT COALESCE(MAX(match), 0) FROM ({numbered_sql}) WHERE match = nth"
        with self._alone() as db:
            number: int = db.execute(sql, (table,)).fetchone()[0]
        return number

    def remember_presence(self, table: str, state: str, birth: int) -> None:
        """Store a table's state and birth, because the broker may retain the will of an older birth."""
        with self._alone() as db:
            db.execute("INSERT OR REPLACE INTO presence VALUES (?, ?, ?)", (table, state, birth))

    def presences(self) -> dict[str, tuple[str, int]]:
        """Return every table's last state and its birth."""
        with self._alone() as db:
            rows = db.execute("SELECT club_table, state, birth FROM presence").fetchall()
        return {table: (state, birth) for table, state, birth in rows}

    def remember_table_name(self, table: str, name: str) -> None:
        """Store a table's name."""
        with self._alone() as db:
            db.execute("INSERT OR REPLACE INTO table_name VALUES (?, ?)", (table, name))

    def drop_table_name(self, table: str) -> None:
        """Delete a table's name."""
        with self._alone() as db:
            db.execute("DELETE FROM table_name WHERE club_table = ?", (table,))

    def table_names(self) -> dict[str, str]:
        """Return each table's last name."""
        with self._alone() as db:
            return dict(db.execute("SELECT club_table, name FROM table_name").fetchall())

    def keep(self, name: str, value: Any) -> None:
        """Store one of the hub's own values under a name."""
        with self._alone() as db:
            db.execute("INSERT OR REPLACE INTO kept VALUES (?, ?)", (name, msgspec.json.encode(value).decode()))

    def stored_value(self, name: str) -> bytes | None:
        """Return the JSON stored under a name, or None."""
        with self._alone() as db:
            row = db.execute("SELECT value FROM kept WHERE name = ?", (name,)).fetchone()
        return row[0].encode() if row else None

    def own_id(self) -> str:
        """Return this hub's id, drawn at random at the first call."""
        stored_id = self.stored_value("id")
        if stored_id is not None:
            return msgspec.json.decode(stored_id, type=str)
        new_id = secrets.token_hex(8)
        self.keep("id", new_id)
        return new_id


class KeptValue(Generic[T]):
    """One of the hub's own values, stored under a name. Any thread may use it."""

    def __init__(self, store: Store, name: str, kind: Any, first: T):
        """`kind` is its type, and `first` its value if nothing is stored yet. Raises `HubFault`."""
        self._store = store
        self._name = name
        self._lock = threading.Lock()
        stored = store.stored_value(name)
        self.now: T = first if stored is None else msgspec.json.decode(stored, type=kind)

    def change(self, step: Callable[[T], T]) -> None:
        """Store what `step` makes of the value. Raises `HubFault`, and what `step` raises."""
        with self._lock:
            changed = step(self.now)
            self._store.keep(self._name, changed)
            self.now = changed
