"""The host's wishes to the machine, such as an update: the page has no right to do that, so systemd units do.

A wish is a file in a folder in memory that only the table may write; a systemd path unit waits for it. After a restart
it is gone, so that none is carried out twice.
"""

from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from pathlib import Path

from msgspec import Struct

from companion.versions import launcher, packed
from companion.wall_clock import is_synchronised

FIRST_YEAR = 2026
"""No table existed before this year, so a clock that shows an earlier one is wrong."""


class HostWish(Enum):
    """A possible wish; its value is the file's name."""

    UPDATE = "update"
    OFF = "off"
    CLOCK = "clock"


class Machine(Struct, frozen=True):
    """A machine with versions side by side."""

    root: Path
    wishes: Path
    version: str
    """The running version."""

    def wish(self, wish: HostWish, details: str = "") -> None:
        """Have a wish carried out, with its details. Raises OSError."""
        part = self.wishes / "new"
        part.write_text(details, encoding="ascii")
        part.replace(self.wishes / wish.value)

    def offered(self) -> str:
        """Return the newest version among the updates at hand; "" if none is newer than the running one."""
        running = launcher.current(self.root)
        at_hand = [packed.peek(path) for path in updates(self.root).glob(f"*{packed.ENDING}")]
        newer = [version for version in at_hand if packed.order(version) > packed.order(running)]
        return max(newer, key=packed.order, default="")

    def last_outcome(self) -> Mapping[str, str]:
        """Return the outcome of the last update: `what`, the versions `new` and `old`, and `why`."""
        return launcher.last_outcome(self.root)


def knows_the_time() -> bool:
    """Return whether this machine's clock was synchronised since it started."""
    return is_synchronised()


def wished_time(text: str) -> datetime | None:
    """Parse the time from a phone's form; None if it can't be the current time."""
    try:
        time = datetime.strptime(text, "%Y-%m-%dT%H:%M")
    except ValueError:
        return None
    return time if FIRST_YEAR <= time.year < FIRST_YEAR + 100 else None


def updates(root: Path) -> Path:
    """Return the folder with updates at hand."""
    return root / "updates"
