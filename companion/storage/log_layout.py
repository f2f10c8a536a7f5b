"""The layout of a log's file, and the conversion of an older layout, in one transaction.

Layout 5 added decisions about a match after its end. Layout 4 added readings of the wall clock, so that a match can be
dated once the time is known. Layout 3 added breaks and early ends, for which a record has no events. Layout 2 added a
digest to every event (`companion.judge.digest_chain`), which shows whether it was altered. Converting layout 1 changes
every row, so a copy of the old file is kept.
"""

import functools
import logging
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from companion.judge.digest_chain import chain
from companion.judge.record_file import Damaged, decode_lines, encode_line
from companion.storage.ailments import AilmentCode
from companion.storage.files import close_to_others, files_of_log, old_layout_of, private, swap, sync
from companion.storage.opening import FAULTS, LogFault, code_of, connected, connected_to_read, copy, fault

VERSION = 5
SCHEMA = """SELECT type, name, tbl_name, sql FROM sqlite_master
WHERE NOT (type = 'table' AND name GLOB 'sqlite_stat[1-4]')"""
"""The query for a log's schema, without ANALYZE's statistics, which change no rows."""
_STAYS = "CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events are never changed'); END"
_FIRST = f"""
CREATE TABLE match (id INTEGER PRIMARY KEY, began TEXT NOT NULL, simulated INTEGER NOT NULL);
CREATE TABLE event (
  match INTEGER NOT NULL REFERENCES match (id),
  seq INTEGER NOT NULL,
  origin TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (match, seq)
);
CREATE UNIQUE INDEX event_origin ON event (origin) WHERE origin <> '';
{_STAYS};
CREATE TRIGGER event_kept BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
CREATE TRIGGER match_stays BEFORE UPDATE ON match BEGIN SELECT RAISE(ABORT, 'matches are never changed'); END;
CREATE TRIGGER match_kept BEFORE DELETE ON match BEGIN SELECT RAISE(ABORT, 'matches are never deleted'); END;
"""
"""The schema of layout 1."""
_SCHEMA = _FIRST.replace("  PRIMARY KEY", "  digest TEXT NOT NULL,\n  PRIMARY KEY")
_MAKE_ROOM = "DROP TRIGGER event_stays; ALTER TABLE event ADD COLUMN digest TEXT NOT NULL DEFAULT '';"
_PAUSES = (
    "CREATE TABLE pause (id INTEGER PRIMARY KEY, match INTEGER NOT NULL REFERENCES match (id),"
    " at REAL NOT NULL, why TEXT NOT NULL)",
    "CREATE TRIGGER pause_stays BEFORE UPDATE ON pause BEGIN SELECT RAISE(ABORT, 'pauses are never changed'); END",
    "CREATE TRIGGER pause_kept BEFORE DELETE ON pause BEGIN SELECT RAISE(ABORT, 'pauses are never deleted'); END",
)
"""Added in layout 3: why a match was paused from then on; "" once it went on."""
_CLOCK = (
    "CREATE TABLE clock (id INTEGER PRIMARY KEY, match INTEGER REFERENCES match (id), run TEXT NOT NULL,"
    " boot TEXT NOT NULL, ticks REAL NOT NULL, wall REAL NOT NULL, zone INTEGER NOT NULL, trust INTEGER NOT NULL)",
    "CREATE INDEX clock_match ON clock (match) WHERE match IS NOT NULL",
    "CREATE INDEX clock_boot ON clock (boot)",
    "CREATE TRIGGER clock_stays BEFORE UPDATE ON clock BEGIN SELECT RAISE(ABORT, 'readings are never changed'); END",
    "CREATE TRIGGER clock_kept BEFORE DELETE ON clock BEGIN SELECT RAISE(ABORT, 'readings are never deleted'); END",
)
"""Added in layout 4: the fields of `wall_clock.Reading`, and the match that began with it, if one did."""
_DECISIONS = (
    "CREATE TABLE decision (id INTEGER PRIMARY KEY, match INTEGER NOT NULL REFERENCES match (id), at REAL NOT NULL,"
    " noted TEXT NOT NULL, names TEXT NOT NULL, what TEXT NOT NULL, newest INTEGER NOT NULL)",
    "CREATE INDEX decision_match ON decision (match)",
    "CREATE TRIGGER decision_stays BEFORE UPDATE ON decision"
    " BEGIN SELECT RAISE(ABORT, 'decisions are never changed'); END",
    "CREATE TRIGGER decision_kept BEFORE DELETE ON decision"
    " BEGIN SELECT RAISE(ABORT, 'decisions are never deleted'); END",
)
"""Added in layout 5: the fields of `decisions.Decision`, and the last match begun by then."""
_SECOND = (_SCHEMA, f"{_FIRST}{_MAKE_ROOM}{_STAYS};")
_THIRD = tuple(f"{script}{';'.join(_PAUSES)};" for script in _SECOND)
_FOURTH = tuple(f"{script}{';'.join(_CLOCK)};" for script in _THIRD)
_FIFTH = tuple(f"{script}{';'.join(_DECISIONS)};" for script in _FOURTH)
_LAYOUTS = {0: ("",), 1: (_FIRST,), 2: _SECOND, 3: _THIRD, 4: _FOURTH, 5: _FIFTH}
"""By layout, the scripts that make its schema. A converted log's differs in its text from that of a new one, since
SQLite keeps the statements as they were executed."""

_journal = logging.getLogger(__name__)


