"""`companion backup` and `companion restore`: nothing that was recorded is lost, whatever is in the file."""

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.access.phones import Phones
from companion.cli.backup import write_backup
from companion.cli.restore import put_back
from companion.config import load
from companion.errors import NotNow, WrongInput
from companion.events import Player, Pressed, Started
from companion.live.simulation import Simulation
from companion.storage.files import phones_of, world_of
from companion.storage.integrity import unread
from companion.storage.log import Log
from companion.storage.opening import LogFault
from tests.cli.program import companion
from tests.refusals import refusable
from tests.web.table import living

TABLE = 'log = "log.sqlite"\ntags = "tags.toml"\n[[buzzers]]\ndriver = "virtual"\nseats = [1, 2]\n'
TAGS = '[stop-it]\nred-1 = "04A1B2C3D4E5F6"\n'
FIRST = Started(1, 0.0, "stop-it", (Player(1, "Ana"), Player(2, "Bo")), {})


class Kept:
    """A table with a match of two events, and a backup of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "table"
        self.folder.mkdir()
        self.settings = self.folder / "table.toml"
        self.log, self.tags = self.folder / "log.sqlite", self.folder / "tags.toml"
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
        with zipfile.ZipFile(self.file) as before:
            files = {name: before.read(name) for name in before.namelist()}
        change(files)
        with zipfile.ZipFile(self.file, "w", packing) as after:
            for name, content in files.items():
                after.writestr(name, content)


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(tmp_path)


def test_a_backup_brings_back_log_tags_and_settings(kept: Kept) -> None:
    kept.lose_everything()
    kept.restore()
    assert kept.events() == 2
    assert (kept.tags.read_text(), kept.settings.read_text()) == (TAGS, TABLE)


def test_the_codes_on_the_seats_stay_good(kept: Kept, tmp_path: Path) -> None:
    codes = Phones(phones_of(kept.log)).rights.codes
    kept.file = kept.backup(tmp_path / "coded.zip")
    kept.lose_everything()
    kept.restore()
    assert Phones(phones_of(kept.log)).rights.codes == codes


def test_a_backup_can_be_made_while_people_play(kept: Kept, tmp_path: Path) -> None:
    log = Log(kept.log, writes=True)
    log.append(1, [(Pressed(3, 3.0, 1), "")])
    file = kept.backup(tmp_path / "playing.zip")
    log.append(1, [(Pressed(4, 4.0, 1), "")])
    log.close()
    with zipfile.ZipFile(file) as packed:
        packed.extract("log.sqlite", tmp_path)
    assert kept.events(tmp_path / "log.sqlite") == 3


def test_what_is_there_is_kept_when_a_backup_is_restored(kept: Kept) -> None:
    kept.play(3)
    kept.tags.write_text("# mine\n")
    before = kept.everything()
    kept.restore()
    (old,) = kept.folder.glob("before-restore-*")
    assert {path.name: path.read_bytes() for path in old.iterdir()} == before
    assert (kept.events(), kept.events(old / "log.sqlite")) == (2, 3)


def test_a_second_restore_within_a_second_keeps_what_was_there_as_well(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a power cut in the midst of the first, on a machine that starts quickly."""
    moments = (datetime(2026, 1, 31, 22, 0, 0, one) for one in (1, 2))
    monkeypatch.setattr("companion.cli.restore.datetime", SimpleNamespace(now=moments.__next__))
    kept.restore()
    kept.restore()
    assert len(list(kept.folder.glob("before-restore-*"))) == 2


def test_what_a_killed_companion_left_in_the_write_ahead_log_is_kept_too(kept: Kept) -> None:
    writer = (
        "import os, sys; from pathlib import Path\n"
        "from companion.events import Pressed; from companion.storage.log import Log\n"
        "log = Log(Path(sys.argv[1]), writes=True); log.append(1, [(Pressed(3, 3.0, 1), '')]); os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", writer, kept.log], check=False).returncode == 9
    assert (kept.folder / "log.sqlite-wal").stat().st_size > 0
    kept.restore()
    (old,) = kept.folder.glob("before-restore-*")
    assert (kept.events(), kept.events(old / "log.sqlite")) == (2, 3)


