"""Tables whose readers hang on one bus: the buses that do not exist, what can go wrong with them, and their files."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest import mock

from companion.events import PLACES
from tests.emulators.pn532 import AskedChip
from tests.emulators.pn532_i2c import EmulatedI2c, I2cPN532, Multiplexer
from tests.emulators.pn532_spi import EmulatedSpi, SpiPN532
from tests.trust.cables.trouble import Happening

RADIO = 0.005


@dataclass(frozen=True)
class Wired:
    """A table as it is wired."""

    name: str
    file: str
    """Its table.toml."""
    chips: Mapping[str, AskedChip]
    faults: tuple[Happening, ...]
    plugged: Callable[[], Any]
    """A context in which its bus is the machine's."""
    freed: Callable[[], None]
    """What the kernel gives back where a program was killed."""


def on_i2c() -> Wired:
    """A reader at every place behind two multiplexers: the first can be reset, and so can every second chip."""
    chips = {place: I2cPN532(radio=RADIO) for place in PLACES}
    seats = Multiplexer({n: chips[place] for n, place in enumerate(PLACES[:6])})
    pads = Multiplexer({n: chips[place] for n, place in enumerate(PLACES[6:])})
    resets = {4 + n: chips[place] for n, place in enumerate(PLACES[::2])}
    bus = EmulatedI2c({0x70: seats, 0x71: pads}, resets={17: seats, **resets})
    pins = {place: 4 + n for n, place in enumerate(PLACES[::2])}
    file = "".join(
        f'[[reader]]\ndriver = "pn532-i2c"\nplace = "{place}"\n'
        + ("multiplexer = 0x70\nmultiplexer_reset = 17\n" if n < 6 else "multiplexer = 0x71\n")
        + f"channel = {n % 6}\n"
        + (f"reset = {pins[place]}\n" if place in pins else "")
        for n, place in enumerate(PLACES)
    )

    def hang(multiplexer: Multiplexer) -> Callable[[], None]:
        return lambda: setattr(multiplexer, "hung", True)

    def stick(multiplexer: Multiplexer) -> Callable[[], None]:
        return lambda: setattr(multiplexer, "stuck", True)

    def power(multiplexer: Multiplexer, on: bool) -> Callable[[], None]:
        def switched() -> None:
            multiplexer.silent = not on
            multiplexer.register = 0

        return switched

    def brown_out() -> None:
        seats.register = 0

    def broken(transfers: int) -> Callable[[], None]:
        return lambda: setattr(bus, "broken", transfers)

    @contextmanager
    def plugged() -> Iterator[None]:
        with (
            mock.patch("companion.devices.readers.buses.I2cdev", bus.i2cdev),
            mock.patch("companion.devices.gpio.output", bus.output),
        ):
            yield

    faults = (
        Happening("transfers fail", PLACES, broken(10**9), broken(0), silent=True),
        Happening("multiplexer hangs, with a reset pin", PLACES, hang(seats), seats.reset),
        Happening("multiplexer hangs, without one", PLACES, hang(pads), pads.reset, silent=True),
        Happening("multiplexer sticks, with a reset pin", PLACES, stick(seats), seats.reset),
        Happening("multiplexer sticks, without one", PLACES, stick(pads), pads.reset),
        Happening("multiplexer without power", PLACES[:6], power(seats, False), power(seats, True), silent=True),
        Happening("multiplexer without power", PLACES[6:], power(pads, False), power(pads, True), silent=True),
        Happening("multiplexer's brown-out", PLACES[:6], brown_out, lambda: None),
    )
    return Wired("I2C", file, chips, faults, plugged, lambda: setattr(bus, "_locked", False))


def on_spi() -> Wired:
    """Six readers with a GPIO each as chip select; every second can be reset."""
    places = (*PLACES[:5], "centre")
    selects = {place: 4 + n for n, place in enumerate(places)}
    resets = {place: 14 + n for n, place in enumerate(places) if n % 2}
    chips = {place: SpiPN532(radio=RADIO) for place in places}
    bus = EmulatedSpi(
        {selects[place]: chip for place, chip in chips.items()}, {resets[place]: chips[place] for place in resets}
    )
    file = "".join(
        f'[[reader]]\ndriver = "pn532-spi"\nplace = "{place}"\nchip_select = {selects[place]}\n'
        + (f"reset = {resets[place]}\n" if place in resets else "")
        for place in places
    )

    def cut(off: bool) -> Callable[[], None]:
        def switched() -> None:
            for chip in chips.values():
                if off:
                    chip.cut_power()
                else:
                    chip.restore_power()

        return switched

    @contextmanager
    def plugged() -> Iterator[None]:
        with (
            mock.patch("companion.devices.readers.buses.Spidev", bus.spidev),
            mock.patch("companion.devices.gpio.output", bus.output),
        ):
            yield

    faults = (
        Happening("transfers fail", places, lambda: bus.fail(10**9), lambda: bus.fail(0), silent=True),
        Happening("slow transfers", places, lambda: bus.hang(0.01, 10**9), lambda: bus.hang(0.0, 0)),
        Happening("all chips without power", places, cut(True), cut(False), silent=True),
    )
    return Wired("SPI", file, chips, faults, plugged, lambda: None)
