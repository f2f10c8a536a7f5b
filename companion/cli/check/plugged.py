"""Lists what is plugged in: serial ports, SPI and I2C buses, GPIO chips, and their sections for `table.toml`.

Listing is safe. Probing writes to ports and buses, where other devices may be connected; so only `--find` and the setup
do it.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from glob import glob
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from serial.tools.list_ports_common import ListPortInfo

from companion import games
from companion.config import Table
from companion.devices.buttons.gpio_source import Wiring
from companion.devices.drivers import gpiod, pico, pn532_i2c, pn532_spi, pn532_uart
from companion.devices.monotonic_clock import TableClock
from companion.devices.sensing import UNPLACED, reads
from companion.devices.serial_ports import BY_ID, BY_PATH, is_pico, lasting_name, ports
from companion.events import SEATS
from companion.setup.plugged_in import Bench
from companion.setup.table_file import device_section

_NODES: tuple[tuple[str, str, Callable[[str], Any]], ...] = (
    ("/dev/spidev*", "an SPI bus: PN532 readers", lambda path: pn532_spi.Reader(place=UNPLACED, bus=path)),
    ("/dev/i2c-*", "an I2C bus: PN532 readers", lambda path: pn532_i2c.Reader(place=UNPLACED, bus=path)),
    ("/dev/gpiochip*", "a GPIO chip: buttons", lambda path: gpiod.Buzzers(seats=(1,), lines=(17,), chip=path)),
)


class Plugged(Struct, frozen=True):
    """Something plugged in."""

    path: str
    what: str
    """A description for people."""
    settings: Any = None
    """Its section of `table.toml`; None if it has none."""


def list_plugged() -> list[Plugged]:
    """Return what is plugged in, by device files and USB descriptions, without probing."""
    nodes = (
        Plugged(path, description, settings(path))
        for pattern, description, settings in _NODES
        for path in sorted(glob(pattern))
        if not os.path.islink(path)
    )
    return [*map(guess, ports()), *nodes]


def answering(candidates: Iterable[Any]) -> list[Plugged]:
    """Probe the candidates as the setup does; return what answers, and what should but does not."""
    bench = Bench(TableClock(), lambda name, sensing_told: None)
    try:
        devices, silent = bench.look((), candidates)
    finally:
        bench.close()
    answering_devices = [Plugged(device.name, _what(device.settings), device.settings) for device in devices]
    return [
        *answering_devices,
        *(Plugged(port.where, f"no reader and no buzzer box answers. {port.fault.says}") for port in silent),
    ]


def of_the_machine() -> list[Plugged]:
    """Return the serial ports not on USB, which are never probed: a console may be there."""
    return [guess(port) for port in ports() if port.vid is None]


def guess(port: ListPortInfo) -> Plugged:
    """Return what is likely at a serial port, by its USB description."""
    product = port.product or (port.description if port.description != "n/a" else "") or "serial port"
    if is_pico(port):
        box = pico.Buzzers(port=lasting_name(port.device, BY_ID), seats=tuple(SEATS))
        return Plugged(box.port, f"{product}: a buzzer box?", box)
    if port.vid is not None:
        reader = pn532_uart.Reader(place=UNPLACED, port=lasting_name(port.device, BY_PATH))
        return Plugged(reader.port, f"{product}: a PN532 reader?", reader)
    return Plugged(port.device, "a serial port of this machine itself")


def describe(plugged: Sequence[Plugged]) -> Iterator[str]:
    """Yield what is plugged in, line by line, then its sections for `table.toml`."""
    for device in plugged:
        yield f"{device.path}  {device.what}"
    named = [device.settings for device in plugged if device.settings is not None]
    if not named:
        yield "No part of a table is plugged in: no USB adapter, no buzzer box, no SPI or I2C bus, no GPIO chip."
        yield "On a Raspberry Pi, switch the buses on: sudo raspi-config, Interface Options."
    if named:
        yield ""
        yield "# For table.toml: put in the right places and seats, and leave out what is not part of the table."
    places = iter(games.places())
    for settings in named:
        placed = replace(settings, place=next(places, games.places()[-1])) if reads(settings) else settings
        yield from device_section(placed).splitlines()


def list_unused(table: Table) -> Iterator[str]:
    """Yield a line for each USB serial port that the table does not use."""
    for device in unused(table, ports()):
        yield f"unused  {device.path}: {device.what}"


def unused(table: Table, ports: Iterable[ListPortInfo]) -> list[Plugged]:
    """Return the USB serial ports that the table does not use."""
    used = used_ports(table)
    return [guess(port) for port in ports if port.vid is not None and os.path.realpath(port.device) not in used]


def used_ports(table: Table) -> set[str]:
    """Return the table's serial ports, by the kernel's names."""
    return {os.path.realpath(sensor.port) for sensor in table.sensors if hasattr(sensor, "port")}


def _what(settings: Any) -> str:
    if reads(settings):
        return "a PN532 reader"
    if isinstance(settings, Wiring):
        return "GPIO pins for buttons: only a press shows whether any is there"
    return f"a buzzer box: {len(settings.seats)} buttons"
