"""The table's own Wi-Fi: its name, its password, and the code that has a phone join it. Kept beside the log."""

import secrets
from contextlib import suppress
from pathlib import Path

import msgspec

from companion.storage import files

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without those that are easily confused when copied from a screen."""
LENGTH = 10
LONGEST = 32
"""The most bytes in a network's name."""


class OwnWifi(msgspec.Struct, frozen=True):
    """What a phone needs to join."""

    ssid: str
    password: str

    @property
    def code(self) -> str:
        """The text of the QR code by which phones join."""
        return f"WIFI:T:WPA;S:{_escaped(self.ssid)};P:{_escaped(self.password)};;"


def load_own_wifi(log: Path, name: str) -> OwnWifi:
    """Return the table's own Wi-Fi; its password is made once, so that phones rejoin next time.

    On a disk that is full it lasts until the next start.
    """
    path = log.with_name(f"{log.name}.wifi")
    ssid = name.encode()[:LONGEST].decode(errors="ignore") or "Table"
    try:
        stored = msgspec.json.decode(files.contents(path), type=OwnWifi)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        stored = OwnWifi("", "".join(secrets.choice(LETTERS) for _ in range(LENGTH)))
    wifi = OwnWifi(ssid, stored.password)
    if wifi != stored:
        with suppress(OSError):
            files.replace_private(path, msgspec.json.encode(wifi) + b"\n")
    return wifi


def _escaped(text: str) -> str:
    return "".join(f"\\{sign}" if sign in '\\;,:"' else sign for sign in text)
