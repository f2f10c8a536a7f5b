"""The serial ports that are here: what USB says of each, and names that stay the same."""

from pathlib import Path

from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

BY_ID = Path("/dev/serial/by-id")
"""Names by a device's own number, such as every Pico has."""
BY_PATH = Path("/dev/serial/by-path")
"""Names by where a device is plugged in: USB adapters for readers often have no number of their own."""
RASPBERRY_PI = 0x2E8A
"""The vendor's number on USB."""


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


def told() -> str:
    """Return a text that lists the serial ports here, for whoever has named another."""
    here = ", ".join(f"{port.device} ({port.description})" for port in ports())
    return f"Serial ports here: {here}." if here else "There is no serial port here."
