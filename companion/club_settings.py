"""The `[club]` section of a table's file and of its hub's: where the club meets, and who comes there.

One section may be written from the other, so both are read here.
"""

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from companion.settings import Wrong, converted, with_files, written_value

CLUB = "[a-z0-9-]{1,32}"
"""The form of a club's name in topics."""
_PORTS = {"mqtt": 1883, "mqtts": 8883}


class ClubSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[club]`: the broker to which the table reports how its matches stand; without this section, to nobody."""

    broker: str
    """Where the club meets: "mqtt://host:1883", or "mqtts://host:8883" for TLS."""
    club: str
    """The club's name in the broker's topics: up to 32 of a-z, 0-9 and -."""
    name: str
    """What the club calls this table; in a hub's file: what people call the club, by default as `club`."""
    user: str = ""
    """The broker's name for this table; "" if it asks for none."""
    password_file: str = ""
    """The file that holds the password alone, and that only its owner may read (chmod 600)."""
    ca: str = ""
    """The certificate file of the authority that vouches for the broker; "" for those that the system trusts."""
    home_assistant: bool = False
    """Whether Home Assistant finds the table by itself."""

    @property
    def address(self) -> tuple[str, int]:
        """The broker's host and port."""
        parts = urlsplit(self.broker)
        return parts.hostname or "", parts.port or _PORTS[parts.scheme]

    @property
    def by_tls(self) -> bool:
        """Whether the connection to the broker is encrypted, and the broker proves its identity."""
        return self.broker.startswith("mqtts:")


def read_club(raw: Any, path: Path) -> ClubSettings:
    """Check the `[club]` section of the file at `path`; its own files are relative to that. Raises `Wrong`."""
    club: ClubSettings = converted(raw, ClubSettings, "club")
    if re.match("[a-z]+://[^/]*@", club.broker):
        raise Wrong("broker: write the user in user, the password in the password_file", section="club", key="broker")
    if (port := re.search(":([0-9]{5,})/?$", club.broker)) and int(port[1][:9]) > 65535:
        raise Wrong(f"broker = {written_value('broker', raw)}: a port is at most 65535", section="club", key="broker")
    if not _is_broker(club.broker):
        like = 'it must be like "mqtt://host:1883" or "mqtts://host:8883"'
        raise Wrong(f"broker = {written_value('broker', raw)}: {like}", section="club", key="broker")
    if not re.fullmatch(CLUB, club.club, re.ASCII):
        raise Wrong(f"club = {written_value('club', raw)}: up to 32 of a-z, 0-9 and -", section="club", key="club")
    if club.ca and not club.by_tls:
        raise Wrong("ca vouches for no broker without TLS: write mqtts:// in broker", section="club", key="ca")
    if club.password_file and not club.user:
        raise Wrong("whose password? The setting 'user' is missing", section="club", key="password_file")
    return with_files(club, path, "club", "password_file", "ca")


def _is_broker(written: str) -> bool:
    try:
        parts = urlsplit(written)
        port = parts.port  # too high, or a word: that raises
    except ValueError:
        return False
    bare = parts.path in ("", "/") and not parts.query and not parts.fragment
    return parts.scheme in _PORTS and bool(parts.hostname) and port != 0 and bare
