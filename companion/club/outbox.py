"""A table's outbox for its club: its id, its births, and the results to be sent, in a database beside the log.

A result is stored here, with its revision, before it is sent. After a kill at any moment the same revision is sent
again, and a hub takes it only once.
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
    """The outbox can't be read or written."""


class Outbox:
    """The open file. Use it from one thread. Every method raises `OutboxFault`."""

    def __init__(self, path: Path) -> None:
        """Open the file; if it is missing, create it with a random table id."""
        self._path = path
        self._due: list[tuple[int, bytes]] | None = None
        """The first unacknowledged result, or none; None: not looked up yet."""
        self._waiting = 0
        self.contested = False
        """Whether another client has used this table's id since everything was last sent."""
        with self._raising_outbox_faults():
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
        """Count a new connection, and return its birth, which no earlier one had."""
        with self._raising_outbox_faults():
            self._db.execute("UPDATE own SET birth = birth + 1")
            ((birth,),) = self._rows("SELECT birth FROM own")
            return int(birth)

    def join(self) -> None:
        """Note that the table is in its club, also after it had left."""
        with self._raising_outbox_faults():
            self._db.execute("UPDATE own SET left = 0")

    def leave(self) -> None:
        """Note that the table has left its club; a running program reads that before it reconnects."""
        with self._raising_outbox_faults():
            self._db.execute("UPDATE own SET left = 1")

    @property
    def left(self) -> bool:
        """Whether the table has left its club since it joined."""
        with self._raising_outbox_faults():
            return bool(self._rows("SELECT left FROM own")[0][0])

    @property
    def card_secret(self) -> str:
        """The club's secret for club cards; "" while the table does not know it."""
        with self._raising_outbox_faults():
            rows = self._rows("SELECT secret FROM card_secret")
        return str(rows[0][0]) if rows else ""

    def keep_card_secret(self, secret: str) -> None:
        """Store the club's secret for club cards, readable for the file's owner only."""
        with self._raising_outbox_faults():
            self._path.chmod(0o600)
            self._db.execute("REPLACE INTO card_secret VALUES (1, ?)", (secret,))

    def give_identity(self, to: "Outbox") -> None:
        """Copy this table's id, birth, revision and secret to another outbox."""
        with self._raising_outbox_faults():
            ((table, birth, left, revised),) = self._rows("SELECT id, birth, left, revised FROM own")
            newest = max([revised, *(msgspec.json.decode(body)["revision"] for (body,) in self._rows(_BODIES))])
        with to._raising_outbox_faults():
            to._db.execute("UPDATE own SET id = ?, birth = ?, left = ?, revised = ?", (table, birth, left, newest))
        if self.card_secret:
            to.keep_card_secret(self.card_secret)

    def contest(self) -> None:
        """Note that another client has used this table's id."""
        if not self.contested:
            with self._raising_outbox_faults():
                self._db.execute("REPLACE INTO contested VALUES (1)")
            self.contested = True

    def outdo(self) -> None:
        """Send everything again, with births and revisions above any that another client of this id has sent."""
        distance = _beyond()
        with self._raising_outbox_faults():
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
        """Leave out this many births and revisions."""
        with self._raising_outbox_faults():
            self._db.execute("UPDATE own SET birth = birth + ?, revised = revised + ?", (number, number))

    def judged(self) -> dict[int, int]:
        """Return, by match, the revision of the log's entry behind its stored result; -1: it was being played."""
        with self._raising_outbox_faults():
            return dict(self._rows("SELECT match, events FROM result"))

    def written_result(self, match: int) -> MatchResult | None:
        """Return the stored result of a match, or None."""
        with self._raising_outbox_faults():
            rows = self._rows("SELECT body FROM result WHERE match = ?", match)
            return msgspec.json.decode(rows[0][0], type=MatchResult) if rows else None

    def put(self, result: MatchResult, recorded: int) -> None:
        """Store a result to be sent, as a new revision if it differs from the stored one.

        `recorded` is the revision of the log's entry that it is based on, as `judged` returns it.
        """
        earlier = self.written_result(result.match)
        revision = earlier.revision if earlier else self._revised
        with self._raising_outbox_faults():
            if earlier is not None and replace(result, revision=revision) == earlier:
                self._db.execute("UPDATE result SET events = ? WHERE match = ?", (recorded, result.match))
                return
            body = payloads.written(replace(result, revision=revision + 1))
            self._due = None
            self._db.execute("REPLACE INTO result VALUES (?, ?, ?, 0)", (result.match, recorded, body))

    def next(self) -> tuple[int, bytes] | None:
        """Return the oldest match with an unacknowledged result, and its payload; None if there is none."""
        return next(iter(self._looked_up()), None)

    def waiting(self) -> int:
        """Return the number of unacknowledged results."""
        return self._waiting if self._looked_up() else 0

    def acknowledge(self, match: int, body: bytes) -> None:
        """Note that the broker has this payload. A newer revision, stored since, remains to be sent."""
        with self._raising_outbox_faults():
            self._due = None
            self._db.execute("UPDATE result SET acknowledged = 1 WHERE match = ? AND body = ?", (match, body))

    def send_again(self, since: int) -> None:
        """Have the results of all matches after this number sent again."""
        with self._raising_outbox_faults():
            self._due = None
            self._db.execute("UPDATE result SET acknowledged = 0 WHERE match > ?", (min(since, 2**62),))

    def _set_up(self) -> tuple[str, int]:
        self._db.execute("PRAGMA synchronous = EXTRA")  # syncs the folder too, so that an id once sent is never lost
        self._db.executescript(f"BEGIN IMMEDIATE;{_LAYOUT}COMMIT;")
        if not self._rows("SELECT 1 FROM own"):
            self._db.execute("INSERT INTO own VALUES (?, 0, 0, 0)", (topics.drawn_table(),))
        ((table, revised),) = self._rows("SELECT id, revised FROM own")
        self.contested = bool(self._rows("SELECT 1 FROM contested"))
        if not topics.is_table(table):
            raise ValueError("it holds no table's id")
        return table, revised

    def _looked_up(self) -> list[tuple[int, bytes]]:
        """Return the first unacknowledged result; cached, because it is asked for at every turn."""
        if self._due is None:
            with self._raising_outbox_faults():
                self._due = self._rows("SELECT match, body FROM result WHERE NOT acknowledged ORDER BY match LIMIT 1")
                ((self._waiting,),) = self._rows("SELECT count(*) FROM result WHERE NOT acknowledged")
        return self._due

    def _rows(self, sql: str, *values: int) -> list[tuple[Any, ...]]:
        return self._db.execute(sql, values).fetchall()

    @contextmanager
    def _raising_outbox_faults(self) -> Iterator[None]:
        try:
            yield
        except FAULTS as wrong:
            raise OutboxFault(f"can't use {self._path}: {wrong}") from wrong


def copy_identity(path: Path, to: Path) -> None:
    """Write an outbox with the table's identity, but without results. Raises `OutboxFault`."""
    with closing(Outbox(path)) as whole, closing(Outbox(to)) as bare:
        whole.give_identity(bare)


def card_secret(path: Path) -> str:
    """Return the club's secret from an outbox, or "". Raises `OutboxFault`."""
    with closing(Outbox(path)) as outbox:
        return outbox.card_secret


def go_ahead(path: Path) -> None:
    """Raise a restored outbox's births and revisions above any sent since the backup. Raises `OutboxFault`.

    Match numbers are used again, because the log was restored too, and a hub must take the new matches.
    """
    with closing(Outbox(path)) as outbox:
        outbox.skip(_beyond())


def _beyond() -> int:
    """Return a distance that counting up by one never reaches: seconds since 1970, so that it grows."""
    return max(1000, int(time.time()))


def table_id(path: Path) -> str:
    """Return the table id of an outbox, which is created if missing. Raises `OutboxFault`."""
    with closing(Outbox(path)) as outbox:
        return outbox.table