@pytest.mark.parametrize("name", ["log.sqlite", "other.sqlite"])
def test_nothing_is_restored_under_a_running_table_whichever_log_it_has_now(kept: Kept, name: str) -> None:
    kept.settings.write_text(TABLE.replace("log.sqlite", name))
    log = Log(kept.folder / name, writes=True)
    before = kept.everything()
    with pytest.raises(LogFault, match="another companion already uses"):
        kept.restore()
    log.close()
    assert kept.everything().keys() - before.keys() <= {f"{name}-wal", f"{name}-shm"}
    assert not list(kept.folder.glob("before-restore-*"))


def test_a_backup_never_takes_the_place_of_a_file(kept: Kept) -> None:
    before = kept.file.read_bytes()
    with pytest.raises(NotNow, match="exists already: choose another name"):
        kept.backup(kept.file)
    assert kept.file.read_bytes() == before


def test_in_a_folder_a_backup_is_named_by_the_date(kept: Kept, tmp_path: Path) -> None:
    made = kept.backup(tmp_path)
    assert made.parent == tmp_path
    assert made.name.startswith("table-20")


def test_a_table_that_has_not_been_played_at_is_backed_up_too(tmp_path: Path) -> None:
    settings = tmp_path / "table.toml"
    settings.write_text(TABLE)
    file = write_backup(load(settings), settings, tmp_path / "backup.zip")
    with zipfile.ZipFile(file) as packed:
        assert set(packed.namelist()) == {"table.toml", "manifest.json"}


# Damaged and wrong files: one sentence, and nothing is changed

Files = dict[str, bytes]


def flipped(whole: bytes) -> bytes:
    middle = len(whole) // 2
    return whole[:middle] + bytes([whole[middle] ^ 0x10]) + whole[middle + 1 :]


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda whole: whole[:-100],
    "a flipped bit": flipped,
    "scribbled into what is packed first": lambda whole: whole[:60] + b"\xff" * 30 + whole[90:],
    "prose": lambda _: b"Dear diary",
    "empty": lambda _: b"",
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_backup_changes_nothing(kept: Kept, damage: Callable[[bytes], bytes]) -> None:
    kept.file.write_bytes(damage(kept.file.read_bytes()))
    before = kept.everything()
    with pytest.raises(WrongInput, match=r"is damaged, or not a backup: .*Nothing was changed"):
        kept.restore()
    assert kept.everything() == before


def packed(name: str, content: str | bytes) -> Callable[[Files], None]:
    """Put a file into a backup as if it had been there when it was made."""
    inside = content if isinstance(content, bytes) else content.encode()

    def change(files: Files) -> None:
        files[name] = inside
        manifest = json.loads(files["manifest.json"])
        manifest["files"][name] = {"size": len(inside), "sha256": hashlib.sha256(inside).hexdigest()}
        files["manifest.json"] = json.dumps(manifest).encode()

    return change


def edited(name: str, old: bytes, new: bytes) -> Callable[[Files], None]:
    """Change a file in a backup, but not what its manifest says of it."""
    return lambda files: files.update({name: files[name].replace(old, new)})


