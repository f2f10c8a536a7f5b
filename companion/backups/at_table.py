"""The backups of a running table: written for a phone or a stick, looked through, and restored by a restart."""

import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from msgspec import Struct

from companion.access import rights_file
from companion.access.rights_file import PhonesFault
from companion.access.seat_rights import Rights
from companion.acts.outcome import ActRefused, not_now
from companion.backups import finding
from companion.backups.comparing import Difference, compare
from companion.backups.finding import FoundBackup, StickFault, StickNote, find_backups, find_sticks
from companion.backups.restoring import peek, put_back
from companion.backups.writing import digest, files_of, write_backup
from companion.config import Table, begun
from companion.errors import CompanionError, NotKept, NotNow, WrongInput
from companion.storage.files import phones_of

_COPIES = 2
"""How often a backup needs room for its files: as they are, and packed."""
_BESIDES = 1_000_000
"""The most bytes that it needs besides."""
_CHOSEN = ".to-restore.zip"
"""A copy of the backup that people look through, so that it can't change until they have decided."""


class ChosenBackup(Struct, frozen=True):
    """A backup that may be restored, and what that would change."""

    mark: str
    """Its digest, so that the backup restored is the one that was looked through."""
    difference: Difference


class Restoration(Struct, frozen=True):
    """The result of restoring a backup."""

    made: str = ""
    """When the backup was made: wall-clock time, ISO 8601; "" if it was not restored."""
    kept: str = ""
    """The name of the backup of the table as it was before; "" if nothing was changed."""
    why: str = ""
    """Why it was not restored, in the terminal's words."""


class TableBackups:
    """Every method may be called from any thread, and may take a while."""

    def __init__(self, settings: Path, table: Table, mounts: Path = finding.MOUNTS) -> None:
        """Back up the `table` that the file `settings` describes; `mounts` lists the disks that are mounted."""
        self._settings = settings
        self._table = table
        self._mounts = mounts
        self._lock = threading.Lock()
        self._chosen: ChosenBackup | None = None
        drop_chosen(settings)

    @property
    def chosen(self) -> ChosenBackup | None:
        """The backup that people are looking through."""
        return self._chosen

    @property
    def mark(self) -> str | None:
        """The mark of the chosen backup; None without one."""
        return None if self._chosen is None else self._chosen.mark

    def find(self) -> list[FoundBackup]:
        """Return the backups at hand, the newest first."""
        return find_backups(self._settings, self._mounts)

    def find_sticks(self) -> list[Path]:
        """Return the folders for backups on mounted sticks."""
        return find_sticks(self._settings, self._mounts)

    def last_stick(self) -> StickNote | None:
        """Return the note on the stick that was plugged in last."""
        return finding.last_stick(self._settings)

    def pack(self) -> tuple[str, IO[bytes]]:
        """Return the name of a new backup, and the backup as an open file that is already deleted. Raises `NotNow`."""
        home = self._settings.absolute().parent
        try:
            with tempfile.TemporaryDirectory(prefix=".backup-", dir=home) as folder:
                path = write_backup(self._table, self._settings, Path(folder))
                return path.name, path.open("rb")
        except OSError as wrong:
            raise NotNow(f"can't write in {home}: {wrong.strerror}. Make room there") from wrong

    def write_to_stick(self, folder: str) -> str:
        """Write a backup onto a stick; return its name.

        Raises `ActRefused` if it fails because of the stick, and `NotNow` because of the table.
        """
        stick = Path(folder)
        if stick not in self.find_sticks():
            raise ActRefused(not_now("stick-gone"))
        try:
            return write_backup(self._table, self._settings, stick).name
        except NotNow as wrong:
            fault = StickFault.GONE if stick not in self.find_sticks() else fault_of_stick(self._table, stick)
            if fault is None:
                raise
            raise ActRefused(not_now(fault)) from wrong

    def choose_sent(self, backup: IO[bytes]) -> None:
        """Look through an uploaded backup. Raises `WrongInput` for one that can't be used, and `NotNow`."""
        self._choose(lambda chosen: finding.save(backup, chosen))

    def choose_found(self, key: str) -> None:
        """Look through a backup at hand.

        Raises `WrongInput` for one that can't be used, `ActRefused` if it is not at hand any more, and `NotNow`.
        """
        try:
            path = finding.path_of(key, self.find())
        except NotNow as wrong:
            raise ActRefused(not_now("stick-gone")) from wrong
        self._choose(lambda chosen: finding.copy_plain(path, chosen))

    def drop(self) -> None:
        """Discard the chosen backup."""
        with self._lock:
            self._chosen = None
            drop_chosen(self._settings)

    def _choose(self, save: Callable[[Path], None]) -> None:
        chosen = chosen_of(self._settings)
        with self._lock:
            self._chosen = None
            try:
                with _without_its_name(chosen):
                    save(chosen)
                    difference = compare(self._settings, self._table, chosen)
                self._chosen = ChosenBackup(digest(chosen).sha256, difference)
            except OSError as wrong:
                raise NotNow(f"can't read the backup, or write in {chosen.parent}: {wrong.strerror}") from wrong
            finally:
                if self._chosen is None:
                    drop_chosen(self._settings)


