"""KiCad 9 itself: this machine's, or that of the Debian which `make kicad` sets up; it needs no screen."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hardware.pcb.libraries import Libraries

DEBIAN = Path(__file__).parents[2] / "build/kicad"
"""Where `make kicad` puts a Debian with KiCad 9; only root can use it."""
LEAST = 9
"""The major version whose file formats `layout.py` and `schematic.py` write: an older KiCad refuses them."""
_SHARE = "usr/share/kicad"


@dataclass(frozen=True, slots=True)
class Kicad:
    """An installed KiCad."""

    root: Path
    """Of the system it lies in: `/`, or a folder."""

    @property
    def libraries(self) -> Libraries:
        """Its symbols and footprints."""
        return Libraries(self.root / _SHARE)

    @contextmanager
    def folder(self) -> Iterator[Path]:
        """Lend an empty folder that its programs can reach too, and remove it afterwards."""
        with tempfile.TemporaryDirectory(dir=self.root / "tmp") as name:
            yield Path(name)

    def run(self, folder: Path, *command: str) -> None:
        """Run a program in a folder lent by `folder`. Raises CalledProcessError if it fails."""
        within = "/" / folder.relative_to(self.root)
        entered = () if self.root == Path("/") else ("chroot", str(self.root))
        settings = ("env", "LC_ALL=C.UTF-8", "HOME=/root", "INTERACTIVE_HTML_BOM_NO_DISPLAY=1")
        # `chroot` starts a program in the new root itself: a shell changes to the folder, and becomes the program.
        moved = ("sh", "-c", 'cd "$0" && exec "$@"', str(within))
        subprocess.run([*entered, *settings, *moved, *command], check=True, capture_output=True, text=True)


def found() -> Kicad | None:
    """Return a KiCad that can be used, or None."""
    if (DEBIAN / "usr/bin/kicad-cli").exists() and os.geteuid() == 0:
        return Kicad(DEBIAN.resolve())
    if not shutil.which("kicad-cli") or not Path("/", _SHARE, "footprints").exists():
        return None
    version = subprocess.run(["kicad-cli", "version"], capture_output=True, text=True, check=False).stdout
    number = re.match(r"(\d+)\.", version)
    return Kicad(Path("/")) if number and int(number[1]) >= LEAST else None
