"""The table's own Wi-Fi: its name and password, stored beside the log, and the QR code's text."""

import secrets
from contextlib import suppress
from pathlib import Path

import msgspec

from companion.storage import files

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Characters for passwords, without those that are easily confused."""
LENGTH = 10
LONGEST = 32
"""Most bytes in a network's name (IEEE 802.11)."""


class OwnWifi(msgspec.Struct, frozen=True):
    """The credentials by which a phone joins."""

    ssid: str
    password: str

    @property
    def code(self) -> str:
        """The text of the QR code by which phones join."""
        return f"WIFI:T:WPA;S:{_escaped(self.ssid)};P:{_escaped(self.password)};;"


def load_own_wifi(log: Path, name: str) -> OwnWifi:
    """Return the table's own Wi-Fi; its password is drawn once and stored, so that phones can rejoin.

    If it can't be stored, as on a full disk, it lasts until the next start.
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
