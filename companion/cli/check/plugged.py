"""What is plugged in here: serial ports, SPI and I2C buses, GPIO chips, and how `table.toml` would name them.

Looking is safe. Asking a port who is there writes to it, and who knows what else hangs on a machine; so only `--find`
does it.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from glob import glob

from msgspec import Struct
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from companion.config import Table
from companion.devices.box.inquiry import Asking
from companion.devices.box.usb import BY_ID, BY_PATH, RASPBERRY_PI, lasting_name
from companion.devices.drivers.pn532_uart import Reader
from companion.devices.sensing import NotThere
from companion.devices.table_clock import TableClock
from companion.events import PLACES, SEATS

_NODES = (
    ("/dev/spidev*", "an SPI bus: PN532 readers", "reader", "pn532-spi"),
    ("/dev/i2c-*", "an I2C bus: PN532 readers", "reader", "pn532-i2c"),
    ("/dev/gpiochip*", "a GPIO chip: buttons", "buzzers", "gpiod"),
)


class Plugged(Struct, frozen=True):
    """Something that is here."""

    path: str
    what: str
    """For people."""
    section: str = ""
    """What it would be in `table.toml`: "reader" or "buzzers"; "" for nothing."""
    driver: str = ""


def find(identify: Callable[[ListPortInfo], Plugged]) -> list[Plugged]:
    """Return what is here; `identify` looks at a serial port, or asks it."""
    ports = sorted(list_ports.comports(), key=lambda port: port.device)
    nodes = (
        Plugged(path, what, section, driver)
        for pattern, what, section, driver in _NODES
        for path in sorted(glob(pattern))
        if not os.path.islink(path)
    )
    return [*map(identify, ports), *nodes]


def guess(port: ListPortInfo) -> Plugged:
    """Return what a serial port may be, by what it says of itself on USB."""
    if port.vid == RASPBERRY_PI:
        return Plugged(lasting_name(port.device, BY_ID), f"{_product(port)}: a buzzer box?", "buzzers", "pico")
    if port.vid is not None:
        return Plugged(lasting_name(port.device, BY_PATH), f"{_product(port)}: a PN532 reader?", "reader", "pn532-uart")
    return Plugged(port.device, "a serial port of this machine itself")


def ask(port: ListPortInfo) -> Plugged:
    """Ask a serial port what it is: a Pico first for a box, all others first for a reader."""
    kinds = (_box, _reader) if port.vid == RASPBERRY_PI else (_reader, _box)
    why: list[str] = []
    for kind in kinds:
        try:
            return kind(port)
        except NotThere as wrong:
            why.append(str(wrong))
    return Plugged(port.device, f"{_product(port)}: neither a reader nor a buzzer box answers. {why[0]}")


def describe(here: Sequence[Plugged]) -> Iterator[str]:
    """Yield what is here, line by line, and the sections of `table.toml` that would name it."""
    if not here:
        yield "Nothing is plugged in: no serial port, no SPI or I2C bus, no GPIO chip."
        yield "On a Raspberry Pi, switch the buses on: sudo raspi-config, Interface Options."
    for one in here:
        yield f"{one.path}  {one.what}"
    named = [one for one in here if one.section]
    if named:
        yield ""
        yield "# For table.toml: put in the right places and seats, and leave out what is no part of the table."
    places = iter(PLACES)
    for one in named:
        yield f"[[{one.section}]]"
        yield f'driver = "{one.driver}"'
        match one.driver:
            case "pico":
                yield f'port = "{one.path}"'
                yield f"seats = {[*SEATS]}"
            case "gpiod":
                yield f'chip = "{one.path}"'
                yield "seats = [1]"
                yield "lines = [17]"
            case _:
                yield f'{"port" if one.driver == "pn532-uart" else "bus"} = "{one.path}"'
                yield f'place = "{next(places, PLACES[-1])}"'


def list_unused(table: Table) -> Iterator[str]:
    """Yield what is plugged in and does not belong to the table."""
    for one in unused(table, list_ports.comports()):
        yield f"unused  {one.path}: {one.what}"


def unused(table: Table, ports: Iterable[ListPortInfo]) -> list[Plugged]:
    """Return the USB serial ports that the table does not use."""
    used = {os.path.realpath(sensor.port) for sensor in table.sensors if hasattr(sensor, "port")}
    return [guess(port) for port in ports if port.vid is not None and os.path.realpath(port.device) not in used]


def _reader(port: ListPortInfo) -> Plugged:
    path = lasting_name(port.device, BY_PATH)
    source = Reader(place=PLACES[0], port=path).open(TableClock())
    try:
        source.start()
        return Plugged(path, f"a reader: {source.figures.chip}", "reader", "pn532-uart")
    finally:
        source.close()


def _box(port: ListPortInfo) -> Plugged:
    path = lasting_name(port.device, BY_ID)
    with Asking(path) as box:
        hello = box.hello()
    return Plugged(path, f"a buzzer box: firmware {hello.firmware}, {hello.buttons} buttons", "buzzers", "pico")


def _product(port: ListPortInfo) -> str:
    return port.product or (port.description if port.description != "n/a" else "") or "serial port"
