"""Replace a damaged log by a new one with every match that can still be read; the damaged one is never written to."""

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from companion.storage.files import swap, wal_of
from companion.storage.integrity import fault_in
from companion.storage.last_copy import set_aside
from companion.storage.log import Log
from companion.storage.opening import LogFault, connected
from companion.storage.rebuilding import rebuild


class Salvage(NamedTuple):
    """The matches of a damaged log, by number: those that can be read in full, and the others."""

    whole: tuple[int, ...]
    lost: tuple[int, ...]


def look_through(damaged: Path) -> Salvage:
    """Return which matches of a damaged log can be read; none if it can't be opened at all. Raises OSError."""
    with readable(damaged) as log:
        return _sorted_out(log) if log else Salvage((), ())


def go_on(damaged: Path, numbers_taken: Iterable[int] = ()) -> Salvage:
    """Put a log with all readable matches in the place of a damaged one, which is moved aside.

    No new match gets one of `numbers_taken`, which other files refer to. Raises `LogFault` and OSError; then the
    damaged log is still in its place.
    """
    part = damaged.with_name(f"{damaged.name}.new")
    for leftover in (part, wal_of(part), _index_of(part)):
        leftover.unlink(missing_ok=True)  # of an attempt that a power cut ended
    with readable(damaged) as old, closing(Log(part, writes=True)) as new:
        salvage = _sorted_out(old) if old else Salvage((), ())
        new.take_over(old or new, salvage.whole, {*salvage.lost, *numbers_taken} - {*salvage.whole})
    part.with_name(f"{part.name}.lock").unlink(missing_ok=True)
    with closing(connected(part, "rw")) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    aside = set_aside(damaged)
    for beside in (wal_of(damaged), _index_of(damaged)):
        if aside and beside.exists():
            swap(beside, aside.with_name(beside.name.replace(damaged.name, aside.name)))
    swap(part, damaged)
    return salvage


@contextmanager
def readable(damaged: Path) -> Iterator[Log | None]:
    """Open a log, or a rebuilt copy of it that has more readable matches; None if neither can be opened.

    Raises OSError.
    """
    with ExitStack() as end:
        folder = Path(end.enter_context(tempfile.TemporaryDirectory(prefix=".salvage-", dir=damaged.parent)))
        best: Log | None = None
        saved = 0
        for log in _attempts(damaged, folder):
            end.callback(log.close)
            salvage = _sorted_out(log)
            if best is None or len(salvage.whole) > saved:
                best = log
                saved = len(salvage.whole)
            if saved and not salvage.lost:
                break
        yield best


def _index_of(log: Path) -> Path:
    return log.with_name(f"{log.name}-shm")


def _sorted_out(log: Log) -> Salvage:
    whole = list[int]()
    lost = list[int]()
    for match in log.traces():
        (lost if fault_in(log, match) else whole).append(match)
    return Salvage(tuple(whole), tuple(lost))


def _attempts(damaged: Path, folder: Path) -> Iterator[Log]:
    with suppress(LogFault):
        yield Log(damaged, writes=False)
    if damaged.is_file():
        for rebuilt in rebuild(damaged, folder):
            yield Log(rebuilt, writes=False)
