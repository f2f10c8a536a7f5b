"""A reader at work: the `Source` that polls a PN532 on any bus, tells what lies there, and mends its own faults."""

import threading
from contextlib import suppress

from companion.devices.figures import Faults, ReaderFigures, Tally
from companion.devices.listening import take_turns
from companion.devices.readers.pn532 import Bus, Connection, ReaderFault, configure, heartbeat, one_fault, poll, rest
from companion.devices.readers.presence import UNSEEN, faulted, polled
from companion.devices.sensing import Clock, Failed, NotThere, Sensing, Tell, Working
from companion.errors import NotKept

HEARTBEAT = 1.0
"""Seconds without a tag after which the chip is asked whether it is alive: no power can look like no card."""

FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
"""Seconds between attempts to reopen a reader: doubled each time, up to the longest."""

RESET_AFTER = 2
"""Failures in a row after which the reset pin is pulsed, where it is wired: waking a chip that locked up helps only
every other time."""


class ReaderSource:
    """The `Source` of one reader. Where several share a bus, one thread gives each its turn."""

    def __init__(self, place: str, bus: Bus, clock: Clock) -> None:
        self.name = f"reader {place}"
        self.turns = bus.turns or self.name
        self._place = place
        self._bus = bus
        self._clock = clock
        self._connection: Connection | None = None
        self._detail = ""
        self._presence = UNSEEN
        self._tally = Tally()
        self._faults = Faults()
        self._working: bool | None = None
        self._untold: tuple[Sensing, ...] = ()
        self._pause = 0.0
        self._lit = False
        """Whether the field is on with a tag selected."""
        self._alive_at = 0.0
        self._failures = RESET_AFTER
        """In a row. Begins so that a chip is reset first: whoever had it before may have left it locked up."""

    def start(self) -> None:
        """Open the bus and configure the chip. Raises `NotThere`."""
        try:
            self._connect()
        except ReaderFault as fault:
            raise NotThere(
                f"{self._bus.where} opens, but nothing answers there as a PN532 ({fault}). {self._bus.advice}"
            ) from fault

    def listen(self, tell: Tell, stop: threading.Event) -> None:
        """Poll until `stop` is set."""
        take_turns((self,), tell, stop, self._clock)

    def turn(self, tell: Tell) -> float:
        """Poll once and tell what is new; return the seconds until the next turn. Raises nothing.

        A fault closes the reader; it is reopened, ever more patiently, until a poll succeeds.
        """
        try:
            self._look()
            self._tell(tell)  # before the field is switched off, which is no news
            self._darken()
        except (ReaderFault, NotThere) as fault:
            self._fail(fault)
            self._tell(tell)
        return self._pause

    @property
    def figures(self) -> ReaderFigures:
        """See `Measured`."""
        tally, faults = self._tally, self._faults
        return ReaderFigures(self._place, self._detail, tally.rate, tally.read, faults.number, faults.last, faults.at)

    def close(self) -> None:
        """Give the bus back, if it is open, and the pins."""
        self._disconnect()
        self._bus.release()

    def _look(self) -> None:
        chip = (self._connection or self._connect()).chip
        tags = poll(chip)
        self._lit = bool(tags)
        now = self._clock()
        if not tags and now - self._alive_at >= HEARTBEAT:
            heartbeat(chip)
            self._alive_at = now
        elif tags:
            self._alive_at = now
        self._failures = 0
        self._pause = 0.0
        if not self._working:
            self._untold += (Working(self.name, self._detail, now),)
            self._working = True
        self._tally.polled(tuple(tag.uid for tag in tags), now)
        self._presence, news = polled(self._presence, self._place, tags, now)
        self._untold += news

    def _darken(self) -> None:
        if self._connection is not None and (self._lit or self._bus.turns):
            rest(self._connection.chip)
            self._lit = False

    def _fail(self, fault: ReaderFault | NotThere) -> None:
        self._disconnect()
        self._failures += 1
        self._pause = min(LONGEST_PAUSE, max(FIRST_PAUSE, 2 * self._pause))
        self._presence = faulted(self._presence)
        self._tally.faulted()
        if self._working is not False:
            failed = Failed(self.name, self._why(fault), self._clock())
            self._faults.happened(failed.why, failed.at)
            self._untold += (failed,)
            self._working = False

    def _tell(self, tell: Tell) -> None:
        if self._untold:
            with suppress(NotKept):
                tell(*self._untold)
                self._untold = ()

    def _connect(self) -> Connection:
        with one_fault():
            if self._bus.reset is not None and self._failures >= RESET_AFTER:
                self._bus.reset()
            self._connection = self._bus.connect()
        try:
            self._detail = configure(self._connection.chip)
        except ReaderFault:
            self._disconnect()
            raise
        self._alive_at = self._clock()
        self._lit = False
        return self._connection

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):  # the device may be long gone
                connection.close()

    def _why(self, fault: ReaderFault | NotThere) -> str:
        if isinstance(fault, NotThere):
            return str(fault)
        return f"{self._bus.where}: {fault}. Is it plugged in? {self._bus.advice}"
