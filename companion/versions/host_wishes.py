"""What the host may wish of the machine that a table runs on: the page has no right to it, systemd does it.

A wish is a file in a folder in memory that only the table may write; a unit of systemd waits for it. It is gone with
the next start, so none is ever fulfilled twice.
"""

from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from pathlib import Path

from msgspec import Struct

from companion.versions import launcher, packed

FIRST_YEAR = 2026
"""Before it there was no table: a clock that says so is wrong."""


class HostWish(Enum):
    """What may be wished; its file has its name."""

    UPDATE = "update"
    OFF = "off"
    CLOCK = "clock"


class Machine(Struct, frozen=True):
    """The machine, with versions beside each other."""

    root: Path
    wishes: Path
    version: str
    """What runs."""

    def wish(self, what: HostWish, said: str = "") -> None:
        """Have it done, with what is to be known for it. Raises OSError."""
        part = self.wishes / "new"
        part.write_text(said, encoding="ascii")
        part.replace(self.wishes / what.value)

    def offered(self) -> str:
        """Return the newest version that an update is at hand for, or "" if that is no newer than what runs."""
        now = launcher.current(self.root)
        found = [packed.peek(path) for path in updates(self.root).glob(f"*{packed.ENDING}")]
        newer = [version for version in found if packed.order(version) > packed.order(now)]
        return max(newer, key=packed.order, default="")

    def told(self) -> Mapping[str, str]:
        """Return what came of the last update: `what`, the versions `new` and `old`, and `why`."""
        return launcher.told(self.root)


def knows_the_time() -> bool:
    """Return whether a network has told this machine the time since it was started."""
    return Path("/run/systemd/timesync/synchronized").exists()


def wished_time(text: str) -> datetime | None:
    """Read the time that a phone says, as its field has it; None where it is no time that can be now."""
    try:
        time = datetime.strptime(text, "%Y-%m-%dT%H:%M")
    except ValueError:
        return None
    return time if FIRST_YEAR <= time.year < FIRST_YEAR + 100 else None


def updates(root: Path) -> Path:
    """Return the folder where updates are laid."""
    return root / "updates"
