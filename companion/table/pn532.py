"""A PN532 reader on any bus: what to say to the chip, and the source that senses with it.

A bus module (`pn532_uart`, …) gives a `Bus`: how to connect, and what to check when nothing answers.
Chapter numbers (§) are those of UM0701-02, the chip's user manual by NXP.
"""

import termios
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Protocol

from msgspec import Struct

from companion.table.presence import Presence, faulted, polled
from companion.table.sensing import (
    Clock,
    Failed,
    NotKept,
    NotThere,
    Sensing,
    Tell,
    Working,
)

ANSWER_WITHIN = 0.5
"""Seconds for the chip's ACK, and again for its answer: far more than it needs with finite retries, because a busy
computer may look away for a while."""

HEARTBEAT = 1.0
"""Seconds without a tag after which the chip is asked whether it is alive: no power can look like no card."""

FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
"""Seconds between attempts to reopen a reader: doubled each time, up to the longest."""

_SAM_CONFIGURATION = 0x14, (0x01, 0x14, 0x01)  # §7.2.10: normal mode, 1 s, use IRQ
# §7.3.1, item 5: one activation retry. Endless ones (the chip's default) answer whenever a tag comes, into the middle
# of the next command.
_RETRY_ONCE = 0x32, (0x05, 0xFF, 0x01, 0x01)
_FIELD_OFF = 0x32, (0x01, 0x00)  # §7.3.1, item 1; §7.3.5 switches it on again
_LIST_TWO_TYPE_A = 0x4A, (0x02, 0x00)  # §7.3.5: at most two, 106 kbit/s ISO 14443 A
_LISTING_LENGTH = 64


class ReaderFault(Exception):
    """The reader did not do what it was asked to: no answer, a garbled one, or its connection is lost."""


class Chip(Protocol):
    """The part of the Adafruit library's `PN532` that is used here."""

    @property
    def firmware_version(self) -> Sequence[int]:
        """IC, version, revision, support (§7.2.2)."""

    def call_function(
        self, command: int, response_length: int, params: Sequence[int], timeout: float
    ) -> bytes | bytearray | None:
        """Sends a command, gives its answer, or None if none came within `timeout` seconds each for ACK and answer."""


class Connection(Struct, frozen=True):
    """A chip that answered, and how to give its bus back."""

    chip: Chip
    close: Callable[[], None]


class Bus(Struct, frozen=True):
    """How to reach one PN532."""

    where: str
    """For people: "/dev/ttyUSB0"."""
    connect: Callable[[], Connection]
    """Opens the bus and wakes the chip. Raises `NotThere`, or what the library raises if the chip does not answer."""
    advice: str
    """What to check when nothing answers."""
    reset: Callable[[], None] | None = None
    """Pulses the chip's RSTPD_N pin, where it is wired: the surest cure of a chip that locked up."""


def configure(chip: Chip) -> str:
    """Makes the chip ready to be polled and gives its name for people. Raises `ReaderFault`."""
    _ask(chip, *_SAM_CONFIGURATION)
    _ask(chip, *_RETRY_ONCE)
    return heartbeat(chip)


def heartbeat(chip: Chip) -> str:
    """Gives the chip's name for people, "PN532 firmware 1.6", or raises `ReaderFault` if it is not alive (§7.2.2)."""
    with _one_fault():
        _, version, revision, _ = chip.firmware_version
        return f"PN532 firmware {version}.{revision}"


def poll(chip: Chip) -> tuple[str, ...]:
    """Gives the uids of the tags in the field, at most two, in upper-case hexadecimal. Raises `ReaderFault`."""
    answer = _ask(chip, *_LIST_TWO_TYPE_A, room=_LISTING_LENGTH)
    with _one_fault():
        return uids_in(answer)


def rest(chip: Chip) -> None:
    """Switches the field off, after every poll that saw a tag. Raises `ReaderFault`.

    A tag left selected misses the next poll. Without the field it forgets that it was selected; InRelease (§7.3.11)
    would halt it instead. It also keeps this antenna quiet while the neighbours are polled.
    """
    _ask(chip, *_FIELD_OFF)