def fault_of_stick(table: Table, stick: Path) -> StickFault | None:
    """Return why a backup of this table can't be written to a stick; None: the stick is not the reason."""
    if not stick.is_dir():
        return StickFault.GONE
    if not os.access(stick, os.W_OK):
        return StickFault.LOCKED
    sizes = [file.stat().st_size for file in files_of(table).values() if file.exists()]
    is_full = shutil.disk_usage(stick).free < _COPIES * sum(sizes) + _BESIDES
    return StickFault.FULL if is_full else None


def chosen_of(settings: Path) -> Path:
    """Return the path of the chosen backup."""
    return settings.absolute().with_name(_CHOSEN)


@contextmanager
def _without_its_name(chosen: Path) -> Iterator[None]:
    """Replace the chosen backup's path in messages by "this backup", because people don't know that file."""
    try:
        yield
    except WrongInput as wrong:
        raise WrongInput(str(wrong).replace(str(chosen), "this backup")) from wrong


def drop_chosen(settings: Path) -> None:
    """Delete the chosen backup."""
    with suppress(OSError):
        chosen_of(settings).unlink(missing_ok=True)


def bring_back_at_once(settings: Path, save: Callable[[Path], None], host_of: Rights | None) -> None:
    """Restore the backup that `save` writes to the path passed to it, at a table that does not run.

    The host of `host_of` stays host. Raises `WrongInput` for a backup that can't be used, `NotNow` and `NotKept`.
    """
    chosen = chosen_of(settings)
    try:
        with _without_its_name(chosen):
            save(chosen)
            list(put_back(settings, chosen, anyway=True, host_of=host_of))
    except OSError as wrong:
        raise NotKept(f"can't write in {chosen.parent}: {wrong.strerror}") from wrong
    finally:
        drop_chosen(settings)


def bring_back_chosen(settings: Path) -> Restoration:
    """Restore the chosen backup, at a table that has stopped for it.

    The table as it is is backed up first, beside the settings, where that backup can then be found.
    """
    chosen = chosen_of(settings)
    try:
        with _without_its_name(chosen):
            with chosen.open("rb") as file:
                made_at = peek(chosen, file).made
            table = begun(settings)
            backup = write_backup(table, settings, settings.absolute().parent)
            list(put_back(settings, chosen, anyway=True, host_of=rights_of(table)))
    except (CompanionError, OSError) as wrong:
        return Restoration(why=str(wrong))
    finally:
        drop_chosen(settings)
    return Restoration(made_at, backup.name)


def rights_of(table: Table) -> Rights | None:
    """Return a table's rights; None if there are none yet, or they can't be read."""
    try:
        return rights_file.load(phones_of(table.log))
    except PhonesFault:
        return None
