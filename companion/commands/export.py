"""`companion export`: a match from the log as a record."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from companion.errors import NotNow
from companion.judge.record import Damaged, decode
from companion.storage.log import Log


def listing(log: Log) -> Iterator[str]:
    """Give a line for each match."""
    for entry in log.matches():
        mark = "  SIMULATED" if entry.simulated else ""
        yield f"{entry.id:5}  {entry.began}  {entry.game:12} {entry.events:6} events{mark}"


def record(log: Log, match: int | None) -> tuple[bytes, str]:
    """Give a match (the last one) as it was written, and what is wrong with it, "" where it is whole.

    Raises `LogFault` where there is no such match.
    """
    number = match or log.latest() or 1
    lines = log.lines(number)
    try:
        decode(lines)
    except Damaged as wrong:
        return lines, f"match {number} is damaged, {wrong}"
    return lines, ""


def save(lines: bytes, to: Path, own: Iterable[Path]) -> None:
    """Write a record to a file, but never over one of the table's `own`. Raises `NotNow`."""
    if to.resolve() in {path.resolve() for path in own}:
        raise NotNow(f"{to} is one of the table's own files: choose another file")
    try:
        to.write_bytes(lines)
    except OSError as wrong:
        raise NotNow(f"can't write {to}: {wrong.strerror}") from wrong
