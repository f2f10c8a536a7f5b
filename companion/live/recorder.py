"""Stores events in the log, keeps the reason while that fails, and dates matches by the wall clock."""

import logging
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from companion import wall_clock
from companion.devices.sensing import Clock
from companion.errors import NotKept
from companion.events import Event, Started
from companion.judge.played_time import Away
from companion.live.pause import Why
from companion.storage import dating, decisions
from companion.storage.ailments import Ailment
from companion.storage.decisions import Decided, Decision
from companion.storage.entries import Entry, Pausing, Played
from companion.storage.log import Log
from companion.storage.opening import GameMissing, LogFault
from companion.wall_clock import Reading, Trust

AGAIN_AFTER = 1.0
"""Seconds between attempts while nothing can be stored."""
LOOKS_AT_CLOCK = 10.0
"""Seconds between two looks at the wall clock, while acts are stored or nobody knows the time."""
EVENING = 12 * 3600.0
"""Seconds after a match within which the next is of the same evening, whatever the wall clock says meanwhile."""

T = TypeVar("T")
_journal = logging.getLogger(__name__)


class Stored(msgspec.Struct, frozen=True):
    """A match as the log has it."""

    number: int
    events: tuple[Event, ...]
    demo: bool
    """Whether it counts for nobody."""
    pausing: Pausing | None
    """Since when it is paused, and why; None: it is not."""
    away: tuple[Away, ...] = ()
    """The times at which it was not on the table."""


