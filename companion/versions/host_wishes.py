"""What the host may wish of the table's machine: the page has no right to do it, so systemd does.

A wish is a file in an in-memory folder that only the table may write; a systemd unit waits for it. It is gone at the
next start, so none is ever fulfilled twice.
"""

from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from pathlib import Path

from msgspec import Struct

from companion.versions import launcher, packed
from companion.wall_clock import is_synchronised

FIRST_YEAR = 2026
"""No table existed earlier: a clock that shows an earlier time is wrong."""


class HostWish(Enum):
    """A possible wish; its file has its name."""

    UPDATE = "update"
    OFF = "off"
    CLOCK = "clock"


class Machine(Struct, frozen=True):
    """The machine, with its versions side by side."""

    root: Path
    wishes: Path
    version: str
    """The version that runs."""

    def wish(self, wish: HostWish, details: str = "") -> None:
        """Have it done, with any details it needs. Raises OSError."""
        part = self.wishes / "new"
        part.write_text(details, encoding="ascii")
        part.replace(self.wishes / wish.value)

    def offered(self) -> str:
        """Return the newest version with an update at hand, or "" if it is no newer than the running one."""
        running = launcher.current(self.root)
        at_hand = [packed.peek(path) for path in updates(self.root).glob(f"*{packed.ENDING}")]
        newer = [version for version in at_hand if packed.order(version) > packed.order(running)]
        return max(newer, key=packed.order, default="")

    def last_outcome(self) -> Mapping[str, str]:
        """Return the outcome of the last update: `what`, the versions `new` and `old`, and `why`."""
        return launcher.last_outcome(self.root)


def knows_the_time() -> bool:
    """Return whether this machine has got the time from a network since it started."""
    return is_synchronised()


def wished_time(text: str) -> datetime | None:
    """Read the time that a phone's form gives; None if it can't be the current time."""
    try:
        time = datetime.strptime(text, "%Y-%m-%dT%H:%M")
    except ValueError:
        return None
    return time if FIRST_YEAR <= time.year < FIRST_YEAR + 100 else None


def updates(root: Path) -> Path:
    """Return the folder for updates."""
    return root / "updates"
