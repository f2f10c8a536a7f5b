"""Which MQTT broker a section of a settings file names, and what the table proves itself by there."""

import re
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec

from companion.settings import Wrong, with_files, written_value

Settings = TypeVar("Settings", bound="BrokerSettings")
_PORTS = {"mqtt": 1883, "mqtts": 8883}


class BrokerSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An MQTT broker, and how to get in."""

    broker: str
    """Where the broker is: "mqtt://host:1883", or "mqtts://host:8883" for TLS."""
    user: str = ""
    """The broker's name for this table; "" if it asks for none."""
    password_file: str = ""
    """The file that holds the password alone, and that only its owner may read (chmod 600)."""
    ca: str = ""
    """The certificate file of the authority that vouches for the broker; "" for those that the system trusts."""

    @property
    def address(self) -> tuple[str, int]:
        """The broker's host and port."""
        parts = urlsplit(self.broker)
        return parts.hostname or "", parts.port or _PORTS[parts.scheme]

    @property
    def by_tls(self) -> bool:
        """Whether the connection to the broker is encrypted, and the broker proves its identity."""
        return self.broker.startswith("mqtts:")


def checked_broker(settings: Settings, raw: Any, path: Path, section: str) -> Settings:
    """Check the broker that a section of the file at `path` names; its own files are relative to that.

    Raises `Wrong`.
    """
    if re.match("[a-z]+://[^/]*@", settings.broker):
        raise Wrong("broker: write the user in user, the password in the password_file", section=section, key="broker")
    if (port := re.search(":([0-9]{5,})/?$", settings.broker)) and int(port[1][:9]) > 65535:
        raise Wrong(f"broker = {written_value('broker', raw)}: a port is at most 65535", section=section, key="broker")
    if not _is_broker(settings.broker):
        like = 'it must be like "mqtt://host:1883" or "mqtts://host:8883"'
        raise Wrong(f"broker = {written_value('broker', raw)}: {like}", section=section, key="broker")
    if settings.ca and not settings.by_tls:
        raise Wrong("ca vouches for no broker without TLS: write mqtts:// in broker", section=section, key="ca")
    if settings.password_file and not settings.user:
        raise Wrong("whose password? The setting 'user' is missing", section=section, key="password_file")
    return with_files(settings, path, section, "password_file", "ca")


def _is_broker(written: str) -> bool:
    try:
        parts = urlsplit(written)
        port = parts.port  # too high, or a word: that raises
    except ValueError:
        return False
    bare = parts.path in ("", "/") and not parts.query and not parts.fragment
    # Port 0 means "any that is free", for whoever listens: nobody can be reached there.
    return parts.scheme in _PORTS and bool(parts.hostname) and port != 0 and bare
