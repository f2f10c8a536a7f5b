"""What the host may wish of the machine that a table runs on: the page has no right to it, systemd does it.

A wish is a file in a folder in memory that only the table may write; a unit of systemd waits for it. It is gone with
the next start, so none is ever fulfilled twice.
"""

from collections.abc import Mapping
from enum import Enum
from pathlib import Path

from msgspec import Struct

from companion.versions import launcher, packed


class HostWish(Enum):
    """What may be wished; its file has its name."""

    UPDATE = "update"
    OFF = "off"


class Machine(Struct, frozen=True):
    """The machine, with versions beside each other."""

    root: Path
    wishes: Path
    version: str
    """What runs."""

    def wish(self, what: HostWish) -> None:
        """Have it done. Raises OSError."""
        (self.wishes / what.value).touch()

    def offered(self) -> str:
        """Return the newest version that an update is at hand for, "" where none is newer than what runs."""
        now = launcher.current(self.root)
        found = [packed.peek(path) for path in updates(self.root).glob(f"*{packed.ENDING}")]
        newer = [version for version in found if packed.order(version) > packed.order(now)]
        return max(newer, key=packed.order, default="")

    def told(self) -> Mapping[str, str]:
        """Return what came of the last update: `what`, the versions `new` and `old`, and `why`."""
        return launcher.told(self.root)


def updates(root: Path) -> Path:
    """Return the folder where updates are laid."""
    return root / "updates"
