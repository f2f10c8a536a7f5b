"""Reads a log of the live table: its matches, their events, and when they were played.

Reading changes nothing in the file, and any number of programs may read beside the one that writes.
"""

from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from companion import wall_clock
from companion.events import Event
from companion.judge.digest_chain import bearing, chain, decode_verified, see_that_none_was_altered
from companion.judge.played_time import Away
from companion.judge.record_file import Damaged, NotInstalled, decode_lines, encode_line
from companion.storage import clock_readings, decisions
from companion.storage.ailments import AilmentCode
from companion.storage.clock_readings import Dated, MatchDates
from companion.storage.dating import as_noted
from companion.storage.decisions import Decided, Decision
from companion.storage.entries import Entry, LastRows, Pausing, Played
from companion.storage.log_layout import SCHEMA, opened, strange
from companion.storage.opening import FAULTS, GameMissing, LogFault, copy, fault, see_that_it_may_be_read
from companion.wall_clock import Reading

_LAST_BEFORE = (
    "SELECT max(CAST(json_extract(body, '$.at') AS REAL)) FROM event WHERE match = ? AND json_extract(body, '$.at') < ?"
)
OFF = "off"
"""The `why` of a pause that no people made: the table was off from then on."""
ON = "on"
"""The `why` that ends it: the table was on again."""
LEAST_READING = 60
"""The fewest bytes of a stored reading; it bounds how many a damaged file may hold."""
GAPS = 100
"""How many numbers beyond those listed are tried for matches."""
MOST = 100_000
"""How many numbers are tried at most when there is no list: in a damaged file the last may be huge."""


