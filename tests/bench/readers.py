"""How fast readers are polled, beside what bus and radio need, and beside the plain call of Adafruit's library.

What bus and radio need is every byte at the line's speed, and the radio's time. The plain call is
`read_passive_target` as its example has it: a timeout of 0.1 s on the line, 0.5 s for a card.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple
from unittest.mock import patch

import serial
from adafruit_pn532.uart import PN532_UART

from companion.devices.drivers import pn532_i2c, pn532_spi, pn532_uart
from companion.devices.readers.pn532 import Bus, Chip, configure, darken, read_tags, search
from companion.devices.sensing import Tag
from companion.games import places
from tests.bench.figures import Budget, Figure, compared
from tests.bench.rig import BAUD, RADIO, elsewhere
from tests.emulators.pn532 import ACK, frame
from tests.emulators.pn532_i2c import EmulatedI2c, I2cPN532, Multiplexer
from tests.emulators.pn532_spi import EmulatedSpi, SpiPN532

CARD = "04A1B2C3D4E5F6"
SHORT_CARD = "A1B2C3D4"
"""The plain call finds a long uid only every second time (Adafruit-PN532 #52)."""
BUDGET = Budget(median_at_most=1.5)
SPI_SPEED = 1_000_000
I2C_SPEED = 400_000
SELECTS = (5, 6, 13, 19, 26, 21)
TIMEOUT, CARD_TIMEOUT = 0.1, 0.5
"""Seconds: for the serial line and for a card, as the library's example has it."""

Buses = Sequence[Sequence[Bus]]
"""The readers: those of one bus take turns, each bus has a thread of its own."""


class Kind(NamedTuple):
    """A bus: how so many readers with a card or none are opened there, and a turn's seconds with one or without."""

    name: str
    opened: Callable[[int, str], contextlib.AbstractContextManager[Buses]]
    needs: Callable[[bool], float]


def commands(card: bool) -> Sequence[tuple[bytes, bytes, bytes]]:
    """Return the command, ACK and answer of a poll, and of switching the field off after it."""
    listing = frame(bytes(4)), ACK, frame(bytes(3 + 12 if card else 3))  # InListPassiveTarget; a target is 12 bytes
    return listing, (frame(bytes(4)), ACK, frame(bytes(2)))


def uart_needs(card: bool) -> float:
    """Ten bits a byte."""
    return RADIO + sum(len(part) for command in commands(card) for part in command) * 10 / BAUD


def spi_needs(card: bool) -> float:
    """Each transfer begins with a byte that says what it is; the state is asked for twice."""
    return RADIO + sum(sum(1 + len(part) for part in command) + 2 * 2 for command in commands(card)) * 8 / SPI_SPEED


def i2c_needs(card: bool) -> float:
    """Nine bits a byte and an address first; a reading begins with the state, asked for before.

    The multiplexer's register is written.
    """
    sent = sum(sum(1 + len(part) for part in command) + 2 * (2 + 1) for command in commands(card))
    return RADIO + (2 + sent) * 9 / I2C_SPEED


@contextlib.contextmanager
def on_uarts(readers: int, card: str) -> Iterator[Buses]:
    with elsewhere(readers, card) as ports:
        yield [[pn532_uart.bus(pn532_uart.Reader("", port, BAUD))] for port in ports]


@contextlib.contextmanager
def on_spi(readers: int, card: str) -> Iterator[Buses]:
    chips = _laid([SpiPN532(radio=RADIO) for _ in range(readers)], card)
    spi = EmulatedSpi(dict(zip(SELECTS, chips, strict=False)))
    settings = [pn532_spi.Reader(place, chip_select=pin) for place, pin in zip(places(), SELECTS, strict=False)]
    with (
        patch("companion.devices.readers.buses.Spidev", spi.spidev),
        patch("companion.devices.gpio.output", spi.output),
    ):
        yield [[pn532_spi.bus(reader) for reader in settings[:readers]]]


@contextlib.contextmanager
def on_i2c(readers: int, card: str) -> Iterator[Buses]:
    chips = _laid([I2cPN532(radio=RADIO) for _ in range(readers)], card)
    i2c = EmulatedI2c({0x70: Multiplexer(dict(enumerate(chips)))}, speed=I2C_SPEED)
    settings = [pn532_i2c.Reader(places()[n], multiplexer=0x70, channel=n) for n in range(readers)]
    with (
        patch("companion.devices.readers.buses.I2cdev", i2c.i2cdev),
        patch("companion.devices.gpio.output", i2c.output),
    ):
        yield [[pn532_i2c.bus(reader) for reader in settings]]


def _laid(chips: list[Any], card: str) -> list[Any]:
    for chip in chips if card else ():
        chip.put(card)
    return chips


KINDS = (
    Kind(f"UART at {BAUD} Bd", on_uarts, uart_needs),
    Kind(f"SPI at {SPI_SPEED // 1_000_000} MHz", on_spi, spi_needs),
    Kind(f"I2C at {I2C_SPEED // 1000} kHz behind a multiplexer", on_i2c, i2c_needs),
)


def turns(quick: bool) -> Iterator[Figure]:
    for kind in KINDS:
        for readers, card in ((1, ""), (1, CARD), (6, ""), (6, CARD)):
            setting = f"{readers} reader{'s' if readers > 1 else ''} on {kind.name}, {'a' if card else 'no'} card"
            need = kind.needs(bool(card))
            with kind.opened(readers, card) as buses:
                took = polled(buses, card, 1.0 if quick else 3.0)
                share = len(buses[0])
            rates = [1 / sum(took[start : start + share]) for start in range(0, len(took) - share + 1, share)]
            yield Figure(f"polls a second of each, {setting}", "1/s", rates, emulated=True)
            label = f"a turn over what bus and radio need, {need * 1000:.2f} ms, {setting}"
            yield Figure(label, "×", [seconds / need for seconds in took], BUDGET if card else None, emulated=True)


def poll(chip: Chip) -> tuple[Tag, ...]:
    """Search, and wait for what is found."""
    search(chip, 2)
    return read_tags(chip)


def polled(buses: Buses, card: str, seconds: float) -> list[float]:
    """Poll for so long; give how long each turn took."""
    took: list[float] = []
    with contextlib.ExitStack() as stack:
        chips = [[_connected(bus, stack) for bus in ways] for ways in buses]
        end = time.perf_counter() + seconds

        def go_on(turns: Sequence[Chip]) -> None:
            turn_began = time.perf_counter()
            while turn_began < end:
                for chip in turns:
                    assert poll(chip) == ((Tag(card),) if card else ())
                    darken(chip)
                    took.append(-turn_began + (turn_began := time.perf_counter()))

        threads = [threading.Thread(target=go_on, args=(turns,)) for turns in chips]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return took


def _connected(bus: Bus, stack: contextlib.ExitStack) -> Chip:
    connection = bus.connect(0)
    stack.callback(connection.close)
    configure(connection.chip)
    return connection.chip


def plain(quick: bool) -> Iterator[Figure]:
    """Our poll and the library's, as its own example makes it, of two readers of the same kind, in turn."""
    for card in (SHORT_CARD, ""):
        took: tuple[list[float], list[float]] = [], []
        with elsewhere(2, card) as ports, contextlib.ExitStack() as stack:
            chip = _connected(pn532_uart.bus(pn532_uart.Reader("", ports[0], BAUD)), stack)
            library = PN532_UART(stack.enter_context(serial.Serial(ports[1], BAUD, timeout=TIMEOUT)), debug=False)
            library.SAM_configuration()
            for _ in range(3 if quick else 60 if card else 15):
                began = time.perf_counter()
                assert [tag.uid for tag in poll(chip)] == [card] * bool(card)
                darken(chip)
                between = time.perf_counter()
                uid = library.read_passive_target(timeout=CARD_TIMEOUT)
                assert (bytes(uid).hex().upper() if uid else "") == card
                took[0].append((between - began) * 1000)
                took[1].append((time.perf_counter() - between) * 1000)
        samples = dict(zip(("ours", "the library's `read_passive_target`"), took, strict=True))
        label = f"a poll of one reader, {'a' if card else 'no'} card"
        yield from compared(label, "ms", samples, "ours over the library's", better="less", emulated=True)
