"""Rebuild a damaged log row by row: past bad pages, a bad index, a bad or missing beginning.

SQLite stores a table as a tree ordered by row id, so each row can be asked for without any index.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from companion.storage import clock_readings, decisions
from companion.storage.files import wal_of
from companion.storage.log import Log
from companion.storage.opening import FAULTS, connected

PAGE = 4096
"""Bytes: the page of every log that we make."""
HEAD = 100
"""Bytes of the header of an SQLite file: see "Database File Format" in its documentation."""
_LEAST = 24
"""The fewest bytes of a row; it bounds how many rows a file may have."""
_COLUMNS = {
    "match": "id, began, simulated",
    "event": "match, seq, origin, body, digest",
    "pause": "id, match, at, why",
    "decision": f"id, {decisions.COLUMNS}",
    "clock": f"id, {clock_readings.COLUMNS}",
}

Row = tuple[Any, ...]


def rebuild(damaged: Path, folder: Path) -> Iterator[Path]:
    """Yield logs rebuilt from the readable rows of the file: as it is, with a good header, with a good first page."""
    copy = folder / "copy.sqlite"
    copy.write_bytes(damaged.read_bytes())
    if wal_of(damaged).is_file():
        wal_of(copy).write_bytes(wal_of(damaged).read_bytes())
    with suppress(*FAULTS), closing(connected(copy, "rw")) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    wal_of(copy).unlink(missing_ok=True)
    content = copy.read_bytes()
    empty = _empty_log(folder / "empty.sqlite")
    for ours in (0, HEAD, PAGE):
        copy.write_bytes(_first_page(empty, len(content) // PAGE)[:ours] + content[ours:])
        rebuilt = folder / f"rebuilt-{ours}.sqlite"
        rebuilt.write_bytes(empty)
        if _take_rows(copy, rebuilt):
            yield rebuilt


def _take_rows(damaged: Path, to: Path) -> int:
    """Copy every readable row into a new log; return the number of events."""
    with closing(sqlite3.connect(damaged)) as old, closing(sqlite3.connect(to)) as new:
        new.execute("PRAGMA synchronous = OFF")
        old.text_factory = bytes
        events, holes = rows_of(old, "event", damaged)
        torn = {row[1] for row in events if row[0] + 1 in holes}  # matches of which later events may be lost
        for table in _COLUMNS:
            old_rows = events if table == "event" else rows_of(old, table, damaged)[0]
            rows = [_as_text(row[1:]) for row in old_rows if table != "event" or row[1] not in torn]
            places = ", ".join("?" * len(_COLUMNS[table].split(", ")))
            new.executemany(f"INSERT OR IGNORE INTO {table} ({_COLUMNS[table]}) VALUES ({places})", rows)
        new.commit()
    return len(events)


def rows_of(db: sqlite3.Connection, table: str, file: Path) -> tuple[list[Row], set[int]]:
    """Return a table's rows, each after its number, and the numbers where reading failed."""
    columns = _COLUMNS[table]
    try:
        db.execute(f"SELECT {columns} FROM {table} LIMIT 0")
    except FAULTS:
        return [], set()  # the schema does not name the table's first page, so no row can be found
    rows = list[Row]()
    holes = set[int]()
    next_row = 1
    most = file.stat().st_size // _LEAST
    sql = f"SELECT rowid, {columns} FROM {table} NOT INDEXED WHERE rowid BETWEEN ? AND {most} ORDER BY rowid"
    while next_row <= most:
        try:
            for row in db.execute(sql, (next_row,)):
                if row[0] < next_row:
                    break  # a damaged page links back to one that has been read
                rows.append(row)
                next_row = row[0] + 1
            else:
                break
        except FAULTS:
            pass
        holes.add(next_row)
        next_row += 1
    return rows, holes


def _as_text(row: Row) -> Row:
    return tuple(value.decode(errors="replace") if isinstance(value, bytes) else value for value in row)


def _empty_log(path: Path) -> bytes:
    """Return a log without matches."""
    Log(path, writes=True).close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
    return path.read_bytes()


def _first_page(empty: bytes, pages: int) -> bytes:
    """Return the first page of a log with so many pages."""
    first = bytearray(empty[:PAGE])
    first[28:32] = max(1, pages).to_bytes(4)
    # SQLite believes the number of pages only if "version-valid-for" (92) equals the change counter (24).
    first[92:96] = first[24:28]
    return bytes(first)
