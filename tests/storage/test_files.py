"""Files that hold codes or sealed cards are for their owner alone."""

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.access.rights_file import Phones
from companion.backups.restoring import put_back
from companion.backups.writing import write_backup
from companion.cli.export import save
from companion.config import load
from companion.events import Player, Pressed, Started
from companion.judge.game_code_fault import Fault
from companion.live.game_code_faults import GameFaults
from companion.storage.files import phones_of, unused
from companion.storage.log import Log
from companion.storage.opening import InUse, LogFault, lock
from tests.owned import NOBODY, owned_folder, reachable_folder
from tests.refusals import refusable

FIRST = Started(1, 0.0, "stop-it", (Player(1, "Ana"), Player(2, "Bo")), {})
FAULT = Fault("stop-it", "judge", "judge: KeyError at rules.py:7", "Traceback")


def keep_a_table(folder: Path) -> Log:
    """Make all that a table keeps while it plays."""
    (folder / "table.toml").write_text('[[buzzers]]\ndriver = "virtual"\nseats = [1, 2]\n')
    path = folder / "log.sqlite"
    log = Log(path, writes=True)
    log.append(log.open_match("now", False, FIRST), [(Pressed(2, 1.0, 1), "")])
    Phones(phones_of(path))
    GameFaults(path).note([FAULT])
    return log


def backed_up(folder: Path) -> Path:
    return write_backup(load(folder / "table.toml"), folder / "table.toml", folder / "backup.zip")


def modes(folder: Path) -> dict[str, str]:
    return {path.name: oct(stat.S_IMODE(path.stat().st_mode)) for path in folder.glob("log.sqlite*")}


@pytest.fixture(autouse=True)
def as_a_machine_comes() -> Iterator[None]:
    mask_before = os.umask(0o022)
    yield
    os.umask(mask_before)


def test_all_that_a_table_keeps_is_for_its_owner_alone(tmp_path: Path) -> None:
    log = keep_a_table(tmp_path)
    kinds = ("", "-wal", "-shm", ".lock", ".phones", ".faults")
    assert modes(tmp_path) == {f"log.sqlite{kind}": "0o600" for kind in kinds}
    log.close()


def test_what_an_older_version_left_open_to_all_is_closed_at_the_next_start(tmp_path: Path) -> None:
    log = keep_a_table(tmp_path)
    left = {path: path.read_bytes() for path in tmp_path.glob("log.sqlite*")}
    log.close()
    for path, content in left.items():  # as a killed one leaves them
        path.write_bytes(content)
        path.chmod(0o644)
    Log(tmp_path / "log.sqlite", writes=True).close()
    assert set(modes(tmp_path).values()) == {"0o600"}


def test_a_link_beside_the_log_leads_to_nothing_that_is_changed(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.touch(0o644)
    (tmp_path / "log.sqlite.link").symlink_to(other)
    keep_a_table(tmp_path).close()
    assert stat.S_IMODE(other.stat().st_mode) == 0o644


@pytest.mark.parametrize("written", [backed_up, lambda folder: save_a_record(folder)], ids=["backup", "record"])
def test_what_leaves_the_table_is_for_its_owner_alone(tmp_path: Path, written: Callable[[Path], Path]) -> None:
    keep_a_table(tmp_path).close()
    assert stat.S_IMODE(written(tmp_path).stat().st_mode) == 0o600


def save_a_record(folder: Path) -> Path:
    to = folder / "record.jsonl"
    to.touch(0o644)  # of an older version
    save(b"{}\n", to, ())
    return to


def test_what_is_restored_is_for_its_owner_alone(tmp_path: Path) -> None:
    keep_a_table(tmp_path).close()
    backup = backed_up(tmp_path)
    home = tmp_path / "home"
    home.mkdir()
    list(put_back(home / "table.toml", backup))
    assert modes(home) == {f"log.sqlite{kind}": "0o600" for kind in ("", ".lock", ".phones", ".phones.last")}


@pytest.fixture
def reachable() -> Iterator[Path]:
    with reachable_folder() as folder:
        yield folder


def test_what_root_makes_belongs_to_the_folders_owner(reachable: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root hands files over")
    source = owned_folder(reachable / "source")
    home = owned_folder(reachable / "home")
    log = keep_a_table(source)
    owners = {path.name: path.stat().st_uid for path in source.glob("log.sqlite*")}
    assert owners == dict.fromkeys(owners, NOBODY)
    log.close()
    backup = backed_up(source)
    list(put_back(home / "table.toml", backup))
    restored = [home / name for name in ("table.toml", "log.sqlite", "log.sqlite.lock", "log.sqlite.phones")]
    assert [path.stat().st_uid for path in (backup, *restored)] == [NOBODY] * 5


@pytest.mark.parametrize("closed", ["log.sqlite", "."], ids=["the log", "the folder"])
@pytest.mark.parametrize("command", ["standings", "export", "codes"])
def test_whoever_may_not_read_is_told_who_may(tmp_path: Path, command: str, closed: str) -> None:
    home = tmp_path / "home"
    home.mkdir()
    keep_a_table(home).close()
    for path in (phones_of(home / "log.sqlite"), home / closed):
        path.chmod(0)
    done = refusable(command, "--log", home / "log.sqlite")
    home.chmod(0o700)
    assert done.exit_code == 1
    assert "only the user who keeps the table may" in done.stderr
    assert "sudo -u" in done.stderr


def test_a_table_can_be_held_by_its_owner_alone(tmp_path: Path) -> None:
    (tmp_path / "log.sqlite.lock").touch(0o644)
    lock(tmp_path / "log.sqlite").close()
    assert modes(tmp_path) == {"log.sqlite.lock": "0o600"}


def test_a_log_under_two_names_is_one_log(tmp_path: Path) -> None:
    log = tmp_path / "log.sqlite"
    log.touch()
    (tmp_path / "other").symlink_to(log)
    with lock(log), pytest.raises(InUse):
        lock(tmp_path / "other")
    (tmp_path / "twin").hardlink_to(log)
    with pytest.raises(LogFault, match="hard link"):
        lock(log)


def test_a_name_that_is_taken_is_numbered(tmp_path: Path) -> None:
    names = []
    for _ in range(3):
        path = unused(tmp_path / "table-12:00", ".zip")
        path.touch()
        names.append(path.name)
    assert names == ["table-12:00.zip", "table-12:00-2.zip", "table-12:00-3.zip"]
