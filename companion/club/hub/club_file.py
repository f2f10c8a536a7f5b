"""CLUB.toml: which club the hub follows, at which broker, and how its page is found.

`[club]` is the same section as in a table's own file, so that one may be written from the other.
"""

import re
import stat
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from companion.club.topics import is_club
from companion.config import ConfigFault, PageSettings, line_of

PORTS = {"mqtt": 1883, "mqtts": 8883}


class HubSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[club]`: the club and its broker."""

    broker: str
    """`mqtt://host:1883`, or `mqtts://host:8883` where the way there is encrypted."""
    club: str
    """The club's name in topics: small letters, digits and hyphens."""
    name: str = ""
    """What people call the club; "" for `club`."""
    user: str = ""
    """The hub's name at the broker; "" where it asks for none."""
    password_file: str = ""
    """The file with the hub's password, which only its owner may read."""
    ca: str = ""
    """The certificate of who vouches for the broker; "" for those this machine trusts."""
    home_assistant: bool = False
    """The tables' own; nothing to the hub."""


class SeasonSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[season]`: what is made of the results."""

    ratings: bool = False
    """Whether the standings show a skill, of everybody who has played eight matches."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    club: dict[str, Any]
    page: PageSettings = PageSettings()
    season: SeasonSettings = SeasonSettings()


class ClubFile(msgspec.Struct, frozen=True):
    """A club as its hub's file describes it."""

    club: str
    name: str
    host: str
    port: int
    tls: bool
    ca: Path | None
    user: str
    password: str
    page: PageSettings
    ratings: bool
    store: Path
    """Where the hub keeps the results."""

    def __repr__(self) -> str:
        """Leave out the password."""
        return f"ClubFile({self.club!r}, {self.host!r}, {self.port})"


def load(path: Path) -> ClubFile:
    """Read and check a hub's file; paths in it are relative to it. Raises `ConfigFault`."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        raw = tomllib.loads(text)
    except OSError as wrong:
        raise ConfigFault(f"can't read {path}: {wrong.strerror}. Give the path of the hub's CLUB.toml") from wrong
    except UnicodeDecodeError as wrong:
        raise ConfigFault(f"{path} is not UTF-8 text") from wrong
    except (ValueError, RecursionError) as wrong:
        raise ConfigFault(f"{path} is not TOML: {wrong}") from wrong
    if not isinstance(raw.get("club"), dict):
        raise ConfigFault(f'{path}: write [club], and below it broker = "mqtt://host:1883" and club = "our-club"')
    section = ""
    try:
        file = msgspec.convert(raw, _File)
        section = "club"
        found = msgspec.convert(file.club, HubSettings)
    except msgspec.ValidationError as wrong:
        raise _fault(path, text, section, str(wrong)) from wrong
    return _checked(path, text, found, file)


def _checked(path: Path, text: str, found: HubSettings, file: _File) -> ClubFile:
    def refuse(key: str, why: str) -> ConfigFault:
        return ConfigFault(f"{path}, line {line_of(text, 'club', 0, key)}: {why}")

    if not is_club(found.club):
        raise refuse("club", f"club = {found.club!r}: 1 to 32 small letters, digits and hyphens")
    try:
        address = urlsplit(found.broker)
        host, port = address.hostname, address.port
    except ValueError:
        host = port = None
    if not host or address.scheme not in PORTS or address.path.strip("/") or address.username:
        raise refuse("broker", f'broker = {found.broker!r}: write "mqtt://host:1883" or "mqtts://host:8883"')
    return ClubFile(
        club=found.club,
        name=found.name or found.club,
        host=host,
        port=port or PORTS[address.scheme],
        tls=address.scheme == "mqtts",
        ca=_there(path, found.ca, refuse, "ca"),
        user=found.user,
        password=_password(path, found.password_file, refuse),
        page=file.page,
        ratings=file.season.ratings,
        store=path.with_suffix(".sqlite"),
    )


def _there(path: Path, named: str, refuse: Any, key: str) -> Path | None:
    if not named:
        return None
    file = path.parent / named
    if not file.is_file():
        raise refuse(key, f"{key}: there is no file {file}")
    return file


def _password(path: Path, named: str, refuse: Any) -> str:
    file = _there(path, named, refuse, "password_file")
    if file is None:
        return ""
    try:
        if file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise refuse("password_file", f"others may read {file}: chmod 600 {file}")
        return file.read_text(encoding="utf-8").strip("\r\n")
    except (OSError, UnicodeDecodeError) as wrong:
        raise refuse("password_file", f"can't read {file}: {wrong}") from wrong


_KINDS = {"": _File, "club": HubSettings, "page": PageSettings, "season": SeasonSettings}


def _fault(path: Path, text: str, section: str, why: str) -> ConfigFault:
    why, _, at = why.partition(" - at ")
    field = re.search("field `(.+)`", why)
    steps = re.findall(r"[A-Za-z_]\w*", at) + ([field[1]] if field else [])
    key = steps[-1]
    section = section or "".join(steps[:-1][:1])
    if "unknown field" in why:
        why = f"unknown setting {key!r}; known: {', '.join(_KINDS[section].__struct_fields__)}"
    elif field:
        why = f"the setting {key!r} is missing"
    else:
        why = f"{key}: {why.replace('`', chr(39))}"
    return ConfigFault(f"{path}, line {line_of(text, section, 0, key)}: {why}")
