"""Stores events, and says why when it can't."""

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
from companion.storage.entries import Pausing, Played
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
    """Whether it is nobody's match."""
    pausing: Pausing | None
    """Since when no act is accepted, and why; None: it goes on."""
    away: tuple[Away, ...] = ()
    """When it was on no table."""


class Recorder:
    """The log of a table in play. Use it from one thread."""

    def __init__(self, log: Log, clock: Clock) -> None:
        self._log = log
        self._clock = clock
        self.trouble: Ailment | None = None
        """Why events can't be stored, as long as they can't."""
        self.again_at = 0.0
        """When storing is tried next, in seconds on the table's clock, as long as nothing can be stored."""
        self._readings = self._readings_of_this_boot()
        """What the wall clock said in this run of the machine, and before that the last of an earlier one."""
        self._clock_due = 0.0
        self._evening: tuple[float, float] | None = None
        """When this run's last match was noted to have begun, in seconds since 1970, and since the machine started."""
        self.look_at_the_clock()

    @property
    def path(self) -> Path:
        """The log's path."""
        return self._log.path

    def on_table(self) -> Stored | None:
        """Return the match on the table: the one that was begun, or taken up again, last.

        None if there is none, its game is not installed, or it can't be read (`trouble`).
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
        try:
            entry = self._log.match(number)
        except LogFault:  # only when it began is damaged
            entry = None
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
        """When the wall clock must be looked at again, on the table's clock; None: what it said can be believed."""
        counting = self.clock_that_counts
        return self._clock_due if counting is None or counting.trust is Trust.UNKNOWN else None

    def look_at_the_clock(self) -> bool:
        """Note what the wall clock says if that is news; return whether it is. What can't be stored counts all the
        same, until the table stops.
        """
        self._clock_due = self._clock() + LOOKS_AT_CLOCK
        reading = dating.believed(wall_clock.read(), self._readings)
        return self._note(reading)

    def tell_the_time(self, when: datetime) -> None:
        """Note what time it is, as the host says, in local time."""
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
        """Return the wall-clock time to note for a match that begins: within an evening its first match's clock counts
        on, so that a clock that is set in between makes no second evening of it, whoever reads the log.
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
        """Store events of a match with their origins, and what was decided with them, all or none. Raises `NotKept`."""
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
                self.trouble = None  # only where something was written is it known that it can be

        self._tried(closed)

    def pause(self, number: int, at: float, why: str) -> None:
        """Store that a match is paused from now on, and why; "": that it goes on. Raises `NotKept`."""
        self._tried(lambda: self._log.pause(number, at, why))
        self.trouble = None

    def decision(self, kind: Decided, names: Collection[str]) -> Decision:
        """Return what these people decide now."""
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

    def is_left_out(self, number: int) -> bool:
        """Whether a match counts nowhere; one that can't be read counts, as far as is known."""
        try:
            entry = self._log.match(number)
        except LogFault:
            return False
        return entry is not None and entry.left_out

    def try_to_store(self) -> None:
        """Write where what failed last was written. Raises `NotKept`."""
        self._tried(self._log.try_to_write)

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
        if wrong.ailment != self.trouble:
            _journal.warning("nothing can be stored: %s", wrong)
        self.trouble = wrong.ailment
        self.again_at = self._clock() + AGAIN_AFTER
