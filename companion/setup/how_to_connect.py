"""How a device is connected, in terms for somebody under the table. Pure."""

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from companion.devices.buttons.gpio_source import Wiring

_SOCKET = re.compile(r"usb-\d+:(\d+(?:\.\d+)*):")
"""A port's path as udev writes it: the computer's socket, then the hub's."""


class Way(Struct, frozen=True):
    """A sentence's code and facts."""

    code: str
    facts: Mapping[str, Any] = {}


def way_of(settings: Any, name: str) -> Way:
    """Return how a device is connected, by its settings and name."""
    match settings:
        case Wiring():
            return Way("header")
        case object(chip_select=pin):
            return Way("spi-alone") if pin is None else Way("spi", {"pin": pin})
        case object(multiplexer=_, channel=channel):
            return Way("i2c-alone") if channel is None else Way("i2c", {"channel": channel})
    if socket := _SOCKET.search(name):
        return Way("usb", {"socket": socket[1]})
    return Way("port", {"port": name.rpartition("/")[2]})
