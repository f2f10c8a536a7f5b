"""The `Source` of a PN532 on any bus: it polls the chip, tells what lies there, and recovers from faults."""

import threading
import time
from contextlib import suppress

from msgspec.structs import replace

from companion.devices.faults import BUS, PROGRAMS, WHERE, DeviceFault, FaultCode, placed
from companion.devices.figures import Faults, ReaderFigures, Tally
from companion.devices.listening import take_turns
from companion.devices.readers.pn532 import (
    Bus,
    Connection,
    ReaderFault,
    configure,
    darken,
    heartbeat,
    one_fault,
    read_tags,
    same_again,
    search,
)
from companion.devices.readers.presence import UNSEEN, faulted, polled
from companion.devices.sensing import Appeared, Clock, Failed, NotThere, Sensing, Sleep, TagKind, Tell, Working
from companion.devices.serial_users import Users
from companion.errors import NotKept

HEARTBEAT = 1.0
"""Seconds without a tag after which the chip is asked whether it is alive: a dead one looks like an empty place."""

CARDLESS = 60.0
"""Seconds without a tag after which the chip is configured again: its radio may fail while it still answers."""

DARK = 0.005
"""Seconds without field before the next poll where a tag may lie, so that it loses power and is deselected
(ISO 14443-3)."""

BOTH_EVERY = 4
"""One poll in this many looks for a second tag beside a card that was told, because that takes longer."""

FIRST_PAUSE = 0.05
"""Seconds between the first two attempts to reopen a reader: doubled each time."""
LONGEST_PAUSE = 1.0
"""The most seconds between two attempts."""

BOOT = 0.2
"""Seconds from a reset to the first command: some boards take that long to start."""

_IS_IT_IN = "Is it plugged in?"
_UNTIL_NOW = "It has worked until now: push its cable in at both ends, and check the board's power."

RESET_EVERY = 2
"""The reset pin, if it is wired, is pulsed after every so many failures in a row: waking a chip that locked up helps
only every other time. Not after each, or a board that starts slowly would never come up."""


