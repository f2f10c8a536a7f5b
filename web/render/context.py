"""The names that are the same on every page of a running site."""

from collections.abc import Callable, Mapping
from typing import TypedDict

from jinja2 import Template

from companion.access.seat_rights import Who
from companion.network.own_wifi import OwnWifi


class Globals(TypedDict):
    """The same on every page of a running site."""

    edition: str
    """Names the static files' edition, so that a phone never mixes an old style sheet with a new page."""
    checks: bool
    """Whether the devices are monitored: there is a page `/check`."""
    all_seats: range
    """The seats that a table may have."""
    table_seats: tuple[int, ...]
    """Those where people sit; at the others they can with a phone."""
    spots: Mapping[int, int]
    """Where each seat is drawn, by its number: six spots around the table, three above and three below, clockwise."""
    around: tuple[int, ...]
    """All seats in the order of their spots."""
    upkeep: bool
    """Whether the machine can update itself and switch itself off: there is a page `/host/upkeep`."""
    sets_up: bool
    """Whether the host may set the table up again: there is a page `/setup`."""
    networked: bool
    """Whether the host may change the table's network: there is a page `/network`."""
    own_wifi: OwnWifi | None
    """The table's own Wi-Fi, if it is open: the page restarts when that changes."""
    table_name: str
    """What the table is called; "" if nobody has said."""
    me: Callable[[], Who]
    """This request's phone: for what surrounds a live part, which is the same for all who look."""
    part_of: Callable[[str, str], Template]
    """A game's own part of a page by its slug and the part's name, or the plain one if it brings none."""
