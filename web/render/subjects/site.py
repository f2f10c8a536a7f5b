"""A running site: everything that is the same on all of its pages."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from jinja2 import Environment, Template, pass_environment

from companion import games
from companion.access.seat_rights import Who
from companion.events import SEATS
from companion.network.own_wifi import OwnWifi
from companion.web.render import page_files, seating

_STATIC = Path(__file__).parents[2] / "static"


def _nobody() -> Who:
    return Who(None, frozenset())


@dataclass(frozen=True, eq=False, kw_only=True)
class AboutSite:
    """The same on every page of a running site."""

    checks: bool = False
    """Whether the devices are monitored: there is a page `/check`."""
    table_seats: tuple[int, ...] = tuple(SEATS)
    """Those where people sit; at the others they can with a phone."""
    upkeep: bool = False
    """Whether the machine can update itself and switch itself off: there is a page `/host/upkeep`."""
    measures: bool = False
    """Whether the table is a real one, at which figures are measured: there is a page `/measure`."""
    sets_up: bool = False
    """Whether the host may set the table up again: there is a page `/setup`."""
    networked: bool = False
    """Whether the host may change the table's network: there is a page `/network`."""
    plays_sound: bool = False
    """Whether this machine can play sounds: there is a page `/loudspeaker`."""
    own_wifi: OwnWifi | None = None
    """The table's own Wi-Fi, if it is open: the page restarts when that changes."""
    table_name: str = ""
    """What the table is called; "" if nobody has said."""
    me: Callable[[], Who] = _nobody
    """This request's phone: for what surrounds a live part, which is the same for all who look."""

    @property
    def edition(self) -> str:
        """Names the static files' edition, so that a phone never mixes an old style sheet with a new page."""
        return _edition()

    @property
    def all_seats(self) -> range:
        """The seats that a table may have."""
        return SEATS

    @cached_property
    def spots(self) -> Mapping[int, int]:
        """Where each seat is drawn, by its number: six spots around the table, three above and three below,
        clockwise.
        """
        return seating.spots(self.table_seats)

    @cached_property
    def around(self) -> tuple[int, ...]:
        """All seats in the order of their spots."""
        return tuple(sorted(SEATS, key=self.spots.__getitem__))

    def sheets_of(self, kind: str, slug: str, *, demonstrates: bool) -> Iterator[str]:
        """Yield the addresses of the style sheets of a page of this kind, with this game on it ("": none)."""
        return page_files.sheets_of(kind, slug, demonstrates=demonstrates)

    def sheet_of_game(self, slug: str) -> str:
        """Return the address of a game's style sheet."""
        return page_files.sheet_of_game(slug)

    @pass_environment
    def part_of(self, env: Environment, slug: str, name: str) -> Template:
        """Return a game's own part of a page by its slug and the part's name, or the plain one if it brings none."""
        return env.select_template([f"{slug}/{name}.html", f"plain-{name}.html"])


@cache
def _edition() -> str:
    folders = [_STATIC, *(game.folder / "pages" for game in games.known().values())]
    files = (file for folder in folders for file in sorted(folder.iterdir()) if file.suffix != ".html")
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:8]