class LogReader:
    """An open log, to be read from one thread."""

    def __init__(self, path: Path, *, writes: bool, dates: MatchDates | None = None):
        """Open the log; a writer creates it if missing. `dates` are those known from opening it earlier.

        Raises `LogFault`.
        """
        self.path = path
        self._dates = dates or MatchDates()
        if not writes:
            see_that_it_may_be_read(path)
        self._db, self._layout = opened(path, writes)
        self.lost: set[int] = set()
        """The matches that could not be read when matches were listed."""

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def clock(self, boot: str) -> list[Reading]:
        """Return the wall-clock readings of this boot, preceded by the last one of an earlier boot."""
        return clock_readings.newest(self._rows, boot) if self._layout > 3 else []

    def paused(self, match: int) -> Pausing | None:
        """Return since when, and why, a match is paused; None if it is not. Raises `LogFault`."""
        by_people = f"AND why NOT IN ('{OFF}', '{ON}') ORDER BY id DESC LIMIT 1"
        rows = self._pauses("CAST(at AS REAL), CAST(why AS BLOB)", by_people, match)
        why = _text(rows[0][1]) if rows else None
        return Pausing(rows[0][0], why) if why else None

    def away(self, match: int) -> tuple[Away, ...]:
        """Return when a match was not on the table: while the table was off, or after its end until it was corrected or
        taken up. Unreadable parts are left out.
        """
        kinds = (Decided.PUT_RIGHT.value, Decided.TAKEN_UP.value)
        try:
            rows = self._pauses("CAST(at AS REAL), why", f"AND why IN ('{OFF}', '{ON}') ORDER BY id", match)
            changes = self._decisions("CAST(at AS REAL)", "match = ? AND what IN (?, ?)", match, *kinds)
            waited = [Away(since, at) for (at,) in changes for (since,) in self._rows(_LAST_BEFORE, match, at) if since]
        except LogFault:
            return ()
        off = [
            Away(since, until) for (since, why), (until, why_until) in pairwise(rows) if (why, why_until) == (OFF, ON)
        ]
        return (*off, *waited)

    def _readings(self) -> list[tuple[int | None, Reading]]:
        """Return all readable clock readings, each with the match that began with it, or None."""
        if self._layout < 4:
            return []
        with suppress(LogFault):
            return clock_readings.every(self._rows)
        # A page of them is damaged: each is read by its own number, past the damage.
        readings = []
        for number in range(1, self._size() // LEAST_READING):
            with suppress(LogFault):
                readings += clock_readings.numbered(self._rows, number)
        return readings

    def _size(self) -> int:
        return self.path.stat().st_size if self.path.exists() else 0

    def holds(self, origin: str) -> bool:
        """Whether a press of this origin is already stored."""
        return bool(self._rows("SELECT 1 FROM event WHERE origin = ? AND origin <> ''", origin))

    def latest(self) -> int | None:
        """Return the number of the last match begun."""
        rows = self._rows("SELECT id FROM match WHERE simulated IS NOT ? ORDER BY id DESC LIMIT 1", Played.LOST)
        return rows[0][0] if rows else None

    def next_number(self) -> int:
        """Return the number that the next match gets: lost ones keep theirs."""
        number: int = self._rows("SELECT coalesce(max(id), 0) + 1 FROM match")[0][0]
        return number

    def on_table(self) -> int | None:
        """Return the number of the match on the table: the one that was begun, or taken up again, last."""
        latest = self.latest()
        try:
            rows = self._decisions("match, newest", "what = ? ORDER BY id DESC LIMIT 1", Decided.TAKEN_UP.value)
        except LogFault:
            return latest
        return rows[0][0] if rows and latest is not None and rows[0][1] >= latest else latest

    def touched(self, since: LastRows) -> tuple[frozenset[int], LastRows]:
        """Return the matches to which anything was added since, and how far the log reaches now. Raises `LogFault`."""
        # NOT INDEXED makes SQLite start at this row id; through the index by match it would read every entry.
        events = self._rows("SELECT DISTINCT match FROM event NOT INDEXED WHERE rowid > ?", since.event)
        decided = self._decisions("DISTINCT match", "id > ?", since.decision)
        ((last_event,),) = self._rows("SELECT max(rowid) FROM event")
        ((last_decision,),) = self._decisions("max(id)", "1") or ((0,),)
        last_rows = LastRows(max(since.event, last_event or 0), max(since.decision, last_decision or 0))
        touched = frozenset(match for (match,) in (*events, *decided) if isinstance(match, int))  # else damaged
        return touched, last_rows

    def numbers(self) -> tuple[int, ...]:
        """Return the number of every match that has a row or any event. Raises `LogFault`."""
        traces = self._rows("SELECT id FROM match UNION SELECT match FROM event")
        lost = self._rows("SELECT id FROM match WHERE simulated IS ?", Played.LOST)
        return tuple(number for (number,) in traces if isinstance(number, int) and (number,) not in lost)

    def last_at(self) -> float:
        """Return the latest stored time, in seconds on the table's clock; 0 if none can be read."""
        try:
            decided: list[tuple[Any, ...]] = self._decisions("max(CAST(at AS REAL))", "1")
            latest_of_matches = [
                self._last_of(match) for match in {self.latest(), self.on_table()} if match is not None
            ]
        except LogFault:
            return 0.0
        return max([float(at or 0.0) for (at,) in decided] + latest_of_matches, default=0.0)

    def _last_of(self, match: int) -> float:
        """Return the latest time stored of a match; 0 if there is none. Raises `LogFault`."""
        rows = self._rows("SELECT max(json_extract(body, '$.at')) FROM event WHERE match = ?", match)
        rows += self._pauses("max(CAST(at AS REAL))", "", match)
        return max(float(at or 0.0) for (at,) in rows)

    def copy(self, to: Path) -> None:
        """Write a copy, one self-contained file, even while another process plays. Raises `LogFault`."""
        try:
            copy(self._db, to)
        except OSError as wrong:
            raise LogFault(f"can't write {to}: {wrong.strerror}") from wrong
        except FAULTS as wrong:
            raise fault(self.path, wrong) from wrong

    def check(self) -> None:
        """Check that the whole file can be read, is consistent, and is made as by the table. Raises `LogFault`."""
        self._checked("PRAGMA integrity_check")

    def skim(self) -> None:
        """Check only that no page of the file is damaged, in a third of the time. Raises `LogFault`."""
        self._checked("PRAGMA quick_check")

    def _checked(self, how: str) -> None:
        rows = self._rows(how)
        if rows != [("ok",)]:
            raise LogFault(f"the log {self.path} is damaged: {rows[0][0]}", AilmentCode.LOG_DAMAGED)
        if differs := strange(self._rows(SCHEMA), self._layout):
            raise LogFault(
                f"the log {self.path} is not made as the table makes it: see {', '.join(differs)[:200]}",
                AilmentCode.LOG_DAMAGED,
            )

    def lines(self, match: int) -> bytes:
        """Return a match as a record, as it was written. Raises `LogFault` if there is no such match."""
        return b"".join(body + b"\n" for body, _ in self._stored(match))

    def chained(self, match: int) -> bytes:
        """Return a match as a record with its digests, as they were written. Raises `LogFault`."""
        stored = self._stored(match)
        bodies = [body for body, _ in stored]
        try:
            if self._layout == 1:
                digests = [digest.encode() for digest in chain(bodies)]
            else:
                digests = [digest for _, digest in stored]
        except ValueError as wrong:
            raise LogFault(f"match {match} in {self.path} is damaged, and has no digests. Write it without") from wrong
        return b"".join(bearing(body, digest) + b"\n" for body, digest in zip(bodies, digests, strict=True))

    def verified(self, match: int) -> tuple[Event, ...]:
        """Read a match, and check that every byte is as it was written.

        Raises `Damaged`, or `NotInstalled` if only its game is missing; `LogFault` as `lines` does.
        """
        stored = self._stored(match)
        filed = [seq for (seq,) in self._rows("SELECT seq FROM event WHERE match = ? ORDER BY seq", match)]
        for number, seq in enumerate(filed, 1):
            if seq != number:  # the next event would get a number that is taken
                raise Damaged(number, f"number {seq} is filed where {number} is due")
        if self._layout == 1:
            return tuple(decode_lines(body for body, _ in stored))
        try:
            events = tuple(decode_verified(bearing(*row) for row in stored))
        except NotInstalled:
            see_that_none_was_altered(stored)
            raise
        for event, (body, _) in zip(events, stored, strict=True):
            if encode_line(event) != body:
                raise Damaged(event.seq, "it says the same, but not letter for letter as it was written")
        return events

    def events(self, match: int) -> tuple[Event, ...]:
        """Read a match. Raises `LogFault`, or `GameMissing` if nothing else is wrong."""
        try:
            return self.verified(match)
        except NotInstalled as wrong:
            raise GameMissing(f"match {match} in {self.path} is kept, but can't be shown: {wrong.why}") from wrong
        except Damaged as wrong:
            raise LogFault(
                f"match {match} in {self.path} is damaged, event {wrong.line}: {wrong.why}. "
                "Start a new one; nothing is deleted"
            ) from wrong

    def _stored(self, match: int) -> list[tuple[bytes, bytes]]:
        """Return the bodies and digests of a match; in layout 1, which had none, they are empty."""
        text = "typeof(body) = 'text' AND typeof(digest) = 'text'"  # any other type was not written by a companion
        digest = f"iif({text}, CAST(digest AS BLOB), NULL)" if self._layout > 1 else "NULL"
        rows = self._rows(f"SELECT CAST(body AS BLOB), {digest} FROM event WHERE match = ? ORDER BY seq", match)
        if not rows:
            raise LogFault(f"no match {match} in {self.path}; `companion export --list` shows what there is")
        return [(body or b"", digest or b"") for body, digest in rows]

    def matches(self, since: int = 0) -> list[Entry]:
        """List the matches, oldest first: all, or those from a number on; without those that `match` can't read.

        Raises `LogFault` if none can be found at all.
        """
        return self._around(lambda number: number >= since, "id >= ?", since)

    def match(self, number: int) -> Entry | None:
        """Return the entry of one match, or None if there is none. Raises `LogFault` if it can't be read."""
        entries = self._entries("id = ?", number)
        if not entries and self._rows("SELECT 1 FROM match WHERE id = ?", number):
            raise LogFault(f"match {number} in {self.path} is damaged: when it began can't be read. It counts nowhere")
        return next(iter(entries), None)

    def begun(self, start: str, end: str) -> list[Entry]:
        """List the matches whose `began`, as written, is from `start` up to but not including `end`; oldest first."""
        self._learn_dates(self._dates.look_at_all)
        numbers = ",".join(map(str, self._dates.between(start, end)))
        noted = "SELECT id FROM match WHERE began BETWEEN ? AND ?"
        within = self._around(lambda _: True, f"(id IN ({numbers}) OR id IN ({noted}))", start, end)
        return [entry for entry in within if start <= entry.began < end]

    def traces(self) -> list[int]:
        """Return the number of every match, even if the list can't be read: then 1, 2, 3 … are tried."""
        try:
            last = self.latest() or 0
        except LogFault:
            return []
        try:
            numbers = self.numbers()
        except LogFault:
            return [*range(1, min(last, MOST) + 1)]
        lost = {number for (number,) in self._rows("SELECT id FROM match WHERE simulated IS ?", Played.LOST)}
        return sorted({*range(1, min(last, len(numbers) + len(lost) + GAPS) + 1), *numbers} - lost)

    def _around(self, is_wanted: Callable[[int], bool], which: str, *values: object) -> list[Entry]:
        """Read the wanted entries at once, or one by one if a part of the file is damaged."""
        try:
            return self._entries(which, *values)
        except LogFault as wrong:
            numbers = [number for number in self.traces() if is_wanted(number)]
            if wrong.code is not AilmentCode.LOG_DAMAGED or not numbers:
                raise
        entries = []
        for number in numbers:
            try:
                entry = self.match(number)
            except LogFault:
                self.lost.add(number)
                continue
            if entry:
                entries.append(entry)
        return entries

    def _entries(self, which: str, *values: object) -> list[Entry]:
        """Read the entries of only the matches asked for, because over the years a log holds thousands."""
        last = "(SELECT CAST(digest AS BLOB) FROM event WHERE match = match.id ORDER BY seq DESC LIMIT 1)"
        newest = last if self._layout > 1 else "NULL"
        rows = self._rows(
            "SELECT id, iif(typeof(began) = 'text', CAST(began AS BLOB), NULL), simulated,"
            " (SELECT CAST(body AS BLOB) FROM event WHERE match = id AND seq = 1),"
            " (SELECT count(*) FROM event WHERE match = id),"
            f" {newest} FROM match"
            f" WHERE simulated IS NOT {Played.LOST} AND {which} ORDER BY id",
            *values,
        )
        if rows:
            self._learn_dates(self._dates.look_at_matches, rows[0][0], rows[-1][0])
        decided = self._decided(rows[0][0], rows[-1][0]) if rows else {}
        entries = []
        for number, written, played, body, events, digest in rows:
            noted = _text(written)
            if noted is not None:
                date = self._dates.of(number) or Dated(as_noted(noted), "")
                entry = Entry(
                    number,
                    date.began,
                    played,
                    _game_of(body),
                    events,
                    noted,
                    date.sitting,
                    _text(digest) or "",
                    tuple(decisions.of(decided, number)),
                )
                entries.append(entry)
        return entries

    def _decided(self, first: int, last: int) -> dict[int, list[Decision]]:
        """Return the readable decisions about these matches, by match."""
        try:
            rows = self._decisions(decisions.READ, "match BETWEEN ? AND ? ORDER BY id", first, last)
        except LogFault:
            return {}
        return decisions.by_match(rows)

    def dates_of_this_boot(self) -> dict[int, str]:
        """Return when matches began, as `Entry.began`, since this machine started: earlier ones change no more."""
        self._learn_dates(self._dates.look_at_this_boot)
        return self._dates.of_boot(wall_clock.read().boot)

    def _learn_dates(self, look: Callable[..., None], *which: int) -> None:
        """Update the known dates from the newest readings; unreadable ones are skipped."""
        if self._layout > 3:
            with suppress(LogFault):
                look(self._rows, wall_clock.read(), *which)

    def _pauses(self, columns: str, order: str, match: int | None) -> list[tuple[Any, ...]]:
        """Read a match's pauses; an older layout, which is not converted for a reader, has none."""
        return self._rows(f"SELECT {columns} FROM pause WHERE match = ? {order}", match) if self._layout > 2 else []

    def _decisions(self, columns: str, condition: str, *values: object) -> list[tuple[Any, ...]]:
        """Read decisions; an older layout has none."""
        return self._rows(f"SELECT {columns} FROM decision WHERE {condition}", *values) if self._layout > 4 else []

    def _rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            return self._db.execute(sql, values).fetchall()
        except OverflowError:  # a number beyond SQLite's integers is no match's
            return []
        except FAULTS as wrong:
            raise fault(self.path, wrong) from wrong


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
