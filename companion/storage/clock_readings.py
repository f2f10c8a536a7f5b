"""The readings of the wall clock that a log holds beside its matches, and what they say of when these began."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from companion.storage import dating
from companion.wall_clock import Reading, Trust

Rows = Callable[..., list[tuple[Any, ...]]]
"""Asks the log's database."""
_COLUMNS = "match, CAST(run AS TEXT), CAST(boot AS TEXT), ticks, wall, zone, trust"
INSERT = "INSERT INTO clock (match, run, boot, ticks, wall, zone, trust) VALUES (?, ?, ?, ?, ?, ?, ?)"


class Dated(Struct, frozen=True):
    """What is known of when a match began."""

    began: str
    """Local time, ISO 8601; "" while nobody knows."""
    sitting: str
    """Identifies the run of the program in which it began."""


def values(reading: Reading, match: int | None) -> tuple[Any, ...]:
    """Return what `INSERT` stores; `match` is the one that began then."""
    return match, reading.run, reading.boot, reading.ticks, reading.wall, reading.zone, int(reading.trust)


def newest(rows: Rows, boot: str) -> list[Reading]:
    """Return the readings of one run of the machine, and before them the last of an earlier one."""
    before = f"SELECT * FROM (SELECT {_COLUMNS} FROM clock WHERE boot <> ? ORDER BY id DESC LIMIT 1)"
    of_boot = f"SELECT {_COLUMNS} FROM clock WHERE boot = ? ORDER BY id"
    return [reading for _, reading in (*_read(rows(before, boot)), *_read(rows(of_boot, boot)))]


def dates(rows: Rows, now: Reading, which: str, *given: object) -> dict[int, Dated]:
    """Return when the matches began whose first readings meet this condition, and all others of the same runs of the
    machine; `now` counts as the newest reading.
    """
    of_matches = f"SELECT boot FROM clock WHERE match IS NOT NULL AND {which}"
    found = _read(rows(f"SELECT {_COLUMNS} FROM clock WHERE boot IN ({of_matches}) ORDER BY id", *given))
    readings: dict[str, list[Reading]] = defaultdict(list)
    for _, reading in found:
        readings[reading.boot].append(reading)
    if now.boot in readings:
        seen_now = dating.believed(now, readings[now.boot])
        if dating.is_news(seen_now, readings[now.boot]):
            readings[now.boot].append(seen_now)
    known = {boot: [best] for boot, theirs in readings.items() if (best := dating.best(theirs)) is not None}
    return {
        match: Dated(dating.began(opening, known[opening.boot]), opening.run)
        for match, opening in found
        if match is not None
    }


def within(dated: Mapping[int, Dated], start: str, end: str) -> str:
    """Return the condition for matches begun from `start`, up to but not including `end`: by their readings, or, with
    `start` and `end` as its values, as noted then.
    """
    as_noted = "began >= ? AND began < ?"
    if not dated:
        return as_noted
    numbers = ",".join(str(number) for number, date in dated.items() if start <= date.began < end)
    undated = "id NOT IN (SELECT match FROM clock WHERE match IS NOT NULL)"
    return f"(id IN ({numbers}) OR ({as_noted} AND {undated}))"


def _read(rows: Sequence[tuple[Any, ...]]) -> list[tuple[int | None, Reading]]:
    """Read rows; what is not made as the table makes it is left out."""
    found = []
    for match, run, boot, ticks, wall, zone, trust in rows:
        try:
            reading = Reading(str(run), str(boot), float(ticks), float(wall), int(zone), Trust(trust))
        except (TypeError, ValueError):
            continue
        found.append((match, reading))
    return found
