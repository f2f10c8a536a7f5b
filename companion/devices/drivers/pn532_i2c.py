"""Driver `pn532-i2c`: a PN532 on an I2C bus, alone, or one on each channel of TCA9548A multiplexers.

All PN532 have the same address, so a multiplexer lets only one of them be reached at a time.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Annotated

import msgspec

from companion.devices import gpio, permissions
from companion.devices.readers import buses
from companion.devices.readers.multiplexer import Trunk, trunk_at
from companion.devices.readers.pn532 import (
    LOOK_EVERY,
    Bus,
    Chip,
    Connection,
    CutOff,
    Patience,
    ReaderFault,
    library,
    woken,
)
from companion.devices.readers.source import ReaderSource
from companion.devices.sensing import UNPLACED, Claim, Clock, NotThere, Share, Sleep

_BUSES = ("/dev/i2c-1", "/dev/i2c-3")
"""The header's own bus, and the one of `dtoverlay=i2c-gpio`; others lead to screens and the like."""
_PINS = {"/dev/i2c-1": (2, 3)}
"""The GPIOs of a Pi that are SDA and SCL."""
_READY = 0x01  # UM0701-02 §6.2.4
_WAKING = 0.01
"""Seconds that a chip may need to wake up once it is addressed."""

_QUICK = LOOK_EVERY
"""Seconds between two transfers: most chips need none."""
_PATIENT = 0.005
"""Seconds between two transfers that some chips need (libnfc's PN532_BUS_FREE_TIME)."""

_DOUBTED_EVERY = 3
"""After every so many failures in a row, the other rest is tried."""

_SENDS = 3
"""Attempts at a transfer before a chip that does not acknowledge its address counts as silent: right after an exchange
it may not acknowledge (§6.2.4; libnfc's PN532_SEND_RETRIES)."""


