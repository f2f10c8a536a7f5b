"""The serial ports of this machine: what USB tells of each, and names that stay the same."""

import os
import re
from pathlib import Path

from msgspec import Struct
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from companion.devices.faults import DeviceFault, FaultCode

BY_ID = Path("/dev/serial/by-id")
"""Names by the device's serial number; every Pico has one."""
BY_PATH = Path("/dev/serial/by-path")
"""Names by the USB socket, because adapters for readers often have no serial number."""
RASPBERRY_PI = 0x2E8A
"""USB vendor id."""


class Adapter(Struct, frozen=True):
    """What USB tells of the device behind a serial port."""

    vendor: int | None
    product: int | None
    number: str
    """Its serial number; "" if it has none, or one that its maker gives to every piece."""
    location: str
    """The socket it is plugged into: "1-1.3"."""


def ports() -> list[ListPortInfo]:
    """Return every serial port, by its name."""
    return sorted(list_ports.comports(), key=lambda port: port.device)


def is_pico(port: ListPortInfo) -> bool:
    """Whether a port is a Pico's."""
    return bool(port.vid == RASPBERRY_PI)


def picos() -> list[str]:
    """Return the lasting names of the Picos on USB."""
    return [lasting_name(port.device, BY_ID) for port in ports() if is_pico(port)]


def lasting_name(device: str, folder: Path) -> str:
    """Return a port's name that survives resets and replugging, or the port itself if it has none."""
    links = sorted(folder.glob("*")) if folder.is_dir() else []
    return next((str(link) for link in links if str(link.resolve()) == device), device)


def listed() -> str | None:
    """Return the serial ports here by name, with what USB says of each, if anything; None if there are none."""
    return ", ".join(_with_description(port) for port in ports()) or None


def _with_description(port: ListPortInfo) -> str:
    return port.device if port.description == "n/a" else f"{port.device} ({port.description})"


def describe_ports() -> str:
    """Return a sentence that lists the serial ports here, for a message about one that is not."""
    ports_here = listed()
    return f"Serial ports here: {ports_here}." if ports_here else "There is no serial port here."


def adapter_at(port: str) -> Adapter | None:
    """Return the adapter behind a port, by any of its names; None if it is not on USB."""
    device = os.path.realpath(port)
    for port_info in ports():
        if port_info.device == device and port_info.location:
            number = port_info.serial_number or ""
            return Adapter(
                port_info.vid, port_info.pid, "" if re.fullmatch("0*1?", number) else number, port_info.location
            )
    return None


def is_another(earlier: Adapter | None, current: Adapter | None) -> bool:
    """Return whether a port's name now leads to another device, or may: the socket has changed, and no serial number
    shows that it is the same device.
    """
    if earlier is None or current is None:
        return False
    if earlier.number or current.number or (earlier.vendor, earlier.product) != (current.vendor, current.product):
        return (earlier.vendor, earlier.product, earlier.number) != (current.vendor, current.product, current.number)
    return earlier.location != current.location


def exchanged(port: str) -> DeviceFault:
    """Return the fault of a port that leads to another device than at the start."""
    says = (
        f"{port} is another device than when the table was started: two may have exchanged their names, so nothing "
        f"is read there. Plug it in where it was, or start the table again; a name under {BY_PATH} stays the same."
    )
    return DeviceFault(says, FaultCode.EXCHANGED, {"where": port})