def torn_log(files: Files) -> None:
    whole = files["log.sqlite"]
    packed("log.sqlite", whole[:4096] + b"\x5a" * 400 + whole[4496:])(files)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda files: files.pop("manifest.json"), "manifest.json"),
        (lambda files: files.pop("log.sqlite"), "log.sqlite"),
        (edited("manifest.json", b'"companion"', b'"\xff"'), "is damaged, or not a backup"),
        (edited("manifest.json", b'"backup": 1', b'"backup": 2'), "made by a newer companion"),
        (edited("tags.toml", b"04A1", b"04A2"), "tags.toml is not what it was"),
        (packed("../escaped", b"out"), "which is not a table"),
        (packed("table.toml", TABLE.replace("log.sqlite", "../escaped")), "its log at .*outside of its own folder"),
        (packed("table.toml", TABLE.replace("tags.toml", "/escaped.toml")), "its tags at /escaped.toml, outside of"),
        (packed("table.toml", TABLE.replace("virtual", "crystal-ball")), "unknown driver 'crystal-ball'"),
        (packed("tags.toml", '[stop-it]\nred-99 = "04A1"\n'), "red-99"),
        (packed("log.sqlite", "Dear diary, this is no database. " * 300), "The file is no log"),
        (packed("log.sqlite.phones", b""), "which is not a table"),
        (packed("phones.json", b"{}"), "is damaged"),
        (lambda files: files.update({"manifest.json": b" " * 1_000_001}), "manifest.json takes 1.0 MB, and should"),
        (packed("table.toml", TABLE + "#" * 1_000_000), "table.toml takes 1.0 MB, and should"),
        (torn_log, "damaged|malformed"),
    ],
)
def test_a_backup_with_something_else_in_it_changes_nothing(
    kept: Kept, change: Callable[[Files], object], why: str
) -> None:
    kept.repack(change)
    before = kept.everything()
    with pytest.raises(WrongInput, match=why):
        kept.restore()
    assert kept.everything() == before
    assert not (kept.folder.parent / "escaped").exists()


def altered_log(files: Files) -> None:
    """Somebody who knows SQLite has taken the second press for another's."""
    with tempfile.NamedTemporaryFile() as inside:
        Path(inside.name).write_bytes(files["log.sqlite"])
        with closing(sqlite3.connect(inside.name)) as db:
            db.execute("DROP TRIGGER event_stays")
            db.execute("UPDATE event SET body = replace(body, '\"seat\":1', '\"seat\":2') WHERE seq = 2")
            db.commit()
        packed("log.sqlite", Path(inside.name).read_bytes())(files)


def test_a_log_that_was_altered_is_told_and_not_brought_back(kept: Kept) -> None:
    kept.repack(altered_log)
    before = kept.everything()
    with pytest.raises(WrongInput, match=r"match 1 in log\.sqlite is damaged, event 2: .*--anyway\. Nothing"):
        kept.restore()
    assert kept.everything() == before


def test_anyway_brings_back_a_log_that_was_altered(kept: Kept) -> None:
    kept.repack(altered_log)
    kept.lose_everything()
    assert companion("restore", kept.settings, kept.file).exit_code == 2
    assert companion("restore", "--anyway", kept.settings, kept.file).exit_code == 0
    assert [f"match 1 in {kept.log} is damaged, event 2" in lost for lost in unread(kept.log)] == [True]


def test_a_backup_of_a_log_that_was_altered_says_so(kept: Kept, tmp_path: Path) -> None:
    kept.repack(altered_log)
    list(put_back(kept.settings, kept.file, anyway=True))
    done = companion("backup", kept.settings, tmp_path / "new.zip")
    assert (done.exit_code, "would want `--anyway` for it: match 1" in done.stderr) == (1, True)
    assert (tmp_path / "new.zip").exists()


def test_a_simulated_match_is_played_on_after_a_restore(kept: Kept, tmp_path: Path) -> None:
    kept.lose_everything()
    kept.settings.write_text(TABLE)
    with living(kept.folder, simulated=True) as live:
        simulation = Simulation(live)
        simulation.begin("go", (Player(1, "Ana"), Player(2, "Bo")), {2: "easy"})
        before, kept.file = simulation.sights, kept.backup(tmp_path / "simulated.zip")
        simulation.begin("go", (Player(1, "Ana"), Player(2, "Bo")), {})
    kept.restore()
    with living(kept.folder, simulated=True) as live:
        simulation = Simulation(live)
        simulation.resume()
        assert (simulation.sights, simulation.bots) == (before, {2: "easy"})


def test_what_lay_where_at_the_old_log_is_kept_with_it_and_goes(kept: Kept) -> None:
    world = world_of(kept.log)
    world.write_text("of another match")
    kept.restore()
    (old,) = kept.folder.glob("before-restore-*")
    assert (world.exists(), (old / world.name).read_text()) == (False, "of another match")


