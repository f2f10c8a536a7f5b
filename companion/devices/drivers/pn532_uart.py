"""Driver `pn532-uart`: a PN532 on a serial port, its own (HSU) or behind a USB adapter.

The Adafruit library speaks to the chip over pyserial; `UartLine` keeps it from waiting longer than the chip takes.
"""

import errno
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Literal

import msgspec
import serial

from companion.devices import gpio, permissions, serial_ports, serial_users
from companion.devices.faults import DeviceFault, FaultCode
from companion.devices.readers.pn532 import (
    ACK,
    ANSWER_WITHIN,
    BREATH,
    Bus,
    Connection,
    ReaderFault,
    library,
    tell_speed,
    woken,
)
from companion.devices.readers.source import ReaderSource
from companion.devices.sensing import UNPLACED, Claim, Clock, NotThere, Sleep
from companion.devices.serial_line import SerialLine
from companion.devices.serial_ports import Adapter, exchanged, is_another

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

GUIDE: Mapping[str, gpio.Gpio] = {"centre": 17, "seat-1": 18, "seat-2": 22, "seat-3": 23, "seat-4": 24}
"""The build guide's wiring: the GPIO at RSTPD_N of the reader at each place."""

_BAUD_AT_START = 115200  # UM0701-02 §6.3.1
_WAKE = b"\x55\x55" + bytes(15)  # UM0701-02 §7.2.11
_WAKING = 0.01
"""Seconds that a chip may need to wake up: the library sends its first command at once, and waits a second if that is
lost."""

ACK_WITHIN = 0.15
"""Seconds: an ACK is due in 15 ms (§6.2.3), an adapter may hold it back for 16, and the computer may be busy. Not less,
because a search that is started twice misses its card."""

PATIENT_TRIES = 4
"""Failed commands that wait `ANSWER_WITHIN` for their ACK: with some ports more than a second passes before the first
byte comes (nfcpy #45, #234), and the computer may be busy. After that many the chip counts as silent."""

FRESHEN = 8
"""Failed attempts after which the port is reopened. Not each time, because some ports then take that second again."""

_ROOM = 120
"""Bytes of a listing of two phones; room costs nothing here, because a serial port fetches only bytes that come."""

_NOISE = 400
"""Bytes within which a frame must have come: the longest has 262, and another device may send without end."""

_FRAMES = 8
"""The most old frames that are skipped before the one that is due."""


