"""`companion backup` and `companion restore`: nothing that was recorded is lost."""

import os
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import pytest

from companion.access.rights_file import Phones
from companion.backups.writing import write_backup
from companion.config import load
from companion.errors import NotNow
from companion.events import Player, Pressed
from companion.live.simulation import Simulation
from companion.measuring.figures_file import Figure, FiguresFile, figures_of
from companion.storage import opening
from companion.storage.files import phones_of, world_of
from companion.storage.log import Log
from companion.storage.opening import LogFault, connected
from tests.cli.kept import TABLE, TAGS, Kept
from tests.cli.program import companion, refused
from tests.web.table import living


def test_a_backup_brings_back_log_tags_and_settings(backed_up: Kept) -> None:
    backed_up.lose_everything()
    backed_up.restore()
    assert backed_up.events() == 2
    assert (backed_up.tags.read_text(), backed_up.settings.read_text()) == (TAGS, TABLE)


def test_the_codes_on_the_seats_stay_good(backed_up: Kept, tmp_path: Path) -> None:
    codes = Phones(phones_of(backed_up.log)).rights.codes
    backed_up.file = backed_up.backup(tmp_path / "coded.zip")
    backed_up.lose_everything()
    backed_up.restore()
    assert Phones(phones_of(backed_up.log)).rights.codes == codes


def test_what_was_measured_at_the_table_comes_back(backed_up: Kept, tmp_path: Path) -> None:
    FiguresFile(figures_of(backed_up.log)).tell(Figure("reach", 12, "board 3"))
    backed_up.file = backed_up.backup(tmp_path / "measured.zip")
    backed_up.lose_everything()
    backed_up.restore()
    assert FiguresFile(figures_of(backed_up.log)).figures == (Figure("reach", 12, "board 3"),)


def test_a_backup_can_be_made_while_people_play(backed_up: Kept, tmp_path: Path) -> None:
    log = Log(backed_up.log, writes=True)
    log.append(1, [(Pressed(3, 3.0, 1), "")])
    file = backed_up.backup(tmp_path / "playing.zip")
    log.append(1, [(Pressed(4, 4.0, 1), "")])
    log.close()
    with zipfile.ZipFile(file) as packed:
        packed.extract("log.sqlite", tmp_path)
    assert backed_up.events(tmp_path / "log.sqlite") == 3


def test_what_is_there_is_kept_when_a_backup_is_restored(backed_up: Kept) -> None:
    backed_up.play(3)
    backed_up.tags.write_text("# mine\n")
    files_before = backed_up.everything()
    backed_up.restore()
    (old,) = backed_up.folder.glob("before-restore-*")
    assert {path.name: path.read_bytes() for path in old.iterdir()} == files_before
    assert (backed_up.events(), backed_up.events(old / "log.sqlite")) == (2, 3)


