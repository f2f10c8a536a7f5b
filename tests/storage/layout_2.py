"""A log as it was before breaks and early ends were kept."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from companion.events import Event
from companion.judge.digest_chain import chain
from companion.judge.record_file import encode_line

_SCHEMA = """
CREATE TABLE match (id INTEGER PRIMARY KEY, began TEXT NOT NULL, simulated INTEGER NOT NULL);
CREATE TABLE event (
  match INTEGER NOT NULL REFERENCES match (id),
  seq INTEGER NOT NULL,
  origin TEXT NOT NULL,
  body TEXT NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (match, seq)
);
CREATE UNIQUE INDEX event_origin ON event (origin) WHERE origin <> '';
CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER event_kept BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
CREATE TRIGGER match_stays BEFORE UPDATE ON match BEGIN SELECT RAISE(ABORT, 'matches are never changed'); END;
CREATE TRIGGER match_kept BEFORE DELETE ON match BEGIN SELECT RAISE(ABORT, 'matches are never deleted'); END;
PRAGMA journal_mode = WAL;
PRAGMA user_version = 2;
"""


def write(path: Path, matches: Mapping[int, Sequence[Event]]) -> None:
    """Write these matches into a new log."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript(_SCHEMA)
        for number, events in matches.items():
            db.execute("INSERT INTO match VALUES (?, '2026-11-20T20:00:00+01:00', 0)", (number,))
            bodies = [encode_line(event) for event in events]
            for event, body, digest in zip(events, bodies, chain(bodies), strict=True):
                row = number, event.seq, f"{number}/{event.seq}", body.decode(), digest
                db.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?)", row)
        db.commit()
