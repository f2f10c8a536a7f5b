"""Exceptions from games' code since the table was started: each once in the journal, and in a file beside the log.

A fault costs the picture it was raised for, and nothing else; `companion check` reports it to who can fix it.
"""

import logging
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec

from companion.judge.game_code_fault import Fault, fault_of
from companion.storage import files

MOST = 20
"""The most faults kept: once these are fixed, the others come up."""

_journal = logging.getLogger(__name__)
T = TypeVar("T")


class GameFaults:
    """Every method may be called from any thread."""

    def __init__(self, log: Path) -> None:
        """Begin with none; those from an earlier start are forgotten."""
        self._path = files.faults_of(log)
        self._lock = threading.Lock()
        self.known: tuple[Fault, ...] = ()
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def note(self, faults: Iterable[Fault]) -> None:
        """Keep those that were not known yet."""
        for fault in faults:
            with self._lock:
                if len(self.known) == MOST or any(fault.where == known_fault.where for known_fault in self.known):
                    continue
                self.known = (*self.known, fault)
                with suppress(OSError):
                    files.write_private(self._path, msgspec.json.encode(self.known))
            _journal.error("The table goes on after a fault in %s, %s\n%s", fault.game, fault.where, fault.trace)

    def keep(self, game: str, hook: str, wrong: Exception) -> None:
        """Keep what a game's code raised when it was asked for this."""
        self.note([fault_of(game, hook, wrong)])

    def tried(self, game: str, hook: str, call: Callable[[], T], otherwise: Callable[[], T]) -> T:
        """Return what a game's code returns; if it raises, keep the fault and return what `otherwise` does."""
        try:
            return call()
        except Exception as wrong:
            self.keep(game, hook, wrong)
        return otherwise()


def load(log: Path) -> tuple[Fault, ...]:
    """Return the faults since the table with this log was started; none if the file can't be read."""
    try:
        return msgspec.json.decode(files.contents(files.faults_of(log)), type=tuple[Fault, ...])
    except (OSError, msgspec.DecodeError):
        return ()