def test_a_second_restore_within_a_second_keeps_what_was_there_as_well(
    backed_up: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a power cut in the midst of the first, on a machine that starts quickly."""
    moments = (datetime(2026, 1, 31, 22, 0, 0, microsecond) for microsecond in (1, 2))
    monkeypatch.setattr("companion.backups.restoring.datetime", SimpleNamespace(now=moments.__next__))
    backed_up.restore()
    backed_up.restore()
    assert len(list(backed_up.folder.glob("before-restore-*"))) == 2


def test_what_a_killed_companion_left_in_the_write_ahead_log_is_kept_too(backed_up: Kept) -> None:
    writer = (
        "import os, sys; from pathlib import Path\n"
        "from companion.events import Pressed; from companion.storage.log import Log\n"
        "log = Log(Path(sys.argv[1]), writes=True); log.append(1, [(Pressed(3, 3.0, 1), '')]); os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", writer, backed_up.log], check=False).returncode == 9
    assert (backed_up.folder / "log.sqlite-wal").stat().st_size > 0
    backed_up.restore()
    (old,) = backed_up.folder.glob("before-restore-*")
    assert (backed_up.events(), backed_up.events(old / "log.sqlite")) == (2, 3)


@pytest.mark.parametrize("name", ["log.sqlite", "other.sqlite"])
def test_nothing_is_restored_under_a_running_table_whichever_log_it_has_now(backed_up: Kept, name: str) -> None:
    backed_up.settings.write_text(TABLE.replace("log.sqlite", name))
    log = Log(backed_up.folder / name, writes=True)
    files_before = backed_up.everything()
    with pytest.raises(LogFault, match="another companion already uses"):
        backed_up.restore()
    log.close()
    assert backed_up.everything().keys() - files_before.keys() <= {f"{name}-wal", f"{name}-shm"}
    assert not list(backed_up.folder.glob("before-restore-*"))


def test_a_backup_never_takes_the_place_of_a_file(backed_up: Kept) -> None:
    backup_before = backed_up.file.read_bytes()
    with pytest.raises(NotNow, match="exists already: choose another name"):
        backed_up.backup(backed_up.file)
    assert backed_up.file.read_bytes() == backup_before


def test_in_a_folder_a_backup_is_named_by_the_date(backed_up: Kept, tmp_path: Path) -> None:
    backup = backed_up.backup(tmp_path)
    assert backup.parent == tmp_path
    assert backup.name.startswith("table-20")


def test_two_backups_of_one_second_have_names_of_their_own(backed_up: Kept, tmp_path: Path) -> None:
    backups = [backed_up.backup(tmp_path) for _ in range(5)]  # the clock tells seconds: some fall into the same
    assert sorted(tmp_path.glob("table-*.zip")) == sorted(backups)


def test_a_table_that_has_not_been_played_at_is_backed_up_too(tmp_path: Path) -> None:
    settings = tmp_path / "table.toml"
    settings.write_text(TABLE)
    file = write_backup(load(settings), settings, tmp_path / "backup.zip")
    with zipfile.ZipFile(file) as packed:
        assert set(packed.namelist()) == {"table.toml", "manifest.json"}


def test_a_simulated_match_is_played_on_after_a_restore(backed_up: Kept, tmp_path: Path) -> None:
    backed_up.lose_everything()
    backed_up.settings.write_text(TABLE)
    with living(backed_up.folder, simulated=True) as live:
        simulation = Simulation(live)
        simulation.begin("go", (Player(1, "Ana"), Player(2, "Bo")), {2: "easy"})
        sights_before = simulation.sights
        backed_up.file = backed_up.backup(tmp_path / "simulated.zip")
        simulation.begin("go", (Player(1, "Ana"), Player(2, "Bo")), {})
    backed_up.restore()
    with living(backed_up.folder, simulated=True) as live:
        simulation = Simulation(live)
        simulation.resume()
        assert (simulation.sights, simulation.bots) == (sights_before, {2: "easy"})


def test_what_lay_where_at_the_old_log_is_kept_with_it_and_goes(backed_up: Kept) -> None:
    world = world_of(backed_up.log)
    world.write_text("of another match")
    backed_up.restore()
    (old,) = backed_up.folder.glob("before-restore-*")
    assert (world.exists(), (old / world.name).read_text()) == (False, "of another match")


def test_the_commands_say_what_they_did(backed_up: Kept, tmp_path: Path) -> None:
    done = companion("backup", backed_up.settings, tmp_path / "new.zip")
    assert (done.exit_code, done.stdout) == (0, f"wrote {tmp_path / 'new.zip'}\n")
    done = companion("restore", backed_up.settings, tmp_path / "new.zip")
    assert done.exit_code == 0
    assert f"kept what was there in {backed_up.folder}/before-restore-" in done.stdout
    assert f"restored {backed_up.log}" in done.stdout


@pytest.mark.parametrize("damaged", ["tags.toml", "log.sqlite.phones"])
def test_a_backup_that_could_not_be_restored_says_so_when_it_is_made(
    backed_up: Kept, tmp_path: Path, damaged: str
) -> None:
    (backed_up.folder / damaged).write_text("damaged")
    done = companion("backup", backed_up.settings, tmp_path / "new.zip")
    assert (done.exit_code, done.stdout) == (1, f"wrote {tmp_path / 'new.zip'}\n")
    assert str(backed_up.folder / damaged) in done.stderr
    assert companion("restore", backed_up.settings, tmp_path / "new.zip").exit_code == 2


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


def test_a_disk_without_room_is_told_and_no_half_backup_stays(backed_up: Kept, full_disk: Path) -> None:
    with pytest.raises((NotNow, LogFault), match=r"room|full"):
        backed_up.backup(full_disk / "backup.zip")
    assert list(full_disk.iterdir()) == []


def test_a_backup_is_made_by_a_clock_that_nobody_has_set(backed_up: Kept, tmp_path: Path) -> None:
    with patch("time.time", lambda: 0.0):
        backed_up.file = write_backup(load(backed_up.settings), backed_up.settings, tmp_path / "b.zip")
    backed_up.lose_everything()
    companion("restore", backed_up.settings, backed_up.file)
    assert backed_up.events() == 2


def test_where_there_is_no_room_for_the_copy_that_place_is_named_and_not_the_log(
    backed_up: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def small(path: Path, *how: str) -> sqlite3.Connection:
        connection = connected(path, *how)
        connection.execute("PRAGMA max_page_count = 1" if tmp_path / "stick" in path.parents else "SELECT 1")
        return connection

    (tmp_path / "stick").mkdir()
    monkeypatch.setattr(opening, "connected", small)
    with pytest.raises(NotNow, match=r"can't write .*stick.*: No space left on device"):
        backed_up.backup(tmp_path / "stick")
    assert [*(tmp_path / "stick").iterdir()] == []


def test_what_a_pulled_stick_kept_of_an_unfinished_backup_goes_with_the_next_one(
    backed_up: Kept, tmp_path: Path
) -> None:
    stick = tmp_path / "stick"
    (stick / ".backup-abc").mkdir(parents=True)
    (stick / ".backup-abc/log.sqlite").write_bytes(b"half")
    (stick / "table-2026-11-28-120000.zip").touch()
    (stick / "table-of-mine.zip").write_bytes(b"mine")
    (stick / ".backup-now").mkdir()
    for leftover in (stick / ".backup-abc", stick / "table-2026-11-28-120000.zip", stick / "table-of-mine.zip"):
        os.utime(leftover, (0, 0))
    written = backed_up.backup(stick)
    assert {path.name for path in stick.iterdir()} == {written.name, "table-of-mine.zip", ".backup-now"}


def test_a_stick_that_is_not_there_does_not_become_a_file_of_its_name(backed_up: Kept, tmp_path: Path) -> None:
    stick = tmp_path / "usb"
    message = refused(1, "backup", backed_up.settings, stick)
    assert f"there is no folder {stick}" in message
    assert not stick.exists()