def uids_in(answer: bytes) -> tuple[str, ...]:
    """Gives the uids in an answer to InListPassiveTarget, type A (§7.3.5). Raises ValueError or IndexError."""
    uids, rest = [], answer[1:]
    for _ in range(answer[0]):
        sak, length = rest[3], rest[4]
        uid, rest = rest[5 : 5 + length], rest[5 + length :]
        if length not in (4, 7, 10) or len(uid) != length:
            raise ValueError(f"no uid of {length} bytes")
        if sak & 0x20:  # ISO 14443-4, a phone or a bank card: its ATS follows, with its own length first
            rest = rest[rest[0] :]
        uids.append(uid.hex().upper())
    return tuple(uids)


def _ask(chip: Chip, command: int, params: Sequence[int], room: int = 0) -> bytes:
    with _one_fault():
        answer = chip.call_function(command, room, params, ANSWER_WITHIN)
    if answer is None:
        raise ReaderFault("no answer")
    return bytes(answer)


@contextmanager
def _one_fault() -> Iterator[None]:
    """Turns whatever the library and the bus raise into `ReaderFault`."""
    try:
        yield
    except (ReaderFault, NotThere):
        raise
    except (OSError, termios.error) as error:
        raise ReaderFault("connection lost") from error
    except Exception as error:
        # Deliberately everything: the library's BusyError derives from nothing narrower, a short frame is an
        # IndexError, a vanished port a TypeError. None of them may end a reader's thread.
        raise ReaderFault(f"no proper answer ({type(error).__name__})") from error


class ReaderSource:
    """The `Source` of one reader."""

    def __init__(self, place: str, bus: Bus, clock: Clock) -> None:
        self.name = f"reader {place}"
        self._place = place
        self._bus = bus
        self._clock = clock
        self._connection: Connection | None = None
        self._detail = ""
        self._lit = False
        """Whether the field is on with a tag selected."""
        self._alive_at = 0.0

    def start(self) -> None:
        """Opens the bus and configures the chip. Raises `NotThere`."""
        try:
            self._connect()
        except ReaderFault as fault:
            raise NotThere(
                f"{self._bus.where} opens, but nothing answers there as a PN532 ({fault}). {self._bus.advice}"
            ) from fault

    def listen(self, tell: Tell, stop: threading.Event) -> None:
        """Polls until `stop` is set. A fault closes the reader; it is reopened, ever more patiently, until a poll
        succeeds.
        """
        presence = Presence()
        working: bool | None = None
        untold: tuple[Sensing, ...] = ()
        pause = 0.0
        while not stop.wait(pause):
            try:
                uids = self._poll()
            except (ReaderFault, NotThere) as fault:
                self.close()
                presence = faulted(presence)
                if working is not False:
                    untold += (Failed(self.name, self._why(fault), self._clock()),)
                working, pause = False, min(LONGEST_PAUSE, max(FIRST_PAUSE, 2 * pause))
            else:
                at = self._clock()
                if not working:
                    untold += (Working(self.name, self._detail, at),)
                working, pause = True, 0.0
                presence, news = polled(presence, self._place, uids, at)
                untold += news
            if untold:
                with suppress(NotKept):
                    tell(*untold)
                    untold = ()

    def close(self) -> None:
        """Gives the bus back, if it is open."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):  # the device may be long gone
                connection.close()

    def _poll(self) -> tuple[str, ...]:
        chip = (self._connection or self._connect()).chip
        if self._lit:  # only now: what the last poll saw was told first
            rest(chip)
        uids = poll(chip)
        self._lit = bool(uids)
        now = self._clock()
        if not uids and now - self._alive_at >= HEARTBEAT:
            heartbeat(chip)
            self._alive_at = now
        elif uids:
            self._alive_at = now
        return uids

    def _connect(self) -> Connection:
        with _one_fault():
            if self._bus.reset is not None:
                self._bus.reset()
            self._connection = self._bus.connect()
        try:
            self._detail = configure(self._connection.chip)
        except ReaderFault:
            self.close()
            raise
        self._alive_at = self._clock()
        self._lit = False
        return self._connection

    def _why(self, fault: ReaderFault | NotThere) -> str:
        if isinstance(fault, NotThere):
            return str(fault)
        return f"{self._bus.where}: {fault}. Is it plugged in? {self._bus.advice}"