class Recorder:
    """The log of a table in play. Use it from one thread."""

    def __init__(self, log: Log, clock: Clock) -> None:
        self._log = log
        self._clock = clock
        self.trouble: Ailment | None = None
        """Why events can't be stored; None while they can."""
        self.again_at = 0.0
        """When storing is retried, in seconds on the table's clock; used only while there is trouble."""
        self._readings = self._readings_of_this_boot()
        """Readings of the wall clock since the machine started, preceded by the last one of an earlier boot."""
        self._clock_due = 0.0
        self._evening: tuple[float, float] | None = None
        """The beginning noted for this run's last match, in seconds since 1970, and since the machine started."""
        self.look_at_the_clock()

    @property
    def path(self) -> Path:
        """The log's path."""
        return self._log.path

    def on_table(self) -> Stored | None:
        """Return the match on the table: the latest that was begun or taken up again.

        None if there is none, if its game is not installed, or if it can't be read (see `trouble`).
        """
        try:
            number = self._log.on_table()
            return self._stored(number) if number else None
        except GameMissing:
            return None
        except LogFault as wrong:
            self._fail(wrong)
            return None

    def stored(self, number: int) -> Stored | None:
        """Return a match; None if there is none with this number. Raises `LogFault` if it can't be read."""
        return self._stored(number) if self._log.match(number) else None

    def _stored(self, number: int) -> Stored:
        entry = self.entry(number)  # None: its row in the list is damaged, but its events may be readable
        demo = entry is not None and entry.demo
        return Stored(number, self._log.events(number), demo, self._log.paused(number), self._log.away(number))

    def begin(self, played: Played, started: Started) -> int:
        """Store the first event of a new match and return its number. Raises `NotKept`."""
        reading = dating.believed(wall_clock.read(), self._readings)
        noted = self._noted(reading)
        began = dating.written(noted, reading.zone)
        number = self._tried(lambda: self._log.open_match(began, played, started, reading))
        self._readings.append(reading)
        self._evening = noted, reading.ticks
        self.trouble = None
        return number

    def next_number(self) -> int:
        """Return the number that the next match gets. Raises `NotKept`."""
        return self._tried(self._log.next_number)

    @property
    def clock_that_counts(self) -> Reading | None:
        """The reading of the wall clock that dates everything since the machine started."""
        return dating.best(reading for reading in self._readings if reading.boot == self._readings[-1].boot)

    @property
    def clock_due(self) -> float | None:
        """When to read the wall clock again, on the table's clock; None: its reading can be trusted."""
        counting = self.clock_that_counts
        return self._clock_due if counting is None or counting.trust is Trust.UNKNOWN else None

    def look_at_the_clock(self) -> bool:
        """Read the wall clock and note the reading if it is news; return whether it is. A reading that can't be stored
        is used all the same until the table stops.
        """
        self._clock_due = self._clock() + LOOKS_AT_CLOCK
        reading = dating.believed(wall_clock.read(), self._readings)
        return self._note(reading)

    def tell_the_time(self, when: datetime) -> None:
        """Note the local time that the host entered."""
        machine_reading = wall_clock.read()
        local = when.astimezone()
        offset = local.utcoffset()
        zone = round(offset.total_seconds()) if offset else 0
        self._note(replace(machine_reading, wall=local.timestamp(), zone=zone, trust=Trust.CERTAIN))

    def _note(self, reading: Reading) -> bool:
        if not dating.is_news(reading, [other for other in self._readings if other.boot == reading.boot]):
            return False
        self._readings.append(reading)
        with suppress(LogFault):
            self._log.note_clock(reading)
        return True

    def _noted(self, reading: Reading) -> float:
        """Return the wall-clock time to note for a match that begins.

        Within an evening it is counted on from the match before, so that setting the clock in between does not split
        the evening in two for readers of the log.
        """
        if self._evening is None or reading.ticks > self._evening[1] + EVENING:
            return reading.wall
        wall, ticks = self._evening
        return wall + reading.ticks - ticks

    def _readings_of_this_boot(self) -> list[Reading]:
        try:
            return self._log.clock(wall_clock.read().boot)
        except LogFault:
            return []

    def store(
        self, number: int, events: Sequence[tuple[Event, str]], decided: Sequence[Decision] = decisions.NONE
    ) -> None:
        """Store events of a match with their origins, and decisions, in one transaction. Raises `NotKept`."""
        self._tried(lambda: self._log.append(number, events, decided))
        self.trouble = None
        if self._clock() >= self._clock_due:
            self.look_at_the_clock()

    def close_match(self, number: int, at: float) -> None:
        """Store that a match has ended for good, unless it is stored already. Raises `NotKept`."""

        def closed() -> None:
            pausing = self._log.paused(number)
            if pausing is None or pausing.why != Why.CLOSED.value:
                self._log.pause(number, at, Why.CLOSED.value)
                self.trouble = None  # only a write proves that the disk takes one

        self._tried(closed)

    def pause(self, number: int, at: float, why: str) -> None:
        """Store that a match is paused from `at`, and why; "" means that it goes on. Raises `NotKept`."""
        self._tried(lambda: self._log.pause(number, at, why))
        self.trouble = None

    def decision(self, kind: Decided, names: Collection[str]) -> Decision:
        """Return a decision of these people, dated now."""
        noted = dating.now_by(self.clock_that_counts, wall_clock.read())
        return Decision(kind, round(self._clock(), 6), noted, tuple(names))

    def decide(self, number: int, decision: Decision) -> None:
        """Store what people decided about a match. Raises `NotKept`."""
        self._tried(lambda: self._log.decide(number, decision))
        self.trouble = None

    def take_up(self, number: int, decision: Decision) -> None:
        """Store that a match is on the table again. Raises `NotKept`."""
        self._tried(lambda: self._log.take_up(number, decision))
        self.trouble = None

    def holds(self, origin: str) -> bool:
        """Whether a press of this origin is already stored. Raises `NotKept`."""
        return self._tried(lambda: self._log.holds(origin))

    def entry(self, number: int) -> Entry | None:
        """Return a match's entry in the log; None if there is none that can be read."""
        try:
            return self._log.match(number)
        except LogFault:
            return None

    def try_to_store(self) -> None:
        """Make a test write to the log. Raises `NotKept`."""
        self._tried(self._log.try_to_write)

    def recover(self) -> bool:
        """While nothing can be stored, make a test write once a second. Return whether one was made."""
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
        if wrong.ailment != self.trouble:
            _journal.warning("the log can't be used: %s", wrong)
        self.trouble = wrong.ailment
        self.again_at = self._clock() + AGAIN_AFTER
