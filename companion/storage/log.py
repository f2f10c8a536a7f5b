"""The log of the live table: one append-only SQLite file for all matches.

It uses a write-ahead log with full synchronisation: when `append` returns, the events survive a power cut. The body of
a row is the event's line in the record, byte for byte; its digest beside it shows whether the event was altered.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.events import Event
from companion.judge.digest_chain import chain
from companion.judge.record_file import encode_line
from companion.storage import clock_readings, decisions
from companion.storage.ailments import AilmentCode
from companion.storage.clock_readings import MatchDates
from companion.storage.decisions import Decision
from companion.storage.entries import Played
from companion.storage.files import wal_of
from companion.storage.log_layout import VERSION
from companion.storage.log_reading import OFF, ON, LogReader
from companion.storage.opening import FAULTS, LogFault, fault, lock
from companion.wall_clock import Reading

PATIENCE = 0.1
"""Seconds that an event waits while another program writes to the log, which none should: meanwhile the judge's thread
stands still."""
_ADD_EVENT = "INSERT INTO event (match, seq, origin, body, digest) VALUES (?, ?, ?, ?, ?)"


class Log(LogReader):
    """An open log to which the table adds. Use it from one thread; other processes may read beside it, one writes."""

    def __init__(self, path: Path, *, writes: bool, dates: MatchDates | None = None):
        """Open the log as `LogReader` does; if it `writes`, no other program may write meanwhile. Raises `LogFault`."""
        self._lock = lock(path) if writes else None
        try:
            super().__init__(path, writes=writes, dates=dates)
        except LogFault:
            if self._lock:
                self._lock.close()
            raise
        self._newest: tuple[int | None, str] = None, ""
        """The match last added to, and the digest that its next event follows."""
        self._inodes = {file: _inode(file) for file in (path, wal_of(path))} if writes else {}
        if writes:
            self._wait_at_most(PATIENCE)

    def close(self) -> None:
        """Close the file, and let another program write."""
        super().close()
        if self._lock:
            self._lock.close()

    def open_match(self, began: str, played: int, first: Event, reading: Reading | None = None) -> int:
        """Store a new match with its first event and what the wall clock said; return its number.

        A demonstration is stored as ended: if the table is switched off in the middle, nobody goes on with it.
        """
        with self._transaction():
            cursor = self._db.execute("INSERT INTO match (began, simulated) VALUES (?, ?)", (began, played))
            match = cursor.lastrowid
            assert match is not None
            newest = self._insert(match, [(first, "")], "")
            if reading is not None:
                self._db.execute(clock_readings.INSERT, clock_readings.values(reading, match))
            if played == Played.BY_ITSELF:
                self._insert_pause(match, first.at, "ended")
        self._newest = match, newest
        return match

    def append(
        self, match: int, events: Sequence[tuple[Event, str]], decided: Sequence[Decision] = decisions.NONE
    ) -> None:
        """Store events with their origins, and decisions, in one transaction; on return they are on disk.

        Raises `LogFault`.
        """
        with self._transaction():
            previous_digest = self._newest[1] if self._newest[0] == match else self._newest_of(match)
            newest = self._insert(match, events, previous_digest)
            self._insert_decisions(match, decided)
        self._newest = match, newest

    def decide(self, match: int, decision: Decision) -> None:
        """Store what people decided about a match. Raises `LogFault`."""
        with self._transaction():
            self._insert_decisions(match, [decision])

    def take_up(self, match: int, decision: Decision) -> None:
        """Store that a match is on the table again, and goes on. Raises `LogFault`."""
        with self._transaction():
            self._insert_decisions(match, [decision])
            self._insert_pause(match, decision.at, "")

    def pause(self, match: int, at: float, why: str) -> None:
        """Store why a match accepts no acts from now on; "" if it accepts them again. Raises `LogFault`."""
        with self._transaction():
            self._insert_pause(match, at, why)

    def note_off(self, until: float) -> None:
        """Store that the table was off since the last event of the match on the table until now. Raises `LogFault`."""
        match = self.on_table()
        if match is None:
            return
        with self._transaction():
            self._insert_pause(match, self._last_of(match), OFF)
            self._insert_pause(match, until, ON)

    def note_clock(self, reading: Reading) -> None:
        """Store what the wall clock says. Raises `LogFault`."""
        with self._transaction():
            self._db.execute(clock_readings.INSERT, clock_readings.values(reading, None))

    def take_over(self, source: "Log", matches: Iterable[int], lost: Iterable[int]) -> None:
        """Copy matches of another log byte for byte, under their old numbers, in one transaction. Raises `LogFault`.

        The numbers of lost matches are reserved, so that no other match gets them.
        """
        with self._transaction():
            for match in matches:
                self._take_over(source, match)
            rows = [(match, "", Played.LOST) for match in lost]
            self._db.executemany("INSERT OR IGNORE INTO match (id, began, simulated) VALUES (?, ?, ?)", rows)
            present = {number for (number,) in self._rows("SELECT id FROM match")}
            readings = [(reading, match if match in present else None) for match, reading in source._readings()]
            self._db.executemany(clock_readings.INSERT, [clock_readings.values(*dated) for dated in readings])

    def _take_over(self, source: "Log", match: int) -> None:
        ((began, played),) = source._rows("SELECT began, simulated FROM match WHERE id = ?", match)
        origins = source._rows("SELECT origin FROM event WHERE match = ? ORDER BY seq", match)
        bodies = [body for body, _ in source._stored(match)]
        rows = zip(origins, bodies, chain(bodies), strict=True)
        events = [(match, seq, origin, body.decode(), digest) for seq, ((origin,), body, digest) in enumerate(rows, 1)]
        self._db.execute("INSERT INTO match (id, began, simulated) VALUES (?, ?, ?)", (match, began, played))
        self._db.executemany(_ADD_EVENT, events)
        with suppress(LogFault):  # then it goes on as if it had not been paused
            for at, why in source._pauses("at, why", "ORDER BY id", match):
                self._insert_pause(match, at, why)
        with suppress(LogFault):  # then it counts as it was played
            decided = source._decisions(decisions.COLUMNS, "match = ?", match)
            self._db.executemany(decisions.INSERT, [row for row in decided if None not in row])

    def try_to_write(self) -> None:
        """Check that events could be stored now; nothing is changed. Raises `LogFault`."""
        # Writes the file's first page, with the version that it has already.
        with self._transaction():
            self._db.execute(f"PRAGMA user_version = {VERSION}")

    def _insert(self, match: int, events: Sequence[tuple[Event, str]], previous_digest: str) -> str:
        """Store events that follow the one with this digest; return the last one's."""
        bodies = [encode_line(event) for event, _ in events]
        digests = [*chain(bodies, previous_digest)]
        rows = [
            (match, event.seq, origin, body.decode(), digest)
            for (event, origin), body, digest in zip(events, bodies, digests, strict=True)
        ]
        self._db.executemany(_ADD_EVENT, rows)
        return [previous_digest, *digests][-1]

    def _insert_pause(self, match: int, at: float, why: str) -> None:
        self._db.execute("INSERT INTO pause (match, at, why) VALUES (?, ?, ?)", (match, at, why))

    def _insert_decisions(self, match: int, decided: Iterable[Decision]) -> None:
        for decision in decided:
            ((newest,),) = self._db.execute("SELECT max(id) FROM match").fetchall()
            self._db.execute(decisions.INSERT, decisions.values(match, decision, newest))

    def _newest_of(self, match: int) -> str:
        sql = "SELECT CAST(digest AS TEXT) FROM event WHERE match = ? ORDER BY seq DESC LIMIT 1"
        row: tuple[str] | None = self._db.execute(sql, (match,)).fetchone()
        return row[0] if row else ""

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        # SQLite would go on writing to a file that was moved or deleted, without an error.
        for file, inode in self._inodes.items():
            if _inode(file) != inode:
                self._rescue()
                says = f"the log {file} was moved or deleted while in use: put it back, or start again"
                raise LogFault(says, AilmentCode.LOG_MOVED)
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
            self._wait_at_most(PATIENCE)
        except FAULTS as wrong:
            with suppress(sqlite3.Error):  # the disk may fail at that too
                self._wait_at_most(0)  # until a write succeeds, or presses would wait one after the other
                self._db.rollback()
            raise fault(self.path, wrong) from wrong

    def _wait_at_most(self, seconds: float) -> None:
        self._db.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}")

    def _rescue(self) -> None:
        """Copy the deleted write-ahead log's contents into the log itself, while the deleted file is still open."""
        with suppress(sqlite3.Error):
            self._db.execute("PRAGMA wal_checkpoint(FULL)")


def _inode(path: Path) -> int | None:
    try:
        return path.stat().st_ino
    except OSError:
        return None
