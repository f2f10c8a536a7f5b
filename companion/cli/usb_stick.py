"""Handles a plugged-in USB stick: writes a backup onto it, and takes updates from it. Started by udev, as root.

    python -m companion.cli.usb_stick /dev/sda1

Only a stick with a folder named `table-companion` is touched, because a backup holds the seats' codes. The unit has a
private mount namespace, so that the mount disappears with this process however it ends.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from companion.backups.at_table import fault_of_stick
from companion.backups.everything import pack_everything
from companion.backups.finding import FOLDER, StickFault, StickNote, copy_plain, note_stick, take_from_stick
from companion.backups.writing import write_backup
from companion.cli.output import say
from companion.config import Table
from companion.errors import CompanionError, NotNow
from companion.first_aid.examination import described
from companion.machine.table_unit import SETTINGS
from companion.storage.files import unused
from companion.versions import packed
from companion.versions.host_wishes import updates
from companion.versions.launcher import ROOT, as_owner_of, sync

OPTIONS = "nosuid,nodev,noexec,nosymfollow"


def use(stick: Path, settings: Path, root: Path) -> Iterator[str]:
    """Take signed updates and backups from a stick that has our folder, and write a backup; yield what is done."""
    folder = stick / FOLDER
    if folder.is_symlink() or not folder.is_dir():
        yield f"there is no folder {FOLDER} on it: it is left alone"
        return
    for update in sorted(folder.glob(f"*{packed.ENDING}")):
        try:
            yield f"took {_take(update, updates(root)).name}"
        except (CompanionError, OSError) as wrong:
            yield str(wrong)
    with as_owner_of(settings.parent):
        table, _ = described(settings)
    try:
        for backup in take_from_stick(folder, settings):
            yield f"copied {backup}: the table's page can bring it back"
    except OSError as wrong:
        yield f"can't copy backups from it: {wrong.strerror}"
    try:
        name = write_backup(table, settings, folder).name
    except NotNow as wrong:
        yield str(wrong)
        _note(settings, code=fault_of_stick(table, folder) or StickFault.TABLE_DAMAGED, why=str(wrong))
        yield f"wrote every file of the table, as it is, to {_write_as_it_is(table, settings, folder).name}"
    else:
        _note(settings, wrote=name)
        yield f"wrote {name}"


def _note(settings: Path, *, wrote: str = "", code: str = "", why: str = "") -> None:
    """Note the outcome for the host's page; a full disk costs that alone."""
    written_at = datetime.now().astimezone().isoformat(timespec="seconds")
    with suppress(OSError), as_owner_of(settings.parent):
        note_stick(settings, StickNote(written_at, wrote, code, why))


def _write_as_it_is(table: Table, settings: Path, folder: Path) -> Path:
    """Write every file of a table that is too damaged for a backup; return the file. Raises `NotNow`."""
    to = unused(folder / f"table-as-it-is-{datetime.now():%Y-%m-%d-%H%M%S}", ".zip")
    try:
        with to.open("xb") as file, as_owner_of(settings.parent):
            file.writelines(pack_everything(settings, table))
    except OSError as wrong:
        raise NotNow(f"can't write {to}: {wrong.strerror}. Take a stick with more room") from wrong
    return to


def _take(update: Path, to: Path) -> Path:
    """Copy an update from a stick, if it is signed; return the copy. Raises `WrongInput` and OSError."""
    to.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".taken-", dir=to) as part:
        copy = Path(part) / "new"
        copy_plain(update, copy)
        # The copy is verified, not the file on the stick, which could change in between.
        packed.unpack(copy, Path(part))
        sync(copy)
        update_file = copy.replace(to / f"{packed.peek(copy)}{packed.ENDING}")
    update_file.chmod(0o644)
    sync(to)
    return update_file


def main(device: str) -> int:
    """Mount the stick, use it, unmount it; return the exit status."""
    with tempfile.TemporaryDirectory(prefix="stick-", dir="/run") as folder:
        mounted = subprocess.run(["mount", "-o", OPTIONS, device, folder], capture_output=True, text=True, check=False)
        if mounted.returncode:
            why = mounted.stderr.strip()
            say(why)
            _note(SETTINGS, code=StickFault.UNREADABLE, why=why)
            return 1
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
