"""Driver `pn532-spi`: a PN532 on an SPI bus, with as many others as there are pins to select them by.

The Adafruit library speaks to the chip; `SpiLine` sets the reader's own speed, and polls more often than the library
would.
"""

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import Annotated
from weakref import WeakSet, WeakValueDictionary

import msgspec

from companion.devices import gpio, permissions
from companion.devices.readers import buses
from companion.devices.readers.pn532 import Bus, Connection, Patience, library, woken
from companion.devices.readers.source import ReaderSource
from companion.devices.sensing import UNPLACED, Claim, Clock, NotThere, Share, Sleep

_STATUS = 0x40
"""The status request, 2 in UM0701-02 §6.2.5, with its bits reversed: the chip expects the lowest bit first, the
computer sends the highest."""
_READY = 0x80
"""The status "ready", 1, likewise reversed."""

_BUS = "/dev/spidev0.0"
GUIDE = {13: 27, 4: 17, 5: 18, 6: 22, 7: 23, 8: 24, 12: 25}
"""The build guide's wiring: the GPIO at a reader's SS, and the one at its RSTPD_N."""

_PINS = {"/dev/spidev0": (9, 10, 11), "/dev/spidev1": (19, 20, 21)}
"""The GPIOs of a Pi that are MISO, MOSI and SCK."""

_WAKING = 0.002
"""Seconds that the chip must be selected to wake up."""


class Reader(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of one reader."""

    place: str
    """The place at the table where it senses: "seat-1"."""
    bus: str = "/dev/spidev0.0"
    """The bus with the kernel's chip select: "/dev/spidev0.0" selects by the Pi's CE0, "/dev/spidev0.1" by CE1."""
    chip_select: gpio.Gpio | None = None
    """The GPIO that selects this reader; CE0 or CE1, which then goes low too, must be left unconnected."""
    speed: Annotated[int, msgspec.Meta(ge=10_000, le=5_000_000)] = 1_000_000
    """Bits a second. The chip allows 5 million, long wires fewer."""
    turns: str = ""
    """Readers of one bus with the same word here are never on at the same time: for antennas close to each other.
    Others look for cards at the same time, which is faster."""
    reset: gpio.Gpio | None = None
    """The GPIO at the reader's RSTPD_N."""

    @property
    def claims(self) -> Iterable[Claim]:
        """The claims that no other device of the table may share."""
        if self.chip_select is None:
            yield "bus", (self.bus,)
        else:
            yield "chip_select", (self.bus, f"GPIO {self.chip_select}")
        yield from gpio.claims(chip_select=self.chip_select, reset=self.reset)

    @property
    def shares(self) -> Iterable[Share]:
        """See `Share`: the wires of the bus."""
        name = _wires(self.bus)
        return gpio.wires(name, *_PINS.get(name, ()))

    @property
    def needs(self) -> Iterable[permissions.Access]:
        """See `companion.devices.permissions`."""
        yield permissions.SPI
        yield from permissions.pins(self.chip_select, self.reset)

    def open(self, clock: Clock, sleep: Sleep = time.sleep) -> ReaderSource:
        """Return the reader's source; the bus is opened by its `start`."""
        return ReaderSource(self.place, bus(self, sleep), clock, sleep)


def here() -> Iterator[Reader]:
    """Yield the readers that may be on the Pi's bus, wired as in the build guide; nothing if the bus is off."""
    if os.path.exists(_BUS):
        for chip_select, reset in GUIDE.items():
            yield Reader(place=UNPLACED, bus=_BUS, chip_select=chip_select, reset=reset, speed=500_000)


def bus(settings: Reader, sleep: Sleep = time.sleep) -> Bus:
    """Return the way to a PN532 on SPI."""
    name = _wires(settings.bus)
    controller = _controllers.setdefault(name, Controller())
    select = gpio.output(settings.chip_select)
    reset = gpio.output(settings.reset)
    if select is not None:
        controller.selects.add(select)
    return Bus(
        where=settings.bus if select is None else f"{settings.bus}, chip select GPIO {settings.chip_select}",
        connect=partial(_connect, controller, settings.bus, settings.speed, select, sleep),
        advice="Check the board's power, its switches (SPI), and the wires SCK, MOSI, MISO and SS.",
        kind="spi",
        turns=name,
        near=settings.turns,
        reset=gpio.reset(reset, sleep),
        release=partial(gpio.release, select, reset),
    )


def _wires(bus: str) -> str:
    """Return the name of a bus's wires: spidev0.0 and spidev0.1 are the same."""
    return bus.rpartition(".")[0] or bus


class Controller:
    """The readers' SPI bus: its files, open while they are used, and the pins that select among its readers."""

    def __init__(self) -> None:
        self.selects: WeakSet[gpio.Output] = WeakSet()
        self._files: dict[str, buses.Shared[buses.Spidev]] = {}

    def file(self, path: str) -> buses.Shared[buses.Spidev]:
        """Return the bus with one of the kernel's chip selects."""
        return self._files.setdefault(path, buses.Shared(lambda: buses.Spidev(path)))

    def deselect_all(self) -> None:
        """Drive every chip select high. Many pins are low until driven, and their readers would all answer at once."""
        for select in self.selects:
            with suppress(NotThere):  # the reader of this pin reports it
                select.value = True


_controllers: WeakValueDictionary[str, Controller] = WeakValueDictionary()


class SpiLine:
    """An SPI bus with the interface that the library expects, at the reader's speed; a status read waits for ready."""

    def __init__(self, spi: buses.Spidev, speed: int, sleep: Sleep) -> None:
        """Take the bus, and the bits a second."""
        self._spi = spi
        self._speed = speed
        self._patience = Patience(sleep)
        self.try_lock = spi.try_lock
        self.unlock = spi.unlock

    def configure(self, **speed_asked: int) -> None:
        """Set the reader's speed, whatever the library asks for."""
        self._spi.configure(baudrate=self._speed)

    def write(self, data: bytes | bytearray) -> None:
        """Send; the library's single zero to wake the chip becomes `_WAKING` seconds of zeros. Raises OSError."""
        self._patience.renew()
        self._spi.write(bytes(data) if len(data) > 1 else bytes(round(_WAKING * self._speed / 8)))

    def write_readinto(self, out: bytearray, into: bytearray) -> None:
        """Send and receive; a status request is repeated until the chip is ready. Raises OSError and `ReaderFault`."""

        def ready() -> bool:
            self._spi.write_readinto(out, into)
            return into[1] == _READY

        if out[0] == _STATUS:
            self._patience.wait(ready)
        else:
            self._spi.write_readinto(out, into)


def _connect(
    controller: Controller, path: str, speed: int, select: gpio.Output | None, sleep: Sleep, failures: int
) -> Connection:
    chip = library("spi").PN532_SPI
    controller.deselect_all()
    file = controller.file(path)
    spi = file.take()
    try:
        begin = partial(chip, SpiLine(spi, speed, sleep), select)
        return Connection(woken((begin,) if failures else (begin, begin), sleep), file.give_back)
    except BaseException:
        file.give_back()
        raise
