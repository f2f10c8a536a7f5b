"""A USB stick is plugged in: a backup goes onto it, and an update comes from it. Started by udev, as root.

    python -m companion.cli.usb_stick /dev/sda1

Only a stick with a folder named `table-companion` is touched: a backup holds the seats' codes. The mount is this
process's own (its unit has a private view of the disks), and is gone with it however it ends.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from companion.backups.writing import write_backup
from companion.cli.output import say
from companion.config import begun
from companion.errors import CompanionError
from companion.machine.table_unit import SETTINGS
from companion.versions import packed
from companion.versions.host_wishes import updates
from companion.versions.launcher import ROOT, sync

FOLDER = "table-companion"


def use(stick: Path, settings: Path, root: Path) -> Iterator[str]:
    """Back up to a stick that wants it, and take a signed update from it; yield what is done."""
    folder = stick / FOLDER
    if not folder.is_dir():
        yield f"there is no folder {FOLDER} on it: it is left alone"
        return
    for update in sorted(folder.glob(f"*{packed.ENDING}")):
        try:
            yield f"took {_take(update, updates(root)).name}"
        except (CompanionError, OSError) as wrong:
            yield str(wrong)
    yield f"wrote {write_backup(begun(settings), settings, folder).name}"


def _take(update: Path, to: Path) -> Path:
    """Copy an update, and keep it if it is signed. Raises `WrongInput` and OSError."""
    to.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".taken-", dir=to) as part:
        copy = Path(shutil.copyfile(update, Path(part) / "new"))
        packed.unpack(copy, Path(part))
        sync(copy)
        kept = copy.replace(to / f"{packed.peek(copy)}{packed.ENDING}")
    kept.chmod(0o644)
    sync(to)
    return kept


def main(device: str) -> int:
    """Mount the stick, use it, unmount it; return the exit status."""
    with tempfile.TemporaryDirectory(prefix="stick-", dir="/run") as folder:
        subprocess.run(["mount", "-o", "nosuid,nodev,noexec", device, folder], check=True)
        try:
            for line in use(Path(folder), SETTINGS, ROOT):
                say(line)
        except CompanionError as wrong:
            say(str(wrong))
            return 1
        finally:
            subprocess.run(["umount", folder], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