def test_what_is_packed_more_tightly_than_we_do_is_not_unpacked(kept: Kept) -> None:
    """Of 4 kB of it come many megabytes at once."""
    kept.repack(lambda files: files, zipfile.ZIP_BZIP2)
    with pytest.raises(WrongInput, match=r"manifest\.json is packed as we never do"):
        kept.restore()


def test_a_size_that_is_understated_bounds_what_is_unpacked(kept: Kept) -> None:
    kept.repack(lambda files: files.update({"manifest.json": b" " * 50_000_000}), zipfile.ZIP_DEFLATED)
    raw = kept.file.read_bytes()
    kept.file.write_bytes(raw.replace((50_000_000).to_bytes(4, "little"), (900_000).to_bytes(4, "little")))
    tracemalloc.start()
    with pytest.raises(WrongInput, match="is damaged, or not a backup"):
        kept.restore()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 10_000_000


def test_where_the_disk_has_no_room_for_it_nothing_is_unpacked(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    before = kept.everything()
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=5_000))
    with pytest.raises(NotNow, match=r"no room to restore .* and 0\.0 MB are free\. Make room\. Nothing was changed"):
        kept.restore()
    assert kept.everything() == before


def test_a_link_in_the_folder_leads_no_file_out_of_it(kept: Kept, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (kept.folder / "sub").symlink_to(outside)
    kept.repack(packed("table.toml", TABLE.replace("log.sqlite", "sub/log.sqlite")))
    with pytest.raises(WrongInput, match="outside of its own folder"):
        kept.restore()
    assert list(outside.iterdir()) == []


def test_a_backup_that_is_not_there_is_told(kept: Kept) -> None:
    kept.file.unlink()
    with pytest.raises(WrongInput, match="there is no"):
        kept.restore()


def test_where_nothing_may_be_written_nothing_is_changed(kept: Kept) -> None:
    before = kept.everything()
    kept.folder.chmod(0o500)
    done = refusable("restore", kept.settings, kept.file)
    kept.folder.chmod(0o700)
    assert done.exit_code == 1
    assert "Permission denied" in done.stderr
    assert kept.everything() == before


# As people type it


def test_the_commands_say_what_they_did(kept: Kept, tmp_path: Path) -> None:
    done = companion("backup", kept.settings, tmp_path / "new.zip")
    assert (done.exit_code, done.stdout) == (0, f"written {tmp_path / 'new.zip'}\n")
    done = companion("restore", kept.settings, tmp_path / "new.zip")
    assert done.exit_code == 0
    assert f"kept what was there in {kept.folder}/before-restore-" in done.stdout
    assert f"restored {kept.log}" in done.stdout


@pytest.mark.parametrize("damaged", ["tags.toml", "log.sqlite.phones"])
def test_a_backup_that_could_not_be_restored_says_so_when_it_is_made(kept: Kept, tmp_path: Path, damaged: str) -> None:
    (kept.folder / damaged).write_text("damaged")
    done = companion("backup", kept.settings, tmp_path / "new.zip")
    assert (done.exit_code, done.stdout) == (1, f"written {tmp_path / 'new.zip'}\n")
    assert str(kept.folder / damaged) in done.stderr
    assert companion("restore", kept.settings, tmp_path / "new.zip").exit_code == 2


def test_a_damaged_backup_is_wrong_input_and_an_occupied_name_is_not(kept: Kept) -> None:
    assert companion("backup", kept.settings, kept.file).exit_code == 1
    kept.file.write_bytes(b"")
    assert companion("restore", kept.settings, kept.file).exit_code == 2


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk with room for next to nothing."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount one")
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8k", "full", disk], check=False).returncode:
        pytest.skip("this machine lets nothing be mounted")
    yield disk
    subprocess.run(["umount", disk], check=True)


def test_a_disk_without_room_is_told_and_no_half_backup_stays(kept: Kept, full_disk: Path) -> None:
    with pytest.raises((NotNow, LogFault), match=r"room|full"):
        kept.backup(full_disk / "backup.zip")
    assert list(full_disk.iterdir()) == []
