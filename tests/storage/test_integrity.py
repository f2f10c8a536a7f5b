"""A log is looked through before anything is added to it."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from companion.cli.backup import write_backup
from companion.cli.restore import put_back
from companion.config import load
from companion.events import Player, Pressed, Started
from companion.storage.integrity import see_that_it_is_whole, unread
from companion.storage.log import Log, LogFault

FIRST = Started(1, 0.0, "stop-it", (Player(1, "Ana"), Player(2, "Bo")), {})
PAGE = 4096
SETTINGS = 'log = "log.sqlite"\n[[buzzers]]\ndriver = "virtual"\nseats = [1, 2]\n'


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """A log as a kill leaves it: the first match in the log itself, the second in its write-ahead log alone."""
    there, killed = tmp_path / "played", tmp_path / "killed"
    there.mkdir()
    with closing(Log(there / "log.sqlite", writes=True)) as log:
        _play(log)
    with closing(Log(there / "log.sqlite", writes=True)) as log:
        _play(log)
        shutil.copytree(there, killed)
    return killed / "log.sqlite"


def _play(log: Log) -> None:
    match = log.open_match("now", False, FIRST)
    for seq in range(2, 102):
        log.append(match, [(Pressed(seq, float(seq), 1), "")])


def _garble(path: Path, at: int) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:at] + b"\x5a" * 300 + whole[at + 300 :])


def test_what_a_kill_leaves_is_whole(killed: Path) -> None:
    see_that_it_is_whole(killed)
    assert list(unread(killed)) == []


def test_no_log_and_a_new_empty_file_are_whole(tmp_path: Path) -> None:
    see_that_it_is_whole(tmp_path / "log.sqlite")
    (tmp_path / "log.sqlite").touch()
    see_that_it_is_whole(tmp_path / "log.sqlite")


def test_a_damaged_log_is_told_with_what_can_still_be_read_and_left_as_it_is(killed: Path) -> None:
    Log(killed, writes=True).close()
    pages = killed.stat().st_size // PAGE
    _garble(killed, (pages - 1) * PAGE)
    before = killed.read_bytes()
    with pytest.raises(LogFault, match=r"damaged.*whole \(companion export\): match 1; can't: match 2.*restore"):
        see_that_it_is_whole(killed)
    assert killed.read_bytes() == before


def test_a_row_for_which_sqlite_says_that_no_memory_suffices_is_damage(killed: Path) -> None:
    killed.with_name("log.sqlite-wal").unlink()
    whole = killed.read_bytes()
    head = bytes((5, 9, 1, 13))  # of a row: the head's length, match 1, a seq of one byte, no origin
    at = whole.index(head) + 7  # from its body over the lengths of the next row
    killed.write_bytes(whole[:at] + b"\xff" * 64 + whole[at + 64 :])
    with pytest.raises(LogFault, match=r"damaged.*can't: match 1"):
        see_that_it_is_whole(killed)
    assert list(unread(killed))


@pytest.mark.parametrize("deleted", [True, False])
def test_a_write_ahead_log_without_its_log_is_told_and_kept(killed: Path, deleted: bool) -> None:
    killed.unlink()
    if not deleted:
        killed.touch()
    beside = killed.with_name("log.sqlite-wal")
    before = beside.read_bytes()
    with pytest.raises(LogFault, match="still holds something"):
        see_that_it_is_whole(killed)
    assert beside.read_bytes() == before


def test_a_log_that_was_emptied_is_not_taken_for_a_new_one(killed: Path) -> None:
    killed.with_name("log.sqlite-wal").unlink()
    killed.write_bytes(b"")
    killed.with_name("log.sqlite.phones").write_text("{}")
    with pytest.raises(LogFault, match="is empty, and was not"):
        see_that_it_is_whole(killed)


@pytest.mark.parametrize("at", [0, 40_000])
def test_events_that_a_damaged_write_ahead_log_hides_are_told(killed: Path, at: int) -> None:
    _garble(killed.with_name("log.sqlite-wal"), at)
    with pytest.raises(LogFault, match="newest events"):
        see_that_it_is_whole(killed)


def test_the_cure_for_a_damaged_write_ahead_log_goes_on_with_all_that_can_be_read(killed: Path) -> None:
    beside = killed.with_name("log.sqlite-wal")
    _garble(beside, 400_000)
    damaged = beside.read_bytes()
    settings = killed.with_name("table.toml")
    settings.write_text(SETTINGS)
    backup = write_backup(load(settings), settings, killed.with_name("backup.zip"))
    list(put_back(settings, backup))
    see_that_it_is_whole(killed)
    assert list(unread(killed)) == []
    with closing(Log(killed, writes=False)) as log:
        assert (len(log.events(1)), len(log.events(2)) > 1) == (101, True)
    (old,) = killed.parent.glob("before-restore-*")
    assert (old / beside.name).read_bytes() == damaged
