"""How fast readers that share a bus are polled in turn, beside what bus and radio need for it."""

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from unittest.mock import patch

from companion.devices.drivers import pn532_i2c, pn532_spi
from companion.devices.readers.pn532 import Bus, Chip, configure, poll, rest
from companion.devices.sensing import Tag
from companion.events import PLACES
from tests.bench.figures import Budget, Figure
from tests.bench.rig import RADIO
from tests.emulators.pn532 import ACK, frame
from tests.emulators.pn532_i2c import EmulatedI2c, I2cPN532, Multiplexer
from tests.emulators.pn532_spi import EmulatedSpi, SpiPN532

CARD = "04A1B2C3D4E5F6"
BUDGET = Budget(median_at_most=1.5)
SPI_SPEED, I2C_SPEED = 1_000_000, 400_000
SELECTS = (5, 6, 13, 19, 26, 21)

Opened = contextlib.AbstractContextManager[Sequence[Bus]]


def frames(card: bool) -> Sequence[tuple[bytes, bytes, bytes]]:
    """Give the command, ACK and answer of a poll, and of switching the field off after it."""
    listing = frame(bytes(4)), ACK, frame(bytes(3 + 12 if card else 3))  # InListPassiveTarget; a target is 12 bytes
    return listing, (frame(bytes(4)), ACK, frame(bytes(2)))


def spi_needs(card: bool) -> float:
    """Give a turn's seconds: each transfer begins with a byte that says what it is; the state is asked for twice."""
    sent = sum(sum(1 + len(part) for part in command) + 2 * 2 for command in frames(card))
    return RADIO + sent * 8 / SPI_SPEED


def i2c_needs(card: bool) -> float:
    """Give a turn's seconds: nine bits a byte and an address first; a reading begins with the state, asked for before.

    The multiplexer's register is written.
    """
    sent = 2 + sum(sum(1 + len(part) for part in command) + 2 * (2 + 1) for command in frames(card))
    return RADIO + sent * 9 / I2C_SPEED


@contextlib.contextmanager
def on_spi(readers: int, card: str) -> Iterator[Sequence[Bus]]:
    chips = [SpiPN532(radio=RADIO) for _ in range(readers)]
    _lay(chips, card)
    spi = EmulatedSpi(dict(zip(SELECTS, chips, strict=False)))
    with (
        patch("companion.devices.readers.buses.Spidev", spi.spidev),
        patch("companion.devices.gpio.output", spi.output),
    ):
        settings = [pn532_spi.Reader(place, chip_select=pin) for place, pin in zip(PLACES, SELECTS, strict=False)]
        yield [pn532_spi.bus(reader) for reader in settings[:readers]]


@contextlib.contextmanager
def on_i2c(readers: int, card: str) -> Iterator[Sequence[Bus]]:
    chips = [I2cPN532(radio=RADIO) for _ in range(readers)]
    _lay(chips, card)
    i2c = EmulatedI2c({0x70: Multiplexer(dict(enumerate(chips)))}, speed=I2C_SPEED)
    with (
        patch("companion.devices.readers.buses.I2cdev", i2c.i2cdev),
        patch("companion.devices.gpio.output", i2c.output),
    ):
        yield [pn532_i2c.bus(pn532_i2c.Reader(PLACES[n], multiplexer=0x70, channel=n)) for n in range(readers)]


def _lay(chips: Sequence[SpiPN532 | I2cPN532], card: str) -> None:
    for chip in chips if card else ():
        chip.put(card)


KINDS: tuple[tuple[str, Callable[[int, str], Opened], Callable[[bool], float]], ...] = (
    (f"SPI at {SPI_SPEED // 1_000_000} MHz", on_spi, spi_needs),
    (f"I2C at {I2C_SPEED // 1000} kHz behind a multiplexer", on_i2c, i2c_needs),
)


def turns(quick: bool) -> Iterator[Figure]:
    for name, opened, needs in KINDS:
        for readers in (1, 6):
            for card in ("", CARD):
                who = f"{readers} reader{'s in turn' if readers > 1 else ''} on {name}, {'a' if card else 'no'} card"
                need = needs(bool(card))
                with opened(readers, card) as ways:
                    took = _took(ways, card, 1.0 if quick else 2.0)
                rates = [1 / sum(took[start : start + readers]) for start in range(0, len(took) - readers + 1, readers)]
                yield Figure(f"polls a second of each, {who}", "1/s", rates, emulated=True)
                what = f"a turn over what bus and radio need, {need * 1000:.2f} ms, {who}"
                yield Figure(what, "×", [seconds / need for seconds in took], BUDGET if card else None, emulated=True)


def _took(ways: Sequence[Bus], card: str, seconds: float) -> list[float]:
    """Poll for so long, one reader after the other; give how long each turn took."""
    took: list[float] = []
    with contextlib.ExitStack() as stack:
        chips: list[Chip] = []
        for way in ways:
            connection = way.connect()
            stack.callback(connection.close)
            configure(connection.chip)
            chips.append(connection.chip)
        before = time.perf_counter()
        end = before + seconds
        while before < end:
            for chip in chips:
                assert poll(chip) == ((Tag(card),) if card else ())
                rest(chip)
                took.append(-before + (before := time.perf_counter()))
    return took
