"""How tests listen to readers: a table of them on any bus, in a time that passes only while they wait."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock

from companion.devices.drivers import pn532_i2c, pn532_spi, pn532_uart
from companion.devices.listening import take_turns
from companion.devices.readers.source import ReaderSource
from companion.devices.sensing import Appeared, Gone, Sensing
from companion.games import places
from tests.devices.table import Table as Heard
from tests.devices.table import listening_to
from tests.emulators.pn532 import Chip
from tests.emulators.pn532_i2c import EmulatedI2c, I2cPN532, Multiplexer
from tests.emulators.pn532_spi import EmulatedSpi, SpiPN532
from tests.emulators.pn532_uart import EmulatedPorts
from tests.emulators.time import Time, Until, passing

CARD = "04A1B2C3D4E5F6"
OTHER = "04B1B2C3D4E5F6"
SHORT = "01020304"
SIX = ("centre", "seat-1", "seat-2", "seat-3", "seat-4", "seat-5")
RADIO = 0.001

Bus = EmulatedPorts | EmulatedSpi | EmulatedI2c


class Table:
    """Readers of a table, by place, and all that they tell."""

    def __init__(self, bus: Bus, chips: dict[str, Chip], readers: Sequence[Any]) -> None:
        """`readers` are settings."""
        self.bus: Any = bus
        self.chips: dict[str, Any] = chips
        self.readers = readers
        self.uids = {place: f"04{number:012X}" for number, place in enumerate(chips)}
        self.told: list[Sensing] = []
        self.time = Time()
        self.sources: list[ReaderSource] = []

    @contextmanager
    def set_up(self) -> Iterator["Table"]:
        """Have its bus be the machine's; at the end nothing is left open."""
        with ExitStack() as stack:
            stack.enter_context(passing(self.time))
            stack.enter_context(plugged(self.bus))
            self.sources = [reader.open(self.time.monotonic, self.time.sleep) for reader in self.readers]
            yield self
            for source in self.sources:
                source.close()
            assert self.bus.files == 0

    def tell(self, *news: Sensing) -> None:
        self.told += news

    def until(self, true: Callable[[], object], within: float = 20.0) -> None:
        """Let the readers have their turns until it is true, within so many seconds of their time."""
        end = self.time.now + within
        over = Until(self.time, lambda: bool(true()) or self.time.now > end)
        take_turns(self.sources, self.tell, over, self.time.monotonic)  # type: ignore[arg-type]
        assert true(), f"not within {within} s; told at last: {self.told[-4:]}"

    def rounds(self, more: int) -> None:
        """Go on until every reader has been polled so much more often."""
        goals = {chip: chip.polls + more for chip in self.chips.values()}
        self.until(lambda: all(chip.polls >= goal for chip, goal in goals.items()))

    def lay_cards(self) -> None:
        """Lay a card at every place, and forget what was told of it."""
        for place, chip in self.chips.items():
            chip.put(self.uids[place])
        self.until(lambda: count(self.told, Appeared) == len(self.chips))
        self.told.clear()


def on_uart(turns: str = "pads", radio: float = RADIO) -> Table:
    chips: dict[str, Chip] = {place: Chip(radio=radio) for place in SIX}
    ports = {place: f"/dev/tty{place}" for place in SIX}
    resets = {17 + number: chip for number, chip in enumerate(chips.values())}
    readers = [pn532_uart.Reader(place, ports[place], turns=turns, reset=17 + n) for n, place in enumerate(SIX)]
    return Table(EmulatedPorts({ports[place]: chips[place] for place in SIX}, resets), chips, readers)


def on_spi(turns: str = "", radio: float = RADIO) -> Table:
    """Each reader is selected by a GPIO, and reset by another."""
    chips = {place: SpiPN532(radio=radio) for place in SIX}
    selects = {5 + number: chip for number, chip in enumerate(chips.values())}
    resets = {17 + number: chip for number, chip in enumerate(chips.values())}
    readers = [pn532_spi.Reader(place, chip_select=5 + n, turns=turns, reset=17 + n) for n, place in enumerate(SIX)]
    return Table(EmulatedSpi({**selects}, resets), {**chips}, readers)


def on_i2c(turns: str = "", radio: float = RADIO) -> Table:
    """A reader at every place, on the channels of two multiplexers of which the first, with six, can be reset."""
    chips = {place: I2cPN532(radio=radio) for place in places()}
    seats = Multiplexer(dict(enumerate(chips[place] for place in places()[:6])))
    pads = Multiplexer(dict(enumerate(chips[place] for place in places()[6:])))
    resets = {4 + number: chip for number, chip in enumerate(chips.values())}
    ways = [(0x70, n, 17) if n < 6 else (0x71, n - 6, None) for n in range(len(places()))]
    readers = [
        pn532_i2c.Reader(place, multiplexer=address, channel=channel, multiplexer_reset=reset, turns=turns, reset=4 + n)
        for n, (place, (address, channel, reset)) in enumerate(zip(places(), ways, strict=True))
    ]
    return Table(EmulatedI2c({0x70: seats, 0x71: pads}, resets={**resets, 17: seats}), {**chips}, readers)


def alone(bus: Bus, chip: Chip, reader: Any) -> Table:
    """A table of one reader."""
    return Table(bus, {reader.place: chip}, [reader])


@contextmanager
def plugged(bus: Bus) -> Iterator[None]:
    """Put an emulated bus in the place of the machine's."""
    with ExitStack() as stack:
        stack.enter_context(mock.patch("companion.devices.gpio.output", bus.output))
        match bus:
            case EmulatedPorts():
                stack.enter_context(mock.patch("companion.devices.drivers.pn532_uart.UartLine", bus.line))
            case EmulatedSpi():
                stack.enter_context(mock.patch("companion.devices.readers.buses.Spidev", bus.spidev))
            case EmulatedI2c():
                stack.enter_context(mock.patch("companion.devices.readers.buses.I2cdev", bus.i2cdev))
        yield


@contextmanager
def listening(reader: ReaderSource) -> Iterator[list[Sensing]]:
    """What a reader tells in a thread of its own while the block runs, in the real time."""
    table = Heard()
    with listening_to(reader, table):
        yield table.told


def count(sensings: Sequence[Sensing], kind: type[Sensing]) -> int:
    return sum(isinstance(news, kind) for news in sensings)


def uids(sensings: Sequence[Sensing], kind: type[Appeared] | type[Gone]) -> list[str]:
    return [news.uid for news in sensings if isinstance(news, kind)]


def kinds(sensings: Sequence[Sensing], place: str = "") -> list[type[Sensing]]:
    """What kinds of things were told: all, or of one place or the reader there."""
    return [
        type(news)
        for news in sensings
        if not place or place in (getattr(news, "place", ""), getattr(news, "source", "")[7:])
    ]
