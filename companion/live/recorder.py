"""Stores events, and says why when it can't."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import msgspec

from companion.devices.sensing import Clock
from companion.errors import NotKept
from companion.events import Event, Started
from companion.storage.log import Log, Pausing, Played
from companion.storage.opening import GameMissing, LogFault

AGAIN_AFTER = 1.0
"""Seconds between attempts while nothing can be stored."""

T = TypeVar("T")


class Stored(msgspec.Struct, frozen=True):
    """A match as the log has it."""

    number: int
    events: tuple[Event, ...]
    demo: bool
    """Whether it is nobody's match."""
    pausing: Pausing | None
    """Since when no act is accepted, and why; None: it goes on."""


class Recorder:
    """The log of a table in play. Use it from one thread."""

    def __init__(self, log: Log, clock: Clock) -> None:
        self._log = log
        self._clock = clock
        self.trouble: str | None = None
        """Why events can't be stored, as long as they can't."""
        self.again_at = 0.0
        """When storing is tried next, in seconds on the table's clock, as long as nothing can be stored."""

    @property
    def path(self) -> Path:
        """The log's path."""
        return self._log.path

    def latest(self) -> Stored | None:
        """Return the last match.

        None if there is none, its game is not installed, or it can't be read (`trouble`).
        """
        try:
            number = self._log.latest()
            if not number:
                return None
            entry = next(iter(self._log.matches(since=number)), None)
            demo = entry is not None and entry.demo
            return Stored(number, self._log.events(number), demo, self._log.paused(number))
        except GameMissing:
            return None
        except LogFault as wrong:
            self._fail(wrong)
            return None

    def begin(self, played: Played, started: Started) -> int:
        """Store the first event of a new match and return its number. Raises `NotKept`."""
        began = datetime.now().astimezone().isoformat("T", "seconds")
        number = self._tried(lambda: self._log.open_match(began, played, started))
        self.trouble = None
        return number

    def store(self, number: int, events: Sequence[tuple[Event, str]]) -> None:
        """Store events of a match with their origins, all or none. Raises `NotKept`."""
        self._tried(lambda: self._log.append(number, events))
        self.trouble = None

    def pause(self, number: int, at: float, why: str) -> None:
        """Store that a match is paused from now on, and why; "": that it goes on. Raises `NotKept`."""
        self._tried(lambda: self._log.pause(number, at, why))
        self.trouble = None

    def holds(self, origin: str) -> bool:
        """Whether a press of this origin is already stored. Raises `NotKept`."""
        return self._tried(lambda: self._log.holds(origin))

    def recover(self) -> bool:
        """While nothing can be stored, test once a second whether it can again. Return whether it was tested."""
        if self.trouble is None or self._clock() < self.again_at:
            return False
        try:
            self._log.try_to_write()
        except LogFault as wrong:
            self._fail(wrong)
        else:
            self.trouble = None
        return True

    def _tried(self, call: Callable[[], T]) -> T:
        try:
            return call()
        except LogFault as wrong:
            self._fail(wrong)
            raise NotKept(str(wrong)) from wrong

    def _fail(self, wrong: LogFault) -> None:
        self.trouble, self.again_at = str(wrong), self._clock() + AGAIN_AFTER
