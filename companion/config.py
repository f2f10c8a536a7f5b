"""`table.toml`: which drivers sense what, and where the page and the log are.

Everything is checked before anything is opened; a mistake is reported with its line, what is wrong, and what is
allowed.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from ipaddress import ip_network
from itertools import chain
from operator import eq
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from companion import games
from companion.club_settings import ClubSettings, read_club
from companion.devices import drivers
from companion.events import SEATS, seat_at
from companion.house_settings import HouseSettings, WebhookSettings, read_house, read_webhooks
from companion.languages import LANGUAGES
from companion.settings import SettingsCut, Wrong, converted, file_beside, read, with_files
from companion.storage.last_copy import copy_of, is_cut

LONGEST_WINDOW = 1.0
"""Seconds; a press that is reported later than this is of no use to people."""
ACROSS_DEVICES = 0.005
"""Seconds by which presses on two devices may seem out of order, because their clocks are only compared over cables
(assumed; not measured on a board)."""

Language = Annotated[str, Meta(pattern=f"^({'|'.join(LANGUAGES)})?$")]

LONGEST = 100
"""The most letters of a table's name, and of its address: a QR code of more can't be read across a room."""
_ORIGIN = re.compile(r"https?://[a-z0-9.-]+(:[0-9]{1,5})?")


class PageSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[page]`: where phones find the table."""

    host: str = "0.0.0.0"
    """The address to listen on: "0.0.0.0" for every phone in the room, "127.0.0.1" for this machine only."""
    port: Annotated[int, Meta(ge=1, le=65535)] = 8000
    """The port to listen on; below 1024 only as a service."""
    address: str = ""
    """What the QR code says, and where the page may be opened beside its own addresses, for example by way of a proxy;
    "" for the machine's own address on the local network."""
    proxies: tuple[str, ...] = ()
    """The addresses of reverse proxies that may say for whom they ask, for example ["127.0.0.1", "172.30.32.0/23"]."""
    origins: tuple[str, ...] = ()
    """The only other sites whose pages may read `/api/1` and frame `/overlay`, for example ["https://club.example"]."""
    certificate: str = ""
    """The certificate file for https://, with the chain that vouches for it; "" for http://."""
    key: str = ""
    """The file of the certificate's key, which only the table's user may read."""

    @property
    def tls(self) -> tuple[str, str] | None:
        """The files of certificate and key; None: the page is open to all on the network."""
        return (self.certificate, self.key) if self.certificate else None


class ShoutSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[shout]`: how the first shout is judged."""

    window: Annotated[float, Meta(ge=0, le=LONGEST_WINDOW, extra={"unit": "seconds"})] = 0.01
    """Seconds that the judge waits, at most, for an earlier press still under way before it announces one."""


class PhoneSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[phones]`: how people join with their phones."""

    joining: Literal["open", "codes"] = "open"
    """"open": before a match anybody on the network may take a free seat; "codes": only with the code at the seat."""
    in_play: bool = True
    """Whether people have phones at hand while they play. If not, a match begins with options that need none, where
    nobody chooses others."""


class NetworkSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[network]`: who puts the phones and the table on one network."""

    wifi: bool = False
    """Whether the host's page `/network` joins Wi-Fi networks through NetworkManager, and the table opens its own where
    there is none."""


class LoudspeakerSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[loudspeaker]`: where the table itself is heard, if the host wants that on the host's page."""

    device: str = "default"
    """What is played on, by ALSA's name: `aplay -L` lists them, HDMI and Bluetooth too once the system has them."""


SECTIONS: Mapping[str, Any] = {
    "page": PageSettings,
    "shout": ShoutSettings,
    "phones": PhoneSettings,
    "network": NetworkSettings,
    "loudspeaker": LoudspeakerSettings,
    "club": ClubSettings,
    "mqtt": HouseSettings,
}
"""The sections that may appear once in a file, by name, and what each may hold."""


class Table(msgspec.Struct, frozen=True):
    """A table as its file describes it."""

    log: Path
    tags: Path | None
    page: PageSettings
    readers: tuple[Any, ...]
    """Drivers' settings; each has a `place`, and `open(clock)`."""
    buzzers: tuple[Any, ...]
    """Drivers' settings; each has `seats`, and `open(clock)`."""
    name: str = ""
    language: Language = ""
    seat_count: int | None = None
    """How many seats its file says it has; None: it does not."""
    shout: ShoutSettings = ShoutSettings()
    phones: PhoneSettings = PhoneSettings()
    network: NetworkSettings = NetworkSettings()
    loudspeaker: LoudspeakerSettings = LoudspeakerSettings()
    club: ClubSettings | None = None
    """The paths of its files are already resolved."""
    house: HouseSettings | None = None
    webhooks: tuple[WebhookSettings, ...] = ()

    @property
    def sensors(self) -> tuple[Any, ...]:
        """All of them, readers first."""
        return *self.readers, *self.buzzers

    @property
    def places(self) -> tuple[str, ...]:
        """The places that have a reader."""
        return tuple(reader.place for reader in self.readers)

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that have a button."""
        return tuple(seat for box in self.buzzers for seat in box.seats)

    @property
    def offered_seats(self) -> tuple[int, ...]:
        """The seats where people sit; all, if nothing says where."""
        if self.seat_count is not None:
            return tuple(SEATS[: self.seat_count])
        with_reader = {seat for place in self.places if (seat := seat_at(place))}
        sensed = sorted(with_reader.union(self.seats))
        return tuple(sensed if len(sensed) > 1 else SEATS)

    @property
    def simulated(self) -> bool:
        """Whether any of them is virtual."""
        return any(drivers.is_virtual(sensor) for sensor in self.sensors)

    @property
    def apart(self) -> float:
        """Seconds: two presses closer than this can't be told apart by these buttons."""
        between = ACROSS_DEVICES if len(self.buzzers) > 1 else 0.0
        return max((between, *(float(box.apart) for box in self.buzzers)))


class FileSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings before the first section; paths are relative to the file."""

    name: str = ""
    """What the table is called: on its pages, and in its own Wi-Fi."""
    language: Language = ""
    """The language for a phone that prefers none of the table's: "de", "en", "es" or "fr"; "" for English."""
    seats: Annotated[int, msgspec.Meta(ge=2, le=6)] | None = None
    """How many seats the table has: those numbered from 1 are offered, others only to whoever asks for one more, with a
    phone. Without it, the seats that have a reader or a button."""
    log: str = "log.sqlite"
    """The log file: every match ever played at the table."""
    tags: str | None = None
    """The file that says which sticker is on which card; without it no sticker is known."""
    reader: tuple[dict[str, Any], ...] = ()
    """The `[[reader]]` sections, by driver."""
    buzzers: tuple[dict[str, Any], ...] = ()
    """The `[[buzzers]]` sections, by driver."""
    webhook: tuple[dict[str, Any], ...] = ()
    """The `[[webhook]]` sections."""


REPEATED = ("reader", "buzzers", "webhook")
"""The sections that may appear several times."""
ABOVE = tuple(name for name in FileSettings.__struct_fields__ if name not in REPEATED)
"""The settings before the first section, by name."""


def load(path: Path) -> Table:
    """Read and check a table's file; paths in it are relative to it. Raises `ConfigFault`."""
    _see_that_nothing_is_lacking(path)
    return read(path, "your table.toml", lambda raw: _sensing(_checked(raw, path)))


def begun(path: Path) -> Table:
    """Read a table's file that may not be there yet, or name no device. Raises `ConfigFault`."""
    if path.parent.is_dir() and not path.exists():
        return as_without_file(path)
    _see_that_nothing_is_lacking(path)
    return read(path, "your table.toml", lambda raw: _checked(raw, path))


def _see_that_nothing_is_lacking(path: Path) -> None:
    """Raise `SettingsCut` if a file that is right as it stands is only the beginning of what it was."""
    if is_cut(path):
        copy = copy_of(path)
        raise SettingsCut(
            f"{path} ends before what it said when the table last started, and that lies beside it, in {copy.name}: "
            f"bring it back on the table's page, or copy it there. If the end was taken out on purpose, say so there, "
            f"or move {copy.name} away"
        )


def as_without_file(path: Path) -> Table:
    """Return the table that a file at this path would describe if it said nothing."""
    return Table(log=path.parent / FileSettings().log, tags=None, page=PageSettings(), readers=(), buzzers=())


def _sensing(table: Table) -> Table:
    if not table.sensors:
        club = "; if this is a hub's CLUB.toml, it is for `companion hub` alone" if table.club else ""
        raise Wrong(f"the table senses nothing: add a [[reader]] or [[buzzers]] section{club}")
    return table


def _checked(raw: dict[str, Any], path: Path) -> Table:
    if "season" in raw:
        command = f'sqlite3 {path.with_suffix(".sqlite")} ".backup copy.sqlite"'
        raise Wrong(
            f"this is a hub's file, for `companion hub` alone. What the hub keeps is copied by {command}", key="season"
        )
    sections = {section: raw.pop(section) for section in SECTIONS if section in raw}
    club = read_club(sections.pop("club"), path) if "club" in sections else None
    house = read_house(sections.pop("mqtt"), path) if "mqtt" in sections else None
    webhooks = read_webhooks(raw.pop("webhook"), path) if "webhook" in raw else ()
    if club and house and club.home_assistant and house.home_assistant:
        why = "home_assistant is true in [club] too: Home Assistant would find the table twice. Leave it to one of them"
        raise Wrong(why, section="mqtt", key="home_assistant")
    read_as = {
        section: converted(written, SECTIONS[section], section, above=ABOVE) for section, written in sections.items()
    }
    page = checked_page(read_as.pop("page", PageSettings()), path)
    settings = converted(raw, FileSettings, beside=tuple(SECTIONS))
    if len(settings.name) > LONGEST:
        raise Wrong(f"name has {len(settings.name)} letters: write {LONGEST} at most", key="name")
    readers = tuple(_sensor("reader", index, entry) for index, entry in enumerate(settings.reader))
    buzzers = tuple(_sensor("buzzers", index, entry) for index, entry in enumerate(settings.buzzers))
    _check_places(readers)
    _check_seats(buzzers)
    _check_claims(readers, buzzers)
    log = file_beside(path, "log", settings.log)
    tags = None if settings.tags is None else file_beside(path, "tags", settings.tags, log)
    return Table(
        log=log,
        tags=tags,
        page=page,
        club=club,
        house=house,
        webhooks=webhooks,
        readers=readers,
        buzzers=buzzers,
        name=settings.name,
        language=settings.language,
        seat_count=settings.seats,
        **read_as,
    )


def checked_page(page: PageSettings, path: Path) -> PageSettings:
    """Return a page whose files are found beside the file that names them. Raises `Wrong`."""
    _check_address(page)
    _check_origins(page)
    _check_proxies(page)
    if bool(page.certificate) != bool(page.key):
        raise Wrong("certificate and key go together", section="page", key="certificate" if page.certificate else "key")
    with_paths = with_files(page, path, "page", "certificate", "key")
    for key in ("certificate", "key"):
        if (named := getattr(page, key)) and not Path(getattr(with_paths, key)).is_file():
            raise Wrong(f"{key} = {named!r}: there is no such file", section="page", key=key)
    return with_paths


def _check_address(page: PageSettings) -> None:
    """Refuse what no QR code holds, or no phone opens. Raises `Wrong`."""
    try:
        parts = urlsplit(page.address)
        opens = parts.scheme in ("http", "https") and parts.port != 0 and not (parts.query or parts.fragment)
        good = opens and bool(parts.hostname) and len(page.address) <= LONGEST
    except ValueError:  # half of an IPv6 address, a port that is none
        good = False
    if page.address and not good:
        why = f"address = {page.address[:LONGEST]!r}: write http://name or https://name:port, {LONGEST} letters at most"
        raise Wrong(why, section="page", key="address")


def _check_origins(page: PageSettings) -> None:
    for origin in page.origins:
        if not _ORIGIN.fullmatch(origin):
            why = f"origins = {origin!r}: write each as browsers do, https://name or https://name:port"
            raise Wrong(why, section="page", key="origins")


def _check_proxies(page: PageSettings) -> None:
    for proxy in page.proxies:
        try:
            ip_network(proxy, strict=False)
        except ValueError:
            why = f"proxies = {proxy!r}: write each proxy's address, or its network, like 192.168.1.0/24"
            raise Wrong(why, section="page", key="proxies") from None


def _sensor(section: str, index: int, entry: Mapping[str, Any]) -> Any:
    name = entry.get("driver")
    drivers_found = drivers.find(section)
    wrong = partial(Wrong, section=section, index=index)
    if name is None:
        raise wrong(f"no driver named; known: {', '.join(drivers_found)}")
    if not isinstance(name, str) or name not in drivers_found:
        why = f"unknown driver {name!r} for [[{section}]]; known: {', '.join(drivers_found)}"
        raise wrong(". ".join((why, *map(str, drivers.left_out()))), key="driver")
    settings = {key: value for key, value in entry.items() if key != "driver"}
    return converted(settings, getattr(drivers_found[name], section.capitalize()), section, index, above=ABOVE)


def _check_places(readers: Sequence[Any]) -> None:
    places: set[str] = set()
    for index, reader in enumerate(readers):
        wrong = partial(Wrong, section="reader", index=index, key="place")
        if reader.place not in games.places():
            raise wrong(f"unknown place {reader.place!r}; known: {', '.join(games.places())}")
        if reader.place in places:
            raise wrong(f"a second reader at {reader.place}: one reader per place")
        places.add(reader.place)


def _check_seats(buzzers: Sequence[Any]) -> None:
    """Check the seats of every driver's buzzers; nothing else does."""
    seats: set[int] = set()
    for index, box in enumerate(buzzers):
        wrong = partial(Wrong, section="buzzers", index=index, key="seats")
        if not box.seats:
            raise wrong("no seat named: name the seat of each button")
        for seat in box.seats:
            if seat not in SEATS:
                raise wrong(f"there is no seat {seat}: seats are 1 to {SEATS[-1]}")
            if seat in seats:
                raise wrong(f"a second buzzer for seat {seat}: one per seat")
            seats.add(seat)


class _Claimed(NamedTuple):
    """What a device uses, as one of those that share it or alone, and how it is told where the device is set."""

    parts: tuple[str, ...]
    as_what: str
    wrong: Callable[[str], Wrong]


def _check_claims(readers: Sequence[Any], buzzers: Sequence[Any]) -> None:
    """Refuse what two devices use, unless they share it, and a device that uses the whole of what another uses in part.

    What is wrong is told where it can be put right: at the one that names no part, or else at the later one.
    """
    claims: list[_Claimed] = []
    for claim in chain(_claimed("reader", readers), _claimed("buzzers", buzzers)):
        for earlier in claims:
            shared = claim.as_what and claim.as_what == earlier.as_what
            # `map` ends with the shorter: a whole clashes with each of its parts.
            if not shared and all(map(eq, claim.parts, earlier.parts)):
                raise _clash(claim, earlier)
        claims.append(claim)


def _claimed(section: str, sensors: Sequence[Any]) -> Iterator[_Claimed]:
    for index, sensor in enumerate(sensors):
        alone = ((key, parts, "") for key, parts in getattr(sensor, "claims", ()))
        for key, parts, as_what in (*getattr(sensor, "shares", ()), *alone):
            yield _Claimed(parts, as_what, partial(Wrong, section=section, index=index, key=key))


def _clash(claim: _Claimed, earlier: _Claimed) -> Wrong:
    whole, part = sorted((claim, earlier), key=lambda claimed: len(claimed.parts))
    device = ", ".join(whole.parts)
    if used := part.parts[len(whole.parts) :]:
        return whole.wrong(f"{device} is used twice: as a whole here, and elsewhere by {', '.join(used)}")
    if earlier_use := earlier.as_what or claim.as_what:
        return claim.wrong(f"{device} is {earlier_use}: take another")
    return claim.wrong(f"{device} is used twice: every device needs its own")
