"""A table with a log and a backup of it, for what is brought back from it."""

import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

from companion.backups.restoring import put_back
from companion.backups.writing import write_backup
from companion.config import load
from companion.events import Player, Pressed, Started
from companion.storage.log import Log

TABLE = 'log = "log.sqlite"\ntags = "tags.toml"\n[[buzzers]]\ndriver = "virtual"\nseats = [1, 2]\n'
TAGS = '[stop-it]\nred-1 = "04A1B2C3D4E5F6"\n'
FIRST = Started(1, 0.0, "stop-it", (Player(1, "Ana"), Player(2, "Bo")), {})


class Kept:
    """A table with a match of two events, and a backup of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "table"
        self.folder.mkdir()
        self.settings = self.folder / "table.toml"
        self.log = self.folder / "log.sqlite"
        self.tags = self.folder / "tags.toml"
        self.settings.write_text(TABLE)
        self.tags.write_text(TAGS)
        self.play(2)
        self.file = self.backup(folder / "backup.zip")

    def backup(self, to: Path) -> Path:
        return write_backup(load(self.settings), self.settings, to)

    def lose_everything(self) -> None:
        shutil.rmtree(self.folder)
        self.folder.mkdir()

    def play(self, seq: int) -> None:
        log = Log(self.log, writes=True)
        match = log.latest() or log.open_match("now", False, FIRST)
        log.append(match, [(Pressed(seq, float(seq), 1), f"press {seq}")])
        log.close()

    def events(self, path: Path | None = None) -> int:
        log = Log(path or self.log, writes=False)
        try:
            return len(log.events(1))
        finally:
            log.close()

    def restore(self) -> list[str]:
        return list(put_back(self.settings, self.file))

    def everything(self) -> dict[str, bytes]:
        """Every file that is there, but for the mark that the table is in use."""
        return {
            str(path.relative_to(self.folder)): path.read_bytes()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file() and path.suffix != ".lock"
        }

    def repack(self, change: Callable[[dict[str, bytes]], object], packing: int = zipfile.ZIP_STORED) -> None:
        with zipfile.ZipFile(self.file) as old_archive:
            files = {name: old_archive.read(name) for name in old_archive.namelist()}
        change(files)
        with zipfile.ZipFile(self.file, "w", packing) as new_archive:
            for name, content in files.items():
                new_archive.writestr(name, content)
