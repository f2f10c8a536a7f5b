"""`table.toml`: which drivers sense what, and where the page and the log are.

Everything is checked before anything is opened; a mistake is reported with its line, what is wrong, and
what it may be.
"""

import re
import tomllib
from collections.abc import Mapping
from operator import eq
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, inspect
from msgspec.structs import fields, replace

from companion.devices import drivers
from companion.errors import WrongInput
from companion.events import PLACES, SEATS

LONGEST_WINDOW = 1.0
"""Seconds; a press that is reported later than that is no use to people."""
ACROSS_DEVICES = 0.005
"""Seconds by which presses on two devices may seem out of order: their clocks are only compared over their cables
(assumed; not measured on a board)."""

_ORIGIN = re.compile(r"https?://[a-z0-9.-]+(:[0-9]{1,5})?")


class ConfigFault(WrongInput):
    """`table.toml` can't be used: the line, what is wrong, and what is known."""


class PageSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[page]`: where phones find the table."""

    host: str = "0.0.0.0"
    """The address to listen at: "0.0.0.0" for every phone in the room, "127.0.0.1" for this machine only."""
    port: Annotated[int, Meta(ge=1, le=65535)] = 8000
    """The port to listen at; below 1024 only as a service."""
    address: str = ""
    """What the QR code says; "" for the machine's own address in the local network."""
    origins: tuple[str, ...] = ()
    """The other sites whose pages may read `/api/1`, as in ["https://club.example"]: none else may."""


class ShoutSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[shout]`: how the first shout is judged."""

    window: Annotated[float, Meta(ge=0, le=LONGEST_WINDOW, extra={"unit": "seconds"})] = 0.01
    """Seconds the judge waits, before it announces a press, for an earlier one still under way."""


class PhoneSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[phones]`: how people join with their phones."""

    joining: Literal["open", "codes"] = "open"
    """"open": before a match anybody in the network takes a free seat; "codes": only by the code at the seat."""


class ClubSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[club]`: the broker to which the table tells how its matches stand; without this section it tells nobody."""

    broker: str
    """Where the club meets: "mqtt://host:1883", or "mqtts://host:8883" for TLS."""
    club: str
    """The club's name in the broker's topics: up to 32 of a-z, 0-9 and -."""
    name: str
    """What the club calls this table."""
    user: str = ""
    """The broker's name for this table; "" where it asks for none."""
    password_file: str = ""
    """The file that holds the password alone, and that only its owner may read (chmod 600)."""
    ca: str = ""
    """The file of the authority that vouches for the broker; "" for those that the system trusts."""
    home_assistant: bool = False
    """Whether Home Assistant finds the table by itself."""

    @property
    def place(self) -> tuple[str, int]:
        """The broker's host and port."""
        parts = urlsplit(self.broker)
        return parts.hostname or "", parts.port or (8883 if self.by_tls else 1883)

    @property
    def by_tls(self) -> bool:
        """Whether what is said to the broker is encrypted, and the broker proves who it is."""
        return self.broker.startswith("mqtts:")


class Table(msgspec.Struct, frozen=True):
    """A table as its file describes it."""

    log: Path
    tags: Path | None
    page: PageSettings
    shout: ShoutSettings
    phones: PhoneSettings
    sensors: tuple[Any, ...]
    """Drivers' settings, readers first; each has `open(clock)`."""
    simulated: bool
    apart: float = 0.0
    """Seconds: two presses closer than this can't be told apart by these buttons."""
    club: ClubSettings | None = None
    """Its files' paths are relative to no other file any more."""

    @property
    def places(self) -> tuple[str, ...]:
        """Where there is a reader."""
        return tuple(sensor.place for sensor in self.sensors if hasattr(sensor, "place"))

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that have a button."""
        return tuple(seat for sensor in self.sensors for seat in getattr(sensor, "seats", ()))


class FileSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What stands before the first section; paths are relative to the file."""

    log: str = "log.sqlite"
    """The file of every match that was ever played at the table."""
    tags: str | None = None
    """The file of which sticker is on which card; without it no sticker is known."""
    reader: tuple[dict[str, Any], ...] = ()
    """The `[[reader]]` sections, by driver."""
    buzzers: tuple[dict[str, Any], ...] = ()
    """The `[[buzzers]]` sections, by driver."""


def load(path: Path) -> Table:
    """Read and check a table's file; paths in it are relative to it. Raises `ConfigFault`."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as wrong:
        cure = (
            f"This user may not: sudo chmod a+r {path}"
            if isinstance(wrong, PermissionError)
            else "Give the path of your table.toml"
        )
        raise ConfigFault(f"can't read {path}: {wrong.strerror}. {cure}") from wrong
    except UnicodeDecodeError as wrong:
        raise ConfigFault(f"{path} is not UTF-8 text") from wrong
    try:
        return _checked(text, path)
    except _Wrong as wrong:
        line = line_of(text, wrong.section, wrong.index, wrong.key)
        raise ConfigFault(f"{path}, line {line}: {wrong.why}") from wrong


class _Wrong(Exception):
    """Something wrong at `[section]` number `index`, `key`."""

    def __init__(self, why: str, section: str = "", index: int = 0, key: str = ""):
        super().__init__(why)
        self.why, self.section, self.index, self.key = why, section, index, key


def _checked(text: str, path: Path) -> Table:
    try:
        raw = tomllib.loads(text)
    except (ValueError, RecursionError) as wrong:  # a number of thousands of digits, brackets in brackets without end
        raise ConfigFault(f"{path} is not TOML: {wrong}") from wrong
    page = _converted(raw.pop("page", {}), PageSettings, "page")
    _check_origins(page)
    shout = _converted(raw.pop("shout", {}), ShoutSettings, "shout")
    phones = _converted(raw.pop("phones", {}), PhoneSettings, "phones")
    club = _club(raw.pop("club"), path) if "club" in raw else None
    found = _converted(raw, FileSettings)
    readers = [_sensor("reader", index, entry) for index, entry in enumerate(found.reader)]
    buzzers = [_sensor("buzzers", index, entry) for index, entry in enumerate(found.buzzers)]
    if not readers and not buzzers:
        raise _Wrong("the table senses nothing: add a [[reader]] or [[buzzers]] section")
    _check_places(readers)
    _check_seats(buzzers)
    _check_claims(readers, buzzers)
    log = _file("log", found.log, path, path)
    tags = None if found.tags is None else _file("tags", found.tags, path, path, log)
    return Table(
        log=log,
        tags=tags,
        page=page,
        shout=shout,
        phones=phones,
        sensors=(*readers, *buzzers),
        simulated=any(drivers.is_virtual(sensor) for sensor in (*readers, *buzzers)),
        apart=max([ACROSS_DEVICES if len(buzzers) > 1 else 0.0, *(box.apart for box in buzzers)]),
        club=club,
    )


def _check_origins(page: PageSettings) -> None:
    for origin in page.origins:
        if not _ORIGIN.fullmatch(origin):
            why = f"origins = {origin!r}: write each as browsers do, https://name or https://name:port"
            raise _Wrong(why, "page", 0, "origins")


def _club(found: Any, table: Path) -> ClubSettings:
    club: ClubSettings = _converted(found, ClubSettings, "club")
    if re.match("[a-z]+://[^/]*@", club.broker):
        raise _Wrong("broker: the user stands in user, the password in the password_file", "club", 0, "broker")
    if not _is_broker(club.broker):
        like = 'it must be like "mqtt://host:1883" or "mqtts://host:8883"'
        raise _Wrong(f"broker = {_shown('broker', found)}: {like}", "club", 0, "broker")
    if not re.fullmatch("[a-z0-9-]{1,32}", club.club):
        raise _Wrong(f"club = {_shown('club', found)}: up to 32 of a-z, 0-9 and -", "club", 0, "club")
    if club.ca and not club.by_tls:
        raise _Wrong("ca vouches for no broker without TLS: write mqtts:// in broker", "club", 0, "ca")
    if club.password_file and not club.user:
        raise _Wrong("whose password? The setting 'user' is missing", "club", 0, "password_file")
    files = {
        key: str(_file(key, getattr(club, key), table, table)) for key in ("password_file", "ca") if getattr(club, key)
    }
    return replace(club, **files)


def _is_broker(written: str) -> bool:
    try:
        parts = urlsplit(written)
        port = parts.port  # too high, or a word: that raises
    except ValueError:
        return False
    bare = parts.path in ("", "/") and not parts.query and not parts.fragment
    return parts.scheme in ("mqtt", "mqtts") and bool(parts.hostname) and port != 0 and bare


def _file(key: str, named: str, table: Path, *others: Path) -> Path:
    """Return the path of a file that is named relative to the table's, and is not one of the others."""
    try:
        path = table.parent / Path(named).expanduser()
    except RuntimeError:
        raise _Wrong(f"{key} = {named!r}: there is no such user's home folder", "", 0, key) from None
    if path.resolve() in [other.resolve() for other in others]:
        raise _Wrong(f"{key} = {named!r} is another of the table's files: each needs its own", "", 0, key)
    return path


def _sensor(section: str, index: int, entry: Mapping[str, Any]) -> Any:
    name = entry.get("driver")
    known = drivers.known(section)
    if name is None:
        raise _Wrong(f"no driver named; known: {', '.join(known)}", section, index)
    if not isinstance(name, str) or name not in known:
        raise _Wrong(f"unknown driver {name!r} for [[{section}]]; known: {', '.join(known)}", section, index, "driver")
    settings = {key: value for key, value in entry.items() if key != "driver"}
    module: ModuleType = known[name]
    return _converted(settings, getattr(module, section.capitalize()), section, index)


def _converted(found: Any, kind: Any, section: str = "", index: int = 0) -> Any:
    """Decode strictly. Raises `_Wrong` in the file's own words."""
    if not isinstance(found, Mapping):
        raise _Wrong(f"write [{section}], with one bracket on each side, and its settings below", "", 0, section)
    try:
        made = msgspec.convert(found, kind)
    except msgspec.ValidationError as wrong:
        why, key = _reason(wrong, found, kind, () if section else ("page", "shout", "phones", "club"))
        raise _Wrong(why, section, index, key) from wrong
    if blank := _blank(made):
        raise _Wrong(blank[0], section, index, blank[1])
    return made


def _check_places(readers: list[Any]) -> None:
    seen: set[str] = set()
    for index, reader in enumerate(readers):
        if reader.place not in PLACES:
            raise _Wrong(f"unknown place {reader.place!r}; known: {', '.join(PLACES)}", "reader", index, "place")
        if reader.place in seen:
            raise _Wrong(f"a second reader at {reader.place}: one reader a place", "reader", index, "place")
        seen.add(reader.place)


def _check_seats(buzzers: list[Any]) -> None:
    """Check the seats of every driver's buzzers, here and nowhere else."""
    seen: set[int] = set()
    for index, box in enumerate(buzzers):
        if not box.seats:
            raise _Wrong("no seat named: name the seat of each button", "buzzers", index, "seats")
        for seat in box.seats:
            if seat not in SEATS:
                raise _Wrong(f"there is no seat {seat}: seats are 1 to {SEATS[-1]}", "buzzers", index, "seats")
            if seat in seen:
                raise _Wrong(f"a second buzzer for seat {seat}: one a seat", "buzzers", index, "seats")
            seen.add(seat)


def _check_claims(readers: list[Any], buzzers: list[Any]) -> None:
    """No two may use the same, nor one the whole of what another uses a part of."""
    seen: list[tuple[str, ...]] = []
    for section, sensors in (("reader", readers), ("buzzers", buzzers)):
        for index, sensor in enumerate(sensors):
            for key, claimed in getattr(sensor, "claims", ()):
                if any(all(map(eq, claimed, other)) for other in seen):
                    what = ", ".join(claimed)
                    raise _Wrong(f"{what} is used twice: every device has its own", section, index, key)
                seen.append(claimed)


def line_of(text: str, section: str, index: int, key: str) -> int:
    """Find the line (from 1) of a key in the `index`th `[section]`; of the section where the key is not there."""
    here, seen, found = section == "", -1, 1
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[\[?\s*([\w-]+)", line)
        if header:
            if section == "" and header[1] == key:
                return number
            seen += header[1] == section
            here = header[1] == section and seen == index
            if here:
                found = number
        elif here and key and re.match(rf"\s*['\"]?{re.escape(key)}['\"]?\s*[.=]", line):
            return number
    return found


_WANTED = {
    "str": 'text in "quotes"',
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list, as in [1, 2]",
}


def _reason(wrong: msgspec.ValidationError, found: Any, kind: Any, beside: tuple[str, ...] = ()) -> tuple[str, str]:
    """Return why `found` is no `kind`, and the setting's name, "" for none of them.

    `beside` are sections that may stand there too, where it is the file itself.
    """
    why, _, at = str(wrong).partition(" - at ")
    if unknown := re.search(r"unknown field `(.+)`", why):
        known = ", ".join((*kind.__struct_fields__, *beside))
        return f"unknown setting {unknown[1]!r}; known: {known}", unknown[1]
    if missing := re.search(r"required field `(.+)`", why):
        return f"the setting {missing[1]!r} is missing", ""
    key = re.search(r"([a-z]\w*)", at)
    if key and re.match(r"Expected `\w+[^`]*` [<>]=", why):
        return f"{key[1]} = {_shown(key[1], found)} is out of range: {bounds_of(kind, key[1])}", key[1]
    if key and (choices := choices_of(kind, key[1])):
        return f"{key[1]} = {_shown(key[1], found)}: it must be {' or '.join(choices)}", key[1]
    wanted = re.match(r"Expected `(\w+)[^`]*`(?:,|$)", why)
    if key and wanted:
        if beside and wanted[1] == "array":
            return f"write [[{key[1]}]], with two brackets on each side, and its settings below", key[1]
        return _not_a(wanted[1], key[1], found, at), key[1]
    named = re.match(r"`(\w+)`", why)
    return why.replace("`", "'"), named[1] if named else ""


def _not_a(wanted: str, key: str, found: Any, at: str) -> str:
    each = "each in it" if "[" in at else "it"
    return f"{key} = {_shown(key, found)}: {each} must be {_WANTED.get(wanted, wanted)}"


def _shown(key: str, found: Any) -> str:
    value = found.get(key) if isinstance(found, Mapping) else None
    return msgspec.json.encode(value, enc_hook=str).decode()


def bounds_of(kind: Any, key: str) -> str:
    """Return from where to where a setting's number goes, "0 to 1 seconds"; "" for a setting without such bounds."""
    described = inspect.type_info(kind)
    assert isinstance(described, inspect.StructType)
    (found,) = (field.type for field in described.fields if field.name == key)
    unit = ""
    if isinstance(found, inspect.Metadata):
        unit, found = f" {(found.extra or {}).get('unit', '')}".rstrip(), found.type
    for one in found.types if isinstance(found, inspect.UnionType) else (found,):
        match one:
            case inspect.IntType(ge=int(low), le=int(high)):
                return f"{low} to {high}{unit}"
            case inspect.FloatType(ge=low, le=high) if low is not None and high is not None:
                return f"{low:g} to {high:g}{unit}"
    return ""


def choices_of(kind: Any, key: str) -> list[str]:
    """Return what a setting may be where only some texts will do; [] for any other."""
    described = inspect.type_info(kind)
    assert isinstance(described, inspect.StructType)
    found = next((field.type for field in described.fields if field.name == key), None)
    return [f'"{one}"' for one in found.values] if isinstance(found, inspect.LiteralType) else []


def _blank(found: msgspec.Struct) -> tuple[str, str] | None:
    """Find a text that is empty, though that means nothing there, or that can't be seen: as `_reason`, or None."""
    for field in fields(found):
        value = getattr(found, field.name)
        if not isinstance(value, str):
            continue
        if not value and field.default != "":
            return f"{field.name} is empty", field.name
        if not value.isprintable():
            return f"{field.name} = {value!r} has characters that can't be seen", field.name
    return None
