"""Altering a log as somebody would who knows SQLite and wants it to go unnoticed."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def past_its_triggers(db: sqlite3.Connection) -> Iterator[None]:
    """Let rows be changed that never are; afterwards the log forbids it as before."""
    triggers = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        db.execute(f"DROP TRIGGER {name}")
    yield
    for _, sql in triggers:
        db.execute(sql)
    db.commit()
