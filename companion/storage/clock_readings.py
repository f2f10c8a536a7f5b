"""The wall-clock readings that a log holds beside its matches, and the dates of matches that follow from them."""

import threading
from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from typing import Any

from msgspec import Struct

from companion.storage import dating
from companion.wall_clock import Reading, Trust

Rows = Callable[..., list[tuple[Any, ...]]]
"""Queries the log's database: SQL and its values come in, rows go out."""
COLUMNS = "match, run, boot, ticks, wall, zone, trust"
_COLUMNS = "id, match, CAST(run AS TEXT), CAST(boot AS TEXT), ticks, wall, zone, trust"
INSERT = "INSERT INTO clock (match, run, boot, ticks, wall, zone, trust) VALUES (?, ?, ?, ?, ?, ?, ?)"


class Dated(Struct, frozen=True):
    """What is known of when a match began."""

    began: str
    """Local time, ISO 8601; "" while nobody knows."""
    sitting: str
    """Identifies the run of the program in which it began."""


def values(reading: Reading, match: int | None) -> tuple[Any, ...]:
    """Return the values for `INSERT`; `match` is the one that began with this reading."""
    return match, reading.run, reading.boot, reading.ticks, reading.wall, reading.zone, int(reading.trust)


def newest(rows: Rows, boot: str) -> list[Reading]:
    """Return the readings of one boot, preceded by the last one of an earlier boot."""
    earlier_sql = f"SELECT * FROM (SELECT {_COLUMNS} FROM clock WHERE boot <> ? ORDER BY id DESC LIMIT 1)"
    boot_sql = f"SELECT {_COLUMNS} FROM clock WHERE boot = ? ORDER BY id"
    return [reading for _, _, reading in (*_read(rows(earlier_sql, boot)), *_read(rows(boot_sql, boot)))]


def every(rows: Rows) -> list[tuple[int | None, Reading]]:
    """Return all readings, oldest first, each with the match that began with it."""
    return _dated(rows(f"SELECT {_COLUMNS} FROM clock NOT INDEXED ORDER BY id"))


def numbered(rows: Rows, number: int) -> list[tuple[int | None, Reading]]:
    """Return the reading with this number, in the form of `every`; [] if there is none."""
    return _dated(rows(f"SELECT {_COLUMNS} FROM clock NOT INDEXED WHERE id = ?", number))


def _dated(rows: Sequence[tuple[Any, ...]]) -> list[tuple[int | None, Reading]]:
    return [(match, reading) for _, match, reading in _read(rows)]


class MatchDates:
    """When the matches of one log began, as far as its readings tell. Any thread may use it.

    Readings are never changed or deleted, so each is read only once; a new one changes only the dates of its own boot.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._all_read_to = 0
        """All readings up to this number are known."""
        self._read_to: dict[str, int] = {}
        """By boot, the number of its newest known reading."""
        self._readings: dict[str, list[Reading]] = {}
        """By boot, oldest first."""
        self._openings: dict[str, list[tuple[int, Reading]]] = {}
        """By boot: its matches, and the first reading of each."""
        self._dated: dict[int, Dated] = {}
        self._in_order: list[tuple[str, int]] = []
        """When each match began, in order, and its number."""
        self._set_in = ""
        """The boot whose clock has been set since its newest stored reading; "" if none has."""

    def of(self, match: int) -> Dated | None:
        """Return what is known of a match; None if it has no reading."""
        return self._dated.get(match)

    def of_boot(self, boot: str) -> dict[int, str]:
        """Return when the matches of a boot began."""
        return {match: self._dated[match].began for match, _ in self._openings.get(boot, ())}

    def between(self, start: str, end: str) -> list[int]:
        """Return the matches begun from `start` up to but not including `end`, both local time in ISO 8601."""
        in_order = self._in_order
        return [match for _, match in in_order[bisect_left(in_order, (start,)) : bisect_left(in_order, (end,))]]

    def look_at_all(self, rows: Rows, current: Reading) -> None:
        """Read what has been added; `current` counts as the newest reading."""
        with self._lock:
            added = rows(f"SELECT {_COLUMNS} FROM clock WHERE id > ? ORDER BY id", self._all_read_to)
            if added:
                self._all_read_to = added[-1][0]
            self._take(added, current)

    def look_at_matches(self, rows: Rows, current: Reading, first: int, last: int) -> None:
        """Read what has been added in the boots in which these matches began."""
        if first <= 1:  # the whole log is asked for: one query, not one a boot
            self.look_at_all(rows, current)
            return
        boots = rows("SELECT DISTINCT CAST(boot AS TEXT) FROM clock WHERE match BETWEEN ? AND ?", first, last)
        for (boot,) in boots:
            self._look_at_boot(rows, current, boot)

    def look_at_this_boot(self, rows: Rows, current: Reading) -> None:
        """Read what has been added in the current boot."""
        self._look_at_boot(rows, current, current.boot)

    def _look_at_boot(self, rows: Rows, current: Reading, boot: str) -> None:
        with self._lock:
            which = "boot = ? AND id > ?"
            read_to = self._read_to.get(boot, 0)
            self._take(rows(f"SELECT {_COLUMNS} FROM clock WHERE {which} ORDER BY id", boot, read_to), current)

    def _take(self, added: Sequence[tuple[Any, ...]], current: Reading) -> None:
        boots_to_date = {self._set_in} if self._set_in else set()
        for number, match, reading in _read(added):
            if number <= self._read_to.get(reading.boot, 0):
                continue
            self._read_to[reading.boot] = number
            self._readings.setdefault(reading.boot, []).append(reading)
            if match is not None:
                self._openings.setdefault(reading.boot, []).append((match, reading))
            boots_to_date.add(reading.boot)
        believed_reading = dating.believed(current, self._readings.get(current.boot, ()))
        is_set = current.boot in self._readings and dating.is_news(believed_reading, self._readings[current.boot])
        self._set_in = current.boot if is_set else ""
        if is_set:
            boots_to_date.add(current.boot)
        if boots_to_date:
            self._date_anew(boots_to_date, believed_reading)

    def _date_anew(self, boots: Collection[str], current: Reading) -> None:
        for boot in boots:
            set_since = [current] if boot == self._set_in else []
            best_reading = dating.best([*self._readings[boot], *set_since])
            assert best_reading is not None
            for match, opening in self._openings.get(boot, ()):
                self._dated[match] = Dated(dating.began(opening, [best_reading]), opening.run)
        self._in_order = sorted((date.began, match) for match, date in self._dated.items())


def _read(rows: Sequence[tuple[Any, ...]]) -> list[tuple[int, int | None, Reading]]:
    """Read rows; malformed ones are left out."""
    readings = []
    for number, match, run, boot, ticks, wall, zone, trust in rows:
        try:
            reading = Reading(str(run), str(boot), float(ticks), float(wall), int(zone), Trust(trust))
        except (TypeError, ValueError):
            continue
        readings.append((number, match, reading))
    return readings
