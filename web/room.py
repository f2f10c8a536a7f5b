"""The room that a site serves: the live table, its phones, and the features that only some tables have."""

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from gevent.event import Event
from msgspec import Struct

from companion.access.rights_file import Phones
from companion.devices.check.checkup import Checkup
from companion.devices.supply import SupplyWatch
from companion.events import SEATS
from companion.live.demo import Demo, Hand
from companion.live.simulation import Simulation
from companion.live.table import Live
from companion.live.unattended import Unattended
from companion.measuring.figures_file import FiguresFile
from companion.network.page_address import PageAddress
from companion.network.wifi import Wifi
from companion.report.running import RunningReport, ToldAtHome
from companion.versions.host_wishes import Machine

if TYPE_CHECKING:  # only some tables have them
    from companion.backups.at_table import Restoration, TableBackups
    from companion.club.publisher import Publisher


class Room(Struct, frozen=True, eq=False, kw_only=True):
    """What a site is started with."""

    live: Live
    phones: Phones
    found_at: PageAddress
    hand: Hand | None = None
    """Lays cards and presses buzzers at a virtual table; None at a real one."""
    demo: Demo | None = None
    """Plays matches by itself, at a virtual table."""
    unattended: Unattended | None = None
    """Starts such a match while nobody is there; None: nothing does."""
    simulation: Simulation | None = None
    """Knows what lies where at a virtual table; None: nothing is simulated."""
    checkup: Checkup | None = None
    """Monitors the devices; None: nothing does."""
    figures: FiguresFile | None = None
    """Measurements at a real table; None: a virtual one."""
    supply: SupplyWatch | None = None
    """Watches the machine's supply voltage; None: nothing does."""
    club: "Publisher | None" = None
    """Publishes this table's results to its club; None: it is in none."""
    at_home: Sequence[ToldAtHome] = ()
    """Home-automation services that are told what happens at the table."""
    loudspeaker: ToldAtHome | None = None
    """Speaks or plays what happens; None: this machine plays no sound."""
    machine: Machine | None = None
    """Updates the machine and switches it off; None: somebody's own computer, or one maintained by hand."""
    phones_in_play: bool = True
    """Whether people have phones at hand while they play."""
    by_code: bool = False
    """Whether a seat can be taken only by its code, even before a match."""
    origins: tuple[str, ...] = ()
    """Other sites whose pages may read the programs' interface and frame the overlay."""
    proxies: tuple[str, ...] = ()
    """Addresses of reverse proxies whose `X-Forwarded-…` headers are trusted."""
    name: str = ""
    """The table's name."""
    seats: tuple[int, ...] = tuple(SEATS)
    """The seats with devices; at the others people play by phone."""
    language: str = ""
    """The language for a phone that prefers none of ours."""
    wifi: Wifi | None = None
    """Keeps the table on a network; None: the system does."""
    set_up: Event | None = None
    """Set by the host to stop the site and run the setup again; None: a table without a settings file."""
    backups: "TableBackups | None" = None
    """Makes and finds backups; None: a table without a settings file."""
    report: RunningReport | None = None
    """Makes the report for remote support; None: nothing does."""
    restore: Event | None = None
    """Set by the host to stop the site and restore the chosen backup; None: a table without a settings file."""
    restored: "Restoration | None" = None
    """The outcome of the restore just before this start; None: there was none."""
    clock: Callable[[], float] = time.monotonic
    """Seconds, for the lapse of questions and the refresh of devices. What is judged uses the table's own clock."""

    @property
    def address(self) -> str:
        """The URL at which phones find the site."""
        return self.found_at.url

    @property
    def join_address(self) -> str:
        """The URL where people sit down or type a code."""
        return f"{self.address.rstrip('/')}/join"