def opened(path: Path, writes: bool) -> tuple[sqlite3.Connection, int]:
    """Connect to a log and check that it is ours; for a writer, create it or convert it to the newest layout.

    Return the connection and the layout, which may be an old one for a reader. Raises `LogFault`.
    """
    if writes and not path.exists():
        with suppress(OSError):  # SQLite says why
            private(path).close()
    try:
        db = connected(path) if writes else connected_to_read(path)
    except FAULTS as wrong:
        raise fault(path, wrong) from wrong
    try:
        version = _version(db, path)
        if writes:
            _make_ready(db, path, version)
            version = VERSION
    except FAULTS as wrong:
        db.close()
        raise fault(path, wrong) from wrong
    except LogFault:
        db.close()
        raise
    return db, version


def strange(schema: Collection[tuple[Any, ...]], layout: int) -> list[str]:
    """Return what differs in a log's schema, given as rows of `sqlite_master`, from what the table makes.

    With a trigger, or a view in place of a table, events could vanish or change although every digest is right.
    """
    differences = (known_schema.symmetric_difference(schema) for known_schema in _known_schemas(layout))
    return sorted({f"{kind} {name}" for kind, name, *_ in min(differences, key=len)})


@functools.cache
def _known_schemas(layout: int) -> list[frozenset[tuple[Any, ...]]]:
    """Return the schemas that a layout's scripts make."""
    schemas = []
    for script in _LAYOUTS[layout]:
        with closing(sqlite3.connect(":memory:")) as db:
            db.executescript(script)
            schemas.append(frozenset(db.execute(SCHEMA)))
    return schemas


def _version(db: sqlite3.Connection, path: Path) -> int:
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    if not 0 <= version <= VERSION:
        raise LogFault(
            f"{path} was written by a newer companion (log version {version}, this one knows {VERSION}): "
            "update this one. The log is left as it is",
            AilmentCode.LOG_NEWER,
        )
    if version == 0 and db.execute("SELECT 1 FROM sqlite_master").fetchone():
        raise LogFault(
            f"{path} is the database of another program: give the log a file of its own", AilmentCode.LOG_STRANGE
        )
    return version


def _make_ready(db: sqlite3.Connection, path: Path, version: int) -> None:
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    if version:
        # A test write: SQLite opens a file that may not be written without an error, and only the first event would
        # fail.
        db.execute(f"PRAGMA user_version = {version}")
    close_to_others(*files_of_log(path), *files_of_log(path.resolve()))
    if version == 0:
        db.executescript(f"BEGIN;{_LAYOUTS[VERSION][0]}PRAGMA user_version = {VERSION};COMMIT;")
    if version == 1:
        _add_digests(db, path)
    if version in (2, 3, 4):
        db.execute("BEGIN IMMEDIATE")
        _add_what_came_since(db, version)
        db.execute("COMMIT")


def _add_what_came_since(db: sqlite3.Connection, version: int) -> None:
    """Add the tables of newer layouts, empty: nothing of this was noted for earlier matches."""
    if version < 3:
        _add_pauses(db)
    if version < 4:
        for step in _CLOCK:
            db.execute(step)
    for step in _DECISIONS:
        db.execute(step)
    db.execute(f"PRAGMA user_version = {VERSION}")


def _add_pauses(db: sqlite3.Connection) -> None:
    """Add the table of breaks and early ends. Demonstrations of an old log count as ended, so nobody resumes one."""
    for step in _PAUSES:
        db.execute(step)
    db.execute("INSERT INTO pause (match, at, why) SELECT id, 0, 'ended' FROM match WHERE simulated = 2")


def _add_digests(db: sqlite3.Connection, path: Path) -> None:
    """Add a digest to every event of a log of layout 1, in one transaction, after keeping a copy."""
    old_log = old_layout_of(path, 1)
    try:
        _write_copy(db, old_log)
    except OSError as wrong:
        raise LogFault(
            f"can't keep the log {path} as {old_log.name} before it is converted: {wrong.strerror}. "
            "Nothing was changed",
            code_of(wrong),
        ) from wrong
    db.execute("BEGIN IMMEDIATE")
    for step in _MAKE_ROOM.split(";"):
        db.execute(step)
    for match in db.execute("SELECT DISTINCT match FROM event").fetchall():
        rows = db.execute("SELECT rowid, CAST(body AS BLOB) FROM event WHERE match = ? ORDER BY seq", match).fetchall()
        digested = _digested(body or b"" for _, body in rows)
        updates = ((*body_and_digest, rowid) for body_and_digest, (rowid, _) in zip(digested, rows, strict=False))
        db.executemany("UPDATE event SET body = ?, digest = ? WHERE rowid = ?", updates)
    db.execute(_STAYS)
    _add_what_came_since(db, 1)
    db.execute("COMMIT")
    _journal.info("the log %s now holds a digest of every event; the old one is kept as %s", path, old_log.name)


def _digested(lines: Iterable[bytes]) -> Iterator[tuple[str, str]]:
    """Yield events re-encoded as today, with their digests; of a damaged match, those before the damage."""
    digest = ""
    with suppress(Damaged):
        for event in decode_lines(lines):
            body = encode_line(event)
            (digest,) = chain([body], digest)
            yield body.decode(), digest


def _write_copy(db: sqlite3.Connection, target: Path) -> None:
    """Write a copy of the log under a temporary name, then rename it. Raises OSError, and what SQLite raises."""
    part = target.with_name(f"{target.name}.part")
    try:
        _clear(part)  # SQLite would apply a journal left by an earlier attempt to the new copy
        copy(db, part)
        sync(part)
        swap(part, target)
    finally:
        _clear(part)


def _clear(part: Path) -> None:
    for path in files_of_log(part):
        path.unlink(missing_ok=True)
