"""Why SQLite can't use a log, in plain words with the cure."""

import os
import sqlite3
from pathlib import Path


def why_not(path: Path, wrong: Exception) -> str:
    """Say what is wrong with the log at a path, and what to do now."""
    code, what = getattr(wrong, "sqlite_errorcode", 0), str(wrong)
    match wrong:
        case UnicodeDecodeError():
            code = sqlite3.SQLITE_CORRUPT
        case MemoryError():
            code, what = sqlite3.SQLITE_CORRUPT, "no memory suffices for one of its rows"
    match code & 0xFF:
        case sqlite3.SQLITE_NOTADB:
            cure = "The file is no log: give the log another name, and keep that file"
        case sqlite3.SQLITE_CORRUPT:
            cure = "The file is damaged: keep it, and bring back a backup (companion restore) or start a new log"
        case sqlite3.SQLITE_FULL:
            cure = "The disk is full: make room. Nothing that was stored is lost"
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            cure = f"This user may not write it: sudo chown {os.geteuid()} {path}, or is the disk mounted read-only?"
        case sqlite3.SQLITE_CANTOPEN if path.is_dir():
            cure = "It is a folder: give the log's file"
        case sqlite3.SQLITE_CANTOPEN:
            cure = f"This user may not open it: sudo chown {os.geteuid()} {path}"
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            cure = "Another program holds it (sqlite3, a backup): close that one"
        case sqlite3.SQLITE_IOERR:
            cure = "The disk does not do as it should: look into dmesg, and save a copy of the log elsewhere"
        case _:
            cure = "Nothing that was stored is lost"
    return f"can't use the log {path}: {what}. {cure}"