class Reader(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of one reader."""

    place: str
    """The place at the table where it senses: "seat-1"."""
    bus: str = "/dev/i2c-1"
    """The I2C bus; up to a Pi 4 "/dev/i2c-3" (build guide: the drivers). Without a multiplexer one reader is on it."""
    multiplexer: Annotated[int, msgspec.Meta(ge=0x70, le=0x77, extra={"base": "#x"})] | None = None
    """The TCA9548A's address: 0x70, plus what its pins A0 to A2 add."""
    channel: Annotated[int, msgspec.Meta(ge=0, le=7)] | None = None
    """The multiplexer's channel that the reader is on."""
    multiplexer_reset: gpio.Gpio | None = None
    """The GPIO at the multiplexer's RESET; the same for all readers on it."""
    turns: str = ""
    """Readers of one bus with the same word here are never on at the same time: for antennas close to each other.
    Others look for cards at the same time, which is faster."""
    reset: gpio.Gpio | None = None
    """The GPIO at the reader's RSTPD_N."""

    def __post_init__(self) -> None:
        if (self.multiplexer is None) != (self.channel is None):
            raise ValueError("`multiplexer` and `channel` go together")
        if self.multiplexer is None and self.multiplexer_reset is not None:
            raise ValueError("`multiplexer_reset` is for a reader on a multiplexer")

    @property
    def claims(self) -> Iterable[Claim]:
        """The claims that no other device of the table may share."""
        yield "bus" if self.channel is None else "channel", self.way
        yield from gpio.claims(reset=self.reset)

    @property
    def shares(self) -> Iterable[Share]:
        """See `Share`: the wires of the bus, and the multiplexer's RESET, which is one pin for all readers on it."""
        yield from gpio.wires(self.bus, *_PINS.get(self.bus, ()))
        if self.multiplexer_reset is not None:
            pin = f"GPIO {self.multiplexer_reset}"
            reset = f"the RESET of {', '.join(self.way[:2])}"
            yield "multiplexer_reset", (pin,), reset
            yield "multiplexer_reset", (reset,), pin

    @property
    def needs(self) -> Iterable[permissions.Access]:
        """See `companion.devices.permissions`."""
        yield permissions.I2C
        yield from permissions.pins(self.multiplexer_reset, self.reset)

    @property
    def way(self) -> tuple[str, ...]:
        """The way to the reader, in words for people."""
        if self.multiplexer is None:
            return (self.bus,)
        return self.bus, f"multiplexer {self.multiplexer:#x}", f"channel {self.channel}"

    def open(self, clock: Clock, sleep: Sleep = time.sleep) -> ReaderSource:
        """Return the reader's source; the bus is opened by its `start`."""
        return ReaderSource(self.place, bus(self, sleep), clock, sleep)


def here() -> Iterator[Reader]:
    """Yield the readers that may be on a Pi's own I2C: behind each multiplexer that answers, or else a single one."""
    for path in filter(os.path.exists, _BUSES):
        multiplexers = [address for address in range(0x70, 0x78) if _answers(path, address)]
        for address in multiplexers:
            for channel in range(8):
                yield Reader(place=UNPLACED, bus=path, multiplexer=address, channel=channel)
        if not multiplexers:
            yield Reader(place=UNPLACED, bus=path)


def _answers(path: str, address: int) -> bool:
    file = buses.Shared(lambda: buses.I2cdev(path))
    try:
        i2c = file.take()
        try:
            i2c.readfrom_into(address, bytearray(1))
        finally:
            file.give_back()
    except (OSError, NotThere):
        return False
    return True


def bus(settings: Reader, sleep: Sleep = time.sleep) -> Bus:
    """Return the way to a PN532 on I2C."""
    trunk = trunk_at(settings.bus)
    reset = gpio.output(settings.reset)
    multiplexer_reset = gpio.output(settings.multiplexer_reset)
    way = None
    if settings.multiplexer is not None and settings.channel is not None:
        way = settings.multiplexer, settings.channel
        trunk.add(settings.multiplexer, gpio.reset(multiplexer_reset, sleep))
    return Bus(
        where=", ".join(settings.way),
        connect=Route(trunk, way, sleep).connect,
        advice="Check that the board has power, that its switches are set to I2C, and the wires SDA and SCL.",
        kind="i2c",
        turns=settings.bus,
        near=settings.turns,
        reset=gpio.reset(reset, sleep),
        release=partial(gpio.release, reset, multiplexer_reset),
    )


class Channel:
    """An I2C bus with the interface that the library expects, for one chip; a status read waits for "ready"."""

    def __init__(
        self, i2c: buses.I2cdev, trunk: Trunk, way: tuple[int, int] | None, sleep: Sleep, bus_free: float
    ) -> None:
        """Take the bus, the multiplexer and channel that lead to the chip, if any, and the rest between transfers."""
        self._i2c = i2c
        self._trunk = trunk
        self._way = way
        self._sleep = sleep
        self._bus_free = bus_free
        self._patience = Patience(sleep, bus_free)
        self.unlock = i2c.unlock

    def try_lock(self) -> bool:
        """Lock the bus and route it to the chip. Raises `ReaderFault` and `NotThere`."""
        self._i2c.try_lock()
        try:
            if self._way is not None:
                self._trunk.route(self._i2c, self._way)
        except BaseException:
            self._i2c.unlock()
            raise
        return True

    def writeto(self, address: int, buffer: bytes, *, start: int = 0, end: int | None = None) -> None:
        """Send; an empty buffer asks whether a chip is there, and wakes it. Raises OSError, `ReaderFault`, `CutOff`."""
        if buffer:
            self._patience.renew()
            self._begin(partial(self._i2c.writeto, address, buffer, start=start, end=end))
            return
        with suppress(OSError):
            self._i2c.readfrom_into(address, bytearray(1))
        self._sleep(_WAKING)
        try:
            self._begin(partial(self._i2c.readfrom_into, address, bytearray(1)))
        except OSError as error:  # it had time to wake, so a longer rest between transfers would not help
            raise CutOff(f"no answer ({error.strerror})") from error

    def readfrom_into(self, address: int, buffer: bytearray, *, start: int = 0, end: int | None = None) -> None:
        """Receive; a status read, which is one byte, is repeated until the chip is ready. Raises `ReaderFault`."""

        def ready() -> bool:
            try:
                self._i2c.readfrom_into(address, buffer, start=start, end=end)
            except OSError as error:
                if error.errno in buses.UNACKNOWLEDGED:
                    return False
                raise
            return buffer[start] == _READY

        with _not_in_vain():
            if len(buffer[start:end]) == 1:
                self._patience.wait(ready)
            else:
                self._begin(partial(self._i2c.readfrom_into, address, buffer, start=start, end=end))

    def _begin(self, transfer: Callable[[], None]) -> None:
        for _ in range(_SENDS - 1):
            self._sleep(self._bus_free)
            try:
                return transfer()
            except OSError as error:
                if error.errno not in buses.UNACKNOWLEDGED:
                    raise
        self._sleep(self._bus_free)
        return transfer()


@contextmanager
def _not_in_vain() -> Iterator[None]:
    """Turn an OSError into a `ReaderFault`, because on an OSError the library would retry for a second."""
    try:
        yield
    except OSError as error:
        raise ReaderFault(f"no answer ({error.strerror})") from error


class Route:
    """The way to one chip, with the rest between transfers that suits it."""

    def __init__(self, trunk: Trunk, way: tuple[int, int] | None, sleep: Sleep) -> None:
        """Take the bus, the multiplexer and channel, if any; touches nothing yet."""
        self._trunk = trunk
        self._way = way
        self._sleep = sleep
        self._suits: float | None = None
        """The rest with which it was polled successfully; None at first. Once it is the short one, it stays so."""
        self._woken_quickly = False
        """Whether the short rest woke it last, without a successful poll since."""

    def connect(self, failures: int) -> Connection:
        """Wake the chip; see `Bus`."""
        i2c = self._trunk.take()
        woken_with = []

        def begin(pause: float) -> Chip:
            chip: Chip = library("i2c").PN532_I2C(Channel(i2c, self._trunk, self._way, self._sleep, pause))
            woken_with.append(pause)
            self._woken_quickly = pause == _QUICK
            return chip

        def worked() -> None:
            self._suits = woken_with[-1]
            self._woken_quickly = False

        try:
            chip = woken([partial(begin, pause) for pause in self._rests(failures)], self._sleep)
            return Connection(chip, self._trunk.give_back, worked=worked)
        except BaseException:
            self._trunk.give_back()
            raise

    def _rests(self, failures: int) -> tuple[float, ...]:
        """Return the rests (seconds) to try: the longer one only for a chip that needs it, because it slows every
        transfer.
        """
        if self._suits == _QUICK:
            return (_QUICK,)
        if not failures:
            return _QUICK, _QUICK, _PATIENT
        doubted = not failures % _DOUBTED_EVERY
        patient = self._woken_quickly if doubted else self._suits == _PATIENT
        return (_PATIENT,) if patient else (_QUICK, _PATIENT)
