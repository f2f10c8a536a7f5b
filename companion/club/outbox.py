"""What a table keeps for its club beside its log: its id, its births, and what was sent of each match.

The log is the outbox; this file says how far the broker has it. A result is written down here, with its revision,
before it is sent: after any kill the same one is sent again, and a hub takes it only once.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.club import payloads, topics
from companion.club.payloads import MatchResult
from companion.errors import NotNow
from companion.storage.files import give_to_the_folders_owner

_LAYOUT = """
CREATE TABLE IF NOT EXISTS own (
    id TEXT NOT NULL, birth INTEGER NOT NULL, left INTEGER NOT NULL, revised INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS result (
    match INTEGER PRIMARY KEY, events INTEGER NOT NULL, body BLOB NOT NULL, acknowledged INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS due ON result (match) WHERE NOT acknowledged;
CREATE TABLE IF NOT EXISTS contested (yes INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS card_secret (only INTEGER PRIMARY KEY CHECK (only = 1), secret TEXT NOT NULL);
"""
_BODIES = "SELECT body FROM result"
FAULTS = (sqlite3.Error, OSError, ValueError, LookupError)


class OutboxFault(NotNow):
    """The file can't be read or written."""


class Outbox:
    """Use it from one thread. Every method raises `OutboxFault`."""

    def __init__(self, path: Path) -> None:
        """Open it; if missing, create it and draw the table's id."""
        self._path = path
        self._due: list[tuple[int, bytes]] | None = None
        """The first result that is due, or none; None: not looked up yet."""
        self._waiting = 0
        self.contested = False
        """Whether another has spoken in this table's name since everything was sent."""
        with self._faults_told():
            fresh = not path.exists()
            self._db = sqlite3.connect(path, isolation_level=None)
            try:
                self.table, self._revised = self._set_up()
                if fresh:
                    give_to_the_folders_owner(path)
            except BaseException:
                self._db.close()
                raise

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def born(self) -> int:
        """Count one more connection, and return its number."""
        with self._faults_told():
            self._db.execute("UPDATE own SET birth = birth + 1")
            ((birth,),) = self._rows("SELECT birth FROM own")
            return int(birth)

    def join(self) -> None:
        """Note that the table is in its club, whatever it was before."""
        with self._faults_told():
            self._db.execute("UPDATE own SET left = 0")

    def leave(self) -> None:
        """Note that the table has left its club, so that a program speaking for it knows too."""
        with self._faults_told():
            self._db.execute("UPDATE own SET left = 1")

    @property
    def left(self) -> bool:
        """Whether the table has left its club since it joined."""
        with self._faults_told():
            return bool(self._rows("SELECT left FROM own")[0][0])

    @property
    def card_secret(self) -> str:
        """The club's secret, by which its tables recognise club cards; "" while the table has not been told it."""
        with self._faults_told():
            rows = self._rows("SELECT secret FROM card_secret")
        return str(rows[0][0]) if rows else ""

    def keep_card_secret(self, secret: str) -> None:
        """Keep the club's secret for club cards, where only the file's owner may read it."""
        with self._faults_told():
            self._path.chmod(0o600)
            self._db.execute("REPLACE INTO card_secret VALUES (1, ?)", (secret,))

    def give_identity(self, to: "Outbox") -> None:
        """Adopt another outbox as this table's."""
        with self._faults_told():
            ((table, birth, left, revised),) = self._rows("SELECT id, birth, left, revised FROM own")
            newest = max([revised, *(msgspec.json.decode(body)["revision"] for (body,) in self._rows(_BODIES))])
        with to._faults_told():
            to._db.execute("UPDATE own SET id = ?, birth = ?, left = ?, revised = ?", (table, birth, left, newest))
        if self.card_secret:
            to.keep_card_secret(self.card_secret)

    def contest(self) -> None:
        """Note that another has spoken in this table's name."""
        if not self.contested:
            with self._faults_told():
                self._db.execute("REPLACE INTO contested VALUES (1)")
            self.contested = True

    def outdo(self) -> None:
        """Send everything again, with births and revisions above whatever another has said in this table's name."""
        distance = _beyond()
        with self._faults_told():
            written = [msgspec.json.decode(body, type=MatchResult) for (body,) in self._rows(_BODIES)]
            raised = [
                (payloads.written(replace(result, revision=result.revision + distance)), result.match)
                for result in written
            ]
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("UPDATE result SET body = ?, acknowledged = 0 WHERE match = ?", raised)
            self._db.execute("UPDATE own SET birth = birth + ?, revised = revised + ?", (distance, distance))
            self._db.execute("DELETE FROM contested")
            self._db.execute("COMMIT")
        self.contested = False
        self._revised += distance
        self._due = None

    def skip(self, number: int) -> None:
        """Skip this many births and revisions."""
        with self._faults_told():
            self._db.execute("UPDATE own SET birth = birth + ?, revised = revised + ?", (number, number))

    def judged(self) -> dict[int, int]:
        """Return the revision of each match's entry from which its result was written down; -1: it was being played."""
        with self._faults_told():
            return dict(self._rows("SELECT match, events FROM result"))

    def written_result(self, match: int) -> MatchResult | None:
        """Return what was last written down for a match."""
        with self._faults_told():
            rows = self._rows("SELECT body FROM result WHERE match = ?", match)
            return msgspec.json.decode(rows[0][0], type=MatchResult) if rows else None

    def put(self, result: MatchResult, recorded: int) -> None:
        """Write down a result to be sent, as a new revision if it differs from the one before; `recorded` is the
        revision of the match's entry that it follows from, as `judged` returns it.
        """
        earlier = self.written_result(result.match)
        revision = earlier.revision if earlier else self._revised
        with self._faults_told():
            if earlier is not None and replace(result, revision=revision) == earlier:
                self._db.execute("UPDATE result SET events = ? WHERE match = ?", (recorded, result.match))
                return
            body = payloads.written(replace(result, revision=revision + 1))
            self._due = None
            self._db.execute("REPLACE INTO result VALUES (?, ?, ?, 0)", (result.match, recorded, body))

    def next(self) -> tuple[int, bytes] | None:
        """Return the oldest match whose result the broker has not acknowledged, and its payload."""
        return next(iter(self._looked_up()), None)

    def waiting(self) -> int:
        """Return how many results the broker has not acknowledged."""
        return self._waiting if self._looked_up() else 0

    def acknowledge(self, match: int, body: bytes) -> None:
        """Note that the broker has this. A newer revision, written down since, is still to be sent."""
        with self._faults_told():
            self._due = None
            self._db.execute("UPDATE result SET acknowledged = 1 WHERE match = ? AND body = ?", (match, body))

    def send_again(self, since: int) -> None:
        """Send the results of all matches after this number again, as they stand."""
        with self._faults_told():
            self._due = None
            self._db.execute("UPDATE result SET acknowledged = 0 WHERE match > ?", (min(since, 2**62),))

    def _set_up(self) -> tuple[str, int]:
        self._db.execute("PRAGMA synchronous = EXTRA")  # the folder too, so that an id once told is kept
        self._db.executescript(f"BEGIN IMMEDIATE;{_LAYOUT}COMMIT;")
        if not self._rows("SELECT 1 FROM own"):
            self._db.execute("INSERT INTO own VALUES (?, 0, 0, 0)", (topics.drawn_table(),))
        ((table, revised),) = self._rows("SELECT id, revised FROM own")
        self.contested = bool(self._rows("SELECT 1 FROM contested"))
        if not topics.is_table(table):
            raise ValueError("it holds no table's id")
        return table, revised

    def _looked_up(self) -> list[tuple[int, bytes]]:
        """Look up the first that is due, and how many are; only if that may have changed, because it is asked often."""
        if self._due is None:
            with self._faults_told():
                self._due = self._rows("SELECT match, body FROM result WHERE NOT acknowledged ORDER BY match LIMIT 1")
                ((self._waiting,),) = self._rows("SELECT count(*) FROM result WHERE NOT acknowledged")
        return self._due

    def _rows(self, sql: str, *values: int) -> list[tuple[Any, ...]]:
        return self._db.execute(sql, values).fetchall()

    @contextmanager
    def _faults_told(self) -> Iterator[None]:
        try:
            yield
        except FAULTS as wrong:
            raise OutboxFault(f"can't use {self._path}: {wrong}") from wrong


def copy_identity(path: Path, to: Path) -> None:
    """Write an outbox with the table's identity, but nothing sent. Raises `OutboxFault`."""
    with closing(Outbox(path)) as whole, closing(Outbox(to)) as bare:
        whole.give_identity(bare)


def card_secret(path: Path) -> str:
    """Return the club's secret that this outbox holds, or "". Raises `OutboxFault`."""
    with closing(Outbox(path)) as outbox:
        return outbox.card_secret


def go_ahead(path: Path) -> None:
    """Move an outbox from a backup beyond everything sent since the backup was made. Raises `OutboxFault`.

    The log comes from the backup too: match numbers are used again, and a hub must take the new matches.
    """
    with closing(Outbox(path)) as outbox:
        outbox.skip(_beyond())


def _beyond() -> int:
    """Return a growing number, of revisions that nobody reaches by counting."""
    return max(1000, int(time.time()))


def table_id(path: Path) -> str:
    """Return the id of this outbox's table, drawing one if missing. Raises `OutboxFault`."""
    with closing(Outbox(path)) as outbox:
        return outbox.table
