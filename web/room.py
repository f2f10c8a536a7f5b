"""What a site serves: the live table, the phones that look at it, and what only some tables have."""

import time
from collections.abc import Callable, Sequence

from gevent.event import Event
from msgspec import Struct

from companion.access.rights_file import Phones
from companion.backups.at_table import Restoration, TableBackups
from companion.club.publisher import Publisher
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


class Room(Struct, frozen=True, eq=False, kw_only=True):
    """What whoever starts a site says about it, once."""

    live: Live
    phones: Phones
    found_at: PageAddress
    hand: Hand | None = None
    """What lays cards and presses buzzers at a virtual table; a real one has people for that."""
    demo: Demo | None = None
    """Plays matches by itself, at a virtual table."""
    unattended: Unattended | None = None
    """Has one play itself while nobody is there; None: nothing does."""
    simulation: Simulation | None = None
    """Knows what lies where, at a virtual table; None: people move things, or nobody does."""
    checkup: Checkup | None = None
    """Monitors the devices; None if nothing does."""
    figures: FiguresFile | None = None
    """What was measured at a real table; None: a virtual one."""
    supply: SupplyWatch | None = None
    """How the machine's supply does; None: nobody watches it."""
    club: Publisher | None = None
    """Reports this table to a club; None if it is in none."""
    at_home: Sequence[ToldAtHome] = ()
    """Who at home is told what happens at the table."""
    loudspeaker: ToldAtHome | None = None
    """Lets be heard what happens; None: this machine plays no sound."""
    machine: Machine | None = None
    """Updates itself and switches itself off; None: it is somebody's own computer, or maintained by hand."""
    phones_in_play: bool = True
    """Whether people have phones at hand while they play."""
    by_code: bool = False
    """Whether a seat can only be taken by its code, even before a match."""
    origins: tuple[str, ...] = ()
    """The other sites whose pages may read what other programs are told, and frame the overlay."""
    proxies: tuple[str, ...] = ()
    """The addresses of reverse proxies that may say for whom they ask."""
    name: str = ""
    """What the table is called."""
    seats: tuple[int, ...] = tuple(SEATS)
    """Where people sit; at the others they can with a phone."""
    language: str = ""
    """The language for a phone that prefers none of its languages."""
    wifi: Wifi | None = None
    """Keeps the table on a network; None: somebody else does."""
    set_up: Event | None = None
    """Set by the host to end the page and set the table up again; None: a table that has no file."""
    backups: TableBackups | None = None
    """Makes backups, and finds those at hand; None: a table that has no file."""
    report: RunningReport | None = None
    """Tells whoever helps from afar how the table is; None: nothing does."""
    restore: Event | None = None
    """Set by the host to end the page and bring back the backup they have chosen; None: a table that has no file."""
    restored: Restoration | None = None
    """What became of the backup that was brought back just before this start; None: none was."""
    clock: Callable[[], float] = time.monotonic
    """Seconds: when a question lapses, and when devices are looked at again. What is judged has the table's own."""

    @property
    def address(self) -> str:
        """Where phones find it."""
        return self.found_at.url

    @property
    def join_address(self) -> str:
        """Where people sit down and type a code."""
        return f"{self.address.rstrip('/')}/join"