class Reader(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of one reader."""

    place: str
    """The place at the table where it senses: "seat-1"."""
    port: str
    """The serial port: "/dev/ttyUSB0", or better a name under /dev/serial/by-path, which a reboot does not change."""
    baud: Literal[115200, 230400, 460800, 921600] = 115200
    """Bits a second. The chip starts at 115200 and is then switched."""
    turns: str = ""
    """Readers with the same word here take turns, so that their fields are never on together: for antennas close to
    each other. Others are polled at the same time, which is faster."""
    reset: gpio.Gpio | None = None
    """The GPIO at the reader's RSTPD_N."""

    @property
    def claims(self) -> Iterable[Claim]:
        """The claims that no other device of the table may share."""
        yield "port", (self.port,)
        yield from gpio.claims(reset=self.reset)

    @property
    def needs(self) -> Iterable[permissions.Access]:
        """See `companion.devices.permissions`."""
        yield permissions.serial(self.port)
        yield from permissions.pins(self.reset)

    def open(self, clock: Clock, sleep: Sleep = time.sleep) -> ReaderSource:
        """Return the reader's source; the port is opened by its `start`."""
        return ReaderSource(self.place, bus(self, sleep), clock, sleep)


def here() -> Iterator[Reader]:
    """Yield a reader for each USB port that may lead to one: all but a Pico's."""
    for port in serial_ports.ports():
        if port.vid is not None and not serial_ports.is_pico(port):
            yield Reader(place=UNPLACED, port=serial_ports.lasting_name(port.device, serial_ports.BY_PATH))


def resets_here() -> dict[str, gpio.Gpio]:
    """Return of the guide's reset pins those that the kernel does not use, by place; {} unless on a Pi."""
    unused = gpio.unused(GUIDE.values())
    return {place: pin for place, pin in GUIDE.items() if pin in unused}


def bus(settings: Reader, sleep: Sleep = time.sleep) -> Bus:
    """Return the way to a PN532 on a serial port."""
    port = Port(settings.port, settings.baud, sleep)
    reset = gpio.output(settings.reset)

    def release() -> None:
        port.close()
        gpio.release(reset)

    return Bus(
        where=settings.port,
        connect=lambda _: port.connect(),
        advice="Check that it is the right port, that the board has power, that TX and RX are crossed, "
        "and that the board's switch is set to HSU (UART).",
        kind="uart",
        turns=settings.turns,
        near=settings.turns,
        reset=gpio.reset(reset, sleep),
        release=release,
        port=settings.port,
        others=partial(serial_users.users_of, settings.port),
    )


class UartLine(SerialLine):
    """A serial port that returns each PN532 frame as soon as it is complete.

    The library asks for as many bytes as an answer may have, and polls every 10 ms whether one has begun: with a plain
    port it would wait for the port's timeout each time.
    """

    def __init__(self, port: str | None, sleep: Sleep) -> None:
        """Open the port. Raises `serial.SerialException`."""
        super().__init__(port, _BAUD_AT_START, timeout=0, write_timeout=1)
        self._sleep = sleep
        self._in_vain = 1
        """Commands since the last ACK. It starts at 1, because a port that was just opened gets the longer wait."""
        self._within = ANSWER_WITHIN

    @property
    def in_waiting(self) -> int:
        """Bytes received; if there are none, waits for the first. Raises `ReaderFault` if none comes."""
        if not self.comes(self._within):
            self._in_vain += 1
            raise ReaderFault("no answer")
        return super().in_waiting

    def write(self, data: "Buffer") -> int | None:
        """Send, after a rest. Raises `serial.SerialException`."""
        self.renew()
        return super().write(data)

    def renew(self) -> None:
        """Rest before a command, and set how long to wait for its ACK."""
        self._sleep(BREATH)
        self._within = ANSWER_WITHIN if 0 < self._in_vain <= PATIENT_TRIES else ACK_WITHIN

    def read(self, size: int = 1) -> bytes:
        """Return the next whole frame: an ACK if `size` is its length, else an answer with room for so many bytes.

        Noise and late frames are skipped. Raises `ReaderFault` if no whole frame comes: the library would not notice a
        truncated one, since its checksums still agree if the lost bytes were zeros.
        """
        for _ in range(_FRAMES):
            frame = self._frame()
            if size != len(ACK):
                if frame != ACK:
                    return frame
            elif len(frame) == len(ACK):
                self._in_vain = 0
                self._within = ANSWER_WITHIN
                return frame
        raise ReaderFault("no whole answer")

    def _frame(self) -> bytes:
        frame = b""
        bytes_read = 0
        while missing := bytes_missing(frame):
            if bytes_read > _NOISE or not self.comes(self._within):
                raise ReaderFault("no whole answer")
            received = super().read(missing)
            frame = begun(frame + received)
            bytes_read += len(received)
        return frame


def begun(heard: bytes) -> bytes:
    """Return the frame that has begun, without noise or surplus zeros before it (UM0701-02 §6.2.1)."""
    start = heard.find(b"\x00\xff")
    while start >= 0 and len(heard) >= start + 4 and not _is_length(*heard[start + 2 : start + 4]):
        start = heard.find(b"\x00\xff", start + 1)
    return b"\x00" + heard[start:] if start >= 0 else heard[-1:]


def bytes_missing(begun: bytes) -> int:
    """Return how many more bytes a frame with this beginning needs at least (UM0701-02 §6.2.1)."""
    shortest = len(ACK)
    if len(begun) < shortest:
        return shortest - len(begun)
    length, check = begun[3:5]
    whole = shortest if {length, check} == {0x00, 0xFF} else 5 + length + 2
    return whole - len(begun)


def _is_length(length: int, check: int) -> bool:
    return {length, check} == {0x00, 0xFF} or not (length + check) & 0xFF


class Port:
    """A serial port, kept open from the first attempt on until it is unplugged."""

    def __init__(self, path: str, baud: int, sleep: Sleep) -> None:
        """Take the port's name and the bits a second; touches nothing yet."""
        self._path = path
        self._baud = baud
        self._sleep = sleep
        self._line: UartLine | None = None
        self._adapter: Adapter | None = None
        """What was at the port when it was first opened."""
        self._tries = 0

    def connect(self) -> Connection:
        """Wake the chip. Raises `NotThere`, and what the library raises."""
        chip = library("uart").PN532_UART
        line = self._line = self._line or self._opened()
        self._tries += 1
        # An earlier run may have left the chip at the higher speed, so both are tried in turn.
        line.baudrate = _BAUD_AT_START if self._tries % 2 else self._baud
        try:
            line.write(_WAKE)
            self._sleep(_WAKING)
            begin = partial(chip, line)
            awake = woken((begin, begin), self._sleep)
            if line.baudrate != self._baud:
                tell_speed(awake, self._baud, self._sleep)
                line.baudrate = self._baud
        except BaseException:
            self._rest()
            raise
        self._tries = 0
        return Connection(awake, self._rest, _ROOM)

    def close(self) -> None:
        """Release the port, if it is open."""
        line = self._line
        self._line = None
        if line is not None:
            line.close()

    def _opened(self) -> UartLine:
        try:
            line = UartLine(self._path, self._sleep)
        except serial.SerialException as error:
            raise NotThere(_why_not(self._path, error)) from error
        adapter = serial_ports.adapter_at(self._path)
        if is_another(self._adapter, adapter):
            line.close()
            raise NotThere(exchanged(self._path))
        self._adapter = self._adapter or adapter
        with suppress(OSError, ValueError):  # by default FTDI's adapters hold bytes back for 16 ms
            line.set_low_latency_mode(True)
        return line

    def _rest(self) -> None:
        """Keep the port open after a fault of the chip; close one that is gone or long silent, to reopen it."""
        if self._line is not None and (not self._line.is_there() or self._tries >= FRESHEN):
            self._tries = 0
            self.close()


def _why_not(port: str, error: serial.SerialException) -> DeviceFault:
    ports_here = serial_ports.describe_ports()
    match error.errno:
        case errno.ENOENT | errno.ENODEV | errno.ENXIO:
            says = f"The port {port} does not exist: plug the reader in or correct the port. {ports_here}"
            return DeviceFault(says, FaultCode.GONE)
        case errno.EACCES | errno.EPERM:
            return permissions.serial(port).refusal(port, error)
        case errno.EBUSY | errno.EAGAIN:
            return DeviceFault(
                f"{port} is busy: another program, or another reader of this table, has it open.", FaultCode.BUSY
            )
        case _:
            says = f"{port} can't be used as a serial port ({error.strerror or error}): correct the port. {ports_here}"
            return DeviceFault(says, FaultCode.UNUSABLE, {"setting": "port", "choices": serial_ports.listed()})
