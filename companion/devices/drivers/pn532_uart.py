"""Driver `pn532-uart`: a PN532 on a serial port, its own (HSU) or behind a USB adapter.

The Adafruit library speaks to the chip over pyserial; `Line` saves it from waiting longer than the chip takes.
"""

import errno
import select
import time
from collections.abc import Iterable
from functools import partial
from typing import Annotated

import msgspec
import serial
from serial.tools.list_ports import comports

from companion.devices import gpio, permissions
from companion.devices.readers.pn532 import ANSWER_WITHIN, Bus, Connection, ReaderFault, library
from companion.devices.readers.source import ReaderSource
from companion.devices.sensing import Claim, Clock, NotThere, Sleep

_WAKE = b"\x55\x55" + bytes(15)  # UM0701-02 §7.2.11
_WAKING = 0.01
"""Seconds that a chip may need to wake up. The library sends its first command at once, and waits a second if it is
lost."""


class Reader(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of one reader."""

    place: str
    """Where at the table it senses: "seat-1"."""
    port: str
    """The serial port: "/dev/ttyUSB0", or better a name under /dev/serial/by-path, which a reboot does not change."""
    baud: Annotated[int, msgspec.Meta(ge=9600, le=1_288_000)] = 115200
    """Bits a second. The chip starts at 115200."""
    turns: str = ""
    """Readers with the same word here take turns, so that their fields are never on together: for antennas that lie
    close to each other. Others are polled at the same time, and faster."""
    reset: gpio.Gpio | None = None
    """The GPIO at the reader's RSTPD_N."""

    @property
    def claims(self) -> Iterable[Claim]:
        """What no other device of the table may use."""
        yield "port", (self.port,)
        yield from gpio.claims(reset=self.reset)

    @property
    def needs(self) -> Iterable[permissions.Access]:
        """See `companion.devices.permissions`."""
        yield permissions.serial(self.port)
        yield from permissions.pins(self.reset)

    def open(self, clock: Clock, sleep: Sleep = time.sleep) -> ReaderSource:
        """Return the reader's source; the port is opened by its `start`."""
        return ReaderSource(self.place, bus(self, sleep), clock)


def bus(settings: Reader, sleep: Sleep = time.sleep) -> Bus:
    """Return the way to a PN532 on a serial port."""
    reset = gpio.output(settings.reset)
    return Bus(
        where=settings.port,
        connect=partial(_connect, settings.port, settings.baud, sleep),
        advice="Check that it is the right port, that the board has power, that TX and RX are crossed, "
        "and that the board's switch is set to HSU (UART).",
        turns=settings.turns,
        reset=gpio.reset(reset, sleep),
        release=partial(gpio.release, reset),
    )


class Line(serial.Serial):
    """A serial port that hands over each PN532 frame the moment it is complete.

    The library asks for 73 bytes whatever the answer's length and looks every 10 ms whether it has begun: a plain port
    would make it wait for its own timeout.
    """

    @property
    def in_waiting(self) -> int:
        """Bytes received; if there are none, waits for the first. Raises `ReaderFault` if none comes."""
        if not select.select([self.fileno()], [], [], ANSWER_WITHIN)[0]:
            raise ReaderFault("no answer")
        return super().in_waiting

    def read(self, size: int = 1) -> bytes:
        """Return the next frame, whole; `size` bytes are what the library has room for. Raises `ReaderFault`.

        The library would not miss what is cut off: where the lost bytes were zeros, the sums agree all the same.
        """
        got = b""
        while missing := bytes_missing(got):
            more = super().read(min(missing, size - len(got)))
            if not more:
                raise ReaderFault("no whole answer")
            got += more
        return got


def bytes_missing(got: bytes) -> int:
    """How many bytes a frame that begins with `got` still needs, as far as can be told (UM0701-02 §6.2.1)."""
    start = got.find(b"\x00\xff")
    if start < 0:
        return max(6 - len(got), 1)
    shortest = start + 5  # an ACK
    if len(got) < shortest:
        return shortest - len(got)
    length, check = got[start + 2 : start + 4]
    whole = shortest if {length, check} == {0x00, 0xFF} else start + 4 + length + 2
    return whole - len(got)


def _connect(port: str, baud: int, sleep: Sleep) -> Connection:
    chip = library("uart").PN532_UART
    try:
        line = Line(port, baud, timeout=0.1, write_timeout=1, exclusive=True)
    except serial.SerialException as error:
        raise NotThere(_why_not(port, error)) from error
    try:
        line.write(_WAKE)
        sleep(_WAKING)
        return Connection(chip(line), line.close)
    except BaseException:
        line.close()
        raise


def _why_not(port: str, error: serial.SerialException) -> str:
    others = ", ".join(sorted(other.device for other in comports()))
    here = f"Serial ports here: {others}." if others else "There is no serial port here."
    match error.errno:
        case errno.ENOENT | errno.ENODEV | errno.ENXIO:
            return f"The port {port} does not exist: plug the reader in or correct the port. {here}"
        case errno.EACCES | errno.EPERM:
            return permissions.serial(port).refusal(port, error)
        case errno.EBUSY | errno.EAGAIN:
            return f"{port} is busy: another program, or another reader of this table, has it open."
        case _:
            return f"{port} can't be used as a serial port ({error.strerror or error}): correct the port. {here}"