class ReaderSource:
    """The `Source` of one reader. Where several share a bus, one thread gives each its turn."""

    def __init__(self, place: str, bus: Bus, clock: Clock, sleep: Sleep = time.sleep) -> None:
        self.name = f"reader {place}"
        self.turns = bus.turns or self.name
        self.near = bus.near or self.name
        self._place = place
        self._bus = bus
        self._clock = clock
        self._sleep = sleep
        self._connection: Connection | None = None
        self._detail = ""
        self._presence = UNSEEN
        self._tally = Tally()
        self._faults = Faults()
        self._working: bool | None = None
        self._untold: tuple[Sensing, ...] = ()
        self._pause = 0.0
        self._begun = self._searching = False
        """Whether its next turn has begun, and whether a search is running."""
        self._lying: str | None = None
        """The tag that the last poll saw, if it saw exactly one."""
        self._bare = False
        """Whether the last poll saw none, and none is told to lie there."""
        self._alive_at = self._ready_at = self._dark_at = 0.0
        self._failures = 0
        """In a row."""
        self._strangers = 0

    def start(self) -> None:
        """Open the bus and configure the chip. Raises `NotThere`.

        The driver wakes the chip (`woken`); one that stays silent is reset here once, if its pin is wired.
        """
        try:
            try:
                self._connect()
            except ReaderFault:
                if self._bus.reset is None:
                    raise
                self._bus.reset()
                self._sleep(BOOT)
                self._connect()
        except ReaderFault as fault:
            users = self._bus.others()
            says = f"{self._bus.where} opens, but nothing answers there as a PN532 ({fault})."
            raise NotThere(self._fault_here(_sentences(says, users, self._bus.advice), fault.code, users)) from fault

    def listen(self, tell: Tell, stop: threading.Event) -> None:
        """Poll until `stop` is set."""
        take_turns((self,), tell, stop, self._clock)

    def begin(self) -> None:
        """Start a search for tags. A fault is not raised but told in the turn."""
        self._begun = True
        try:
            chip = (self._connection or self._connect()).chip
            if (dark_left := self._dark_at + DARK - self._clock()) > 0:
                self._sleep(dark_left)
            lies_told = self._lying is not None and self._lying == self._presence.uid
            search(chip, 1 if lies_told and self._tally.polls % BOTH_EVERY else 2)
            self._searching = True
        except (ReaderFault, NotThere) as fault:
            self._fail(fault)
        except Exception:
            self._begun = False
            self._disconnect()  # a fault of the program: begin again with a new connection
            raise

    def turn(self, tell: Tell) -> float:
        """Collect the search result, starting a search if none is running; return the seconds until the next turn.

        Raises only what is a fault of the program. A reader's fault closes it; it is reopened, ever more patiently,
        until a poll succeeds.
        """
        if not self._begun:
            self.begin()
        self._begun = False
        if self._searching and self._connection is not None:
            try:
                self._look(self._connection)
                self._tell(tell)  # before switching the field off, which would only delay the news
                darken(self._connection.chip)
                if not self._bare:
                    self._dark_at = self._clock()
            except (ReaderFault, NotThere) as fault:
                self._fail(fault)
            except Exception:
                self._disconnect()
                raise
        self._tell(tell)  # what could not be stored at an earlier turn, even if nothing was read now
        return self._pause

    @property
    def figures(self) -> ReaderFigures:
        """See `Measured`."""
        tally = self._tally
        faults = self._faults
        return ReaderFigures(
            self._place,
            self._detail,
            tally.rate,
            tally.read,
            faults.number,
            faults.last,
            faults.at,
            port=self._bus.port,
            strangers=self._strangers,
        )

    def close(self) -> None:
        """Release the bus, if it is open, and the pins."""
        self._disconnect()
        self._bus.release()

    def _look(self, connection: Connection) -> None:
        self._searching = False
        chip = connection.chip
        tags = read_tags(chip, connection.room)
        looked_at = self._clock()
        if tags:
            self._alive_at = self._ready_at = looked_at
        elif looked_at - self._ready_at >= CARDLESS:
            configure(chip)
            self._alive_at = self._ready_at = looked_at
        elif looked_at - self._alive_at >= HEARTBEAT:
            heartbeat(chip)
            self._alive_at = looked_at
        connection.worked()
        self._failures = 0
        self._pause = 0.0
        if not self._working:
            self._untold += (Working(self.name, self._detail, looked_at),)
            self._working = True
        self._lying = tags[0].uid if len(tags) == 1 else None
        # Only a new card is worth asking twice: most polls see what was told already.
        if any(tag.uid != self._presence.uid for tag in tags) and not same_again(chip, tags, connection.room):
            self._presence = faulted(self._presence)
        self._tally.polled(tuple(tag.uid for tag in tags), looked_at)
        self._presence, news = polled(self._presence, self._place, tags, looked_at)
        self._untold += news
        self._strangers += sum(isinstance(sensing, Appeared) and sensing.kind is TagKind.PHONE for sensing in news)
        self._bare = not (tags or self._presence.uid or self._presence.crowded)

    def _fail(self, fault: ReaderFault | NotThere) -> None:
        self._disconnect()
        self._searching = False
        self._lying = None
        self._failures += 1
        self._pause = min(LONGEST_PAUSE, max(FIRST_PAUSE, 2 * self._pause))
        if self._bus.reset is not None and not self._failures % RESET_EVERY:
            try:
                self._bus.reset()
            except NotThere as worse:
                fault = worse
            self._pause = max(self._pause, BOOT)
        self._presence = faulted(self._presence)
        self._tally.faulted()
        if self._working is not False:
            failed = Failed(self.name, self._why(fault), self._clock())
            if self._working:
                self._faults.happened(failed.fault, failed.at)
            self._untold += (failed,)
            self._working = False

    def _tell(self, tell: Tell) -> None:
        if self._untold:
            with suppress(NotKept):
                tell(*self._untold)
                self._untold = ()

    def _connect(self) -> Connection:
        with one_fault():
            self._connection = self._bus.connect(self._failures)
        try:
            self._detail = configure(self._connection.chip)
        except ReaderFault:
            self._disconnect()
            raise
        self._alive_at = self._ready_at = self._dark_at = self._clock()
        return self._connection

    def _disconnect(self) -> None:
        connection = self._connection
        self._connection = None
        if connection is not None:
            with suppress(Exception):  # the device may be long gone
                connection.close()

    def _why(self, wrong: ReaderFault | NotThere) -> DeviceFault:
        users = self._bus.others()
        if isinstance(wrong, NotThere):
            fault = placed(wrong.fault, self._bus.where, self._bus.kind)
            return replace(fault, says=_sentences(fault.says, users), facts={**fault.facts, PROGRAMS: users.programs})
        checks = str(users) or ("Check the wires and the power." if wrong.code is FaultCode.GARBLED else _IS_IT_IN)
        # A reader that has worked in this run has the right port, wires and switches: only power or cable can fail.
        advice = _UNTIL_NOW if self._working else self._bus.advice
        return self._fault_here(f"{self._bus.where}: {wrong}. {checks} {advice}", wrong.code, users)

    def _fault_here(self, says: str, code: FaultCode, users: Users) -> DeviceFault:
        """Return a fault at this reader's bus; if another program has its port open, that is the reason."""
        if users.have_it_open:
            code = FaultCode.BUSY
        return DeviceFault(says, code, {WHERE: self._bus.where, BUS: self._bus.kind, PROGRAMS: users.programs})


def _sentences(*parts: object) -> str:
    return " ".join(filter(None, map(str, parts)))
