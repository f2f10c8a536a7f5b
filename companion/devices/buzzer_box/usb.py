"""What the USB says of the serial ports of a box: who made it, and names that stay the same."""

from pathlib import Path

BY_ID = Path("/dev/serial/by-id")
"""Names by a thing's own number, as every Pico has one."""
BY_PATH = Path("/dev/serial/by-path")
"""Names by where a thing is plugged in: USB adapters for readers often have no number of their own."""
RASPBERRY_PI = 0x2E8A
"""The vendor's number on USB."""


def lasting_name(device: str, folder: Path) -> str:
    """Return a port's name that stays the same over resets and replugs, or the port itself where it has none."""
    links = sorted(folder.glob("*")) if folder.is_dir() else []
    return next((str(link) for link in links if str(link.resolve()) == device), device)
