"""The log: what it has stored stays, whatever happens to the process."""

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from companion.events import Event, Player, Pressed, Started
from companion.storage.log import PATIENCE, Log
from companion.storage.opening import LogFault
from tests.refusals import refusable

BEGAN = "2026-11-20T20:00:00+01:00"
FIRST = Started(1, 0.0, "stop-it", (Player(1, "Ana"), Player(2, "Bo")), {})


def press(seq: int, origin: str = "") -> tuple[Event, str]:
    return Pressed(seq, float(seq), 1), origin


@pytest.fixture
def log(tmp_path: Path):  # type: ignore[no-untyped-def]
    log = Log(tmp_path / "log.sqlite", writes=True)
    yield log
    log.close()


def test_what_was_stored_is_there_after_opening_again(log: Log) -> None:
    match = log.open_match(BEGAN, False, FIRST)
    log.append(match, [press(2), press(3)])
    reader = Log(log.path, writes=False)
    assert [event.seq for event in reader.events(match)] == [1, 2, 3]
    reader.close()


def test_many_matches_lie_in_one_log(log: Log) -> None:
    for simulated in (False, True):
        log.append(log.open_match(BEGAN, simulated, FIRST), [press(2)])
    assert [(entry.id, entry.simulated, entry.events) for entry in log.matches()] == [(1, False, 2), (2, True, 2)]
    assert log.latest() == 2


@pytest.mark.parametrize("sql", ["UPDATE event SET seq = 9", "DELETE FROM event", "DELETE FROM match"])
def test_nothing_is_changed_or_deleted(log: Log, sql: str) -> None:
    log.open_match(BEGAN, False, FIRST)
    other = sqlite3.connect(log.path)
    with pytest.raises(sqlite3.IntegrityError, match="never"):
        other.execute(sql)
    other.close()


def test_an_event_is_synchronised_before_append_returns(log: Log) -> None:
    assert log._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert log._db.execute("PRAGMA synchronous").fetchone() == (2,), "FULL"


def test_events_are_stored_all_or_none(log: Log) -> None:
    match = log.open_match(BEGAN, False, FIRST)
    with pytest.raises(LogFault):
        log.append(match, [press(2), press(2)])
    assert [event.seq for event in log.events(match)] == [1]


def test_a_press_told_again_is_known_by_its_origin(log: Log) -> None:
    match = log.open_match(BEGAN, False, FIRST)
    log.append(match, [press(2, "box-1")])
    assert log.holds("box-1")
    assert not log.holds("box-2")
    assert not log.holds("")


def test_one_companion_writes_a_log(log: Log) -> None:
    with pytest.raises(LogFault, match="another companion already uses"):
        Log(log.path, writes=True)


def test_another_program_that_writes_holds_up_one_event_for_a_moment_and_the_next_ones_not_at_all(log: Log) -> None:
    def waits_at_most() -> float:
        return float(log._db.execute("PRAGMA busy_timeout").fetchone()[0]) / 1000

    match = log.open_match(BEGAN, False, FIRST)
    with contextlib.closing(sqlite3.connect(log.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert waits_at_most() == PATIENCE
        with pytest.raises(LogFault, match="Another program holds it"):
            log.append(match, [press(2)])
        assert waits_at_most() == 0
    log.append(match, [press(2)])
    assert waits_at_most() == PATIENCE
    assert [event.seq for event in log.events(match)] == [1, 2]


def test_a_log_of_a_newer_companion_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(LogFault, match="newer companion"):
        Log(path, writes=True)


def test_a_file_that_is_no_log_is_told(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    path.write_text("Dear diary, this is no database at all, but rather more than a hundred bytes of prose." * 3)
    with pytest.raises(LogFault, match="is not a log"):
        Log(path, writes=True)


def test_a_log_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(LogFault, match="nothing has been played"):
        Log(tmp_path / "none.sqlite", writes=False)


def test_a_log_that_the_disk_does_not_return_is_not_told_as_one_that_nobody_has_begun(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    path.symlink_to(path)
    with pytest.raises(LogFault, match=r"can't read .*: Too many levels of symbolic links"):
        Log(path, writes=False)


@pytest.mark.parametrize("number", [7, -1, 10**30])
def test_a_match_that_is_not_there_is_told(log: Log, number: int) -> None:
    with pytest.raises(LogFault, match=f"no match {number}"):
        log.lines(number)


WRITER = """
import sys
from functools import partial
from pathlib import Path
from companion.events import Player, Pressed, Started
from companion.storage.log import Log
log = Log(Path(sys.argv[1]), writes=True)
match = log.latest() or log.open_match("now", False, Started(1, 0.0, "stop-it", (Player(1, "A"), Player(2, "B")), {}))
seq = len(log.events(match))
while True:
    seq += 1
    log.append(match, [(Pressed(seq, float(seq), 1), f"o{seq}")])
    print(seq, flush=True)
"""


def test_a_kill_loses_and_doubles_nothing_that_was_told(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    written = 1
    for kills in range(3):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        for _ in range(3 + 5 * kills):
            written = int(writer.stdout.readline())
        writer.send_signal(signal.SIGKILL)
        words_left = writer.stdout.read().split()
        written = int(words_left[-1]) if words_left else written
        writer.wait()
        writer.stdout.close()
        log = Log(path, writes=False)
        seqs = [event.seq for event in log.events(1)]
        log.close()
        assert seqs == list(range(1, len(seqs) + 1))
        assert len(seqs) >= written


def test_a_log_moved_away_while_in_use_is_said_at_once(log: Log) -> None:
    match = log.open_match(BEGAN, False, FIRST)
    log.path.rename(log.path.with_name("elsewhere.sqlite"))
    with pytest.raises(LogFault, match="moved or deleted"):
        log.append(match, [press(2)])


def test_a_write_ahead_log_taken_away_while_in_use_is_said_at_once_and_loses_nothing(log: Log) -> None:
    match = log.open_match(BEGAN, False, FIRST)
    log.append(match, [press(2)])
    log.path.with_name("log.sqlite-wal").unlink()
    with pytest.raises(LogFault, match=r"log\.sqlite-wal was moved or deleted"):
        log.append(match, [press(3)])
    left = log.path.with_name("left.sqlite")
    left.write_bytes(log.path.read_bytes())  # as a kill leaves it
    reader = Log(left, writes=False)
    assert [event.seq for event in reader.events(match)] == [1, 2]
    reader.close()


def test_a_log_is_read_where_nothing_can_be_written(tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    folder.mkdir()
    log = Log(folder / "log.sqlite", writes=True)
    match = log.open_match(BEGAN, False, FIRST)
    log.close()
    (folder / "log.sqlite.lock").unlink()
    folder.chmod(0o500)
    assert refusable("export", str(match), "--log", folder / "log.sqlite").exit_code == 0
    folder.chmod(0o700)


def test_a_damaged_page_is_a_fault_of_the_log_and_no_crash(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    log = Log(path, writes=True)
    match = log.open_match(BEGAN, False, FIRST)
    log.append(match, [press(seq) for seq in range(2, 400)])
    log.close()
    whole = bytearray(path.read_bytes())
    for page in range(1, len(whole) // 4096):
        path.write_bytes(whole[: page * 4096] + b"\x5a" * 300 + whole[page * 4096 + 300 :])
        try:
            reader = Log(path, writes=False)
        except LogFault:
            continue
        for ask in (
            reader.latest,
            reader.matches,
            reader.last_at,
            partial(reader.events, match),
            partial(reader.holds, "x"),
        ):
            with contextlib.suppress(LogFault):
                ask()
        reader.close()


def test_a_log_whose_own_table_names_are_no_text_any_more_is_told_as_damaged(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    Log(path, writes=True).close()
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE match", b"CREATE TABLE\xffmatch"))
    for writes in (False, True):
        with pytest.raises(LogFault, match="The file is damaged"):
            Log(path, writes=writes)


@pytest.mark.parametrize("body", ["x'ff'", "CAST(x'ff' AS TEXT)", "NULL", "7", "''"])
def test_an_event_that_is_no_text_damages_its_match_and_no_other(tmp_path: Path, body: str) -> None:
    path = tmp_path / "log.sqlite"
    log = Log(path, writes=True)
    damaged, whole = (log.open_match(BEGAN, False, FIRST) for _ in "12")
    log.close()
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("DROP TRIGGER event_stays")
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_master SET sql = replace(sql, 'body TEXT NOT NULL', 'body TEXT')")
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(f"UPDATE event SET body = {body} WHERE match = ?", (damaged,))
    with contextlib.closing(Log(path, writes=False)) as log:
        with pytest.raises(LogFault, match=f"match {damaged} .* is damaged, event 1"):
            log.events(damaged)
        assert len(log.events(whole)) == 1
        assert [entry.game for entry in log.matches()] == ["damaged", FIRST.game]


def test_a_log_may_have_a_name_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"evening-\xff.sqlite")
    with contextlib.closing(Log(path, writes=True)) as log:
        log.open_match("now", False, Started(1, 0.0, "stop-it", (Player(1, "Ana"), Player(2, "Bo")), {}))
    with contextlib.closing(Log(path, writes=False)) as log:
        assert log.latest() == 1
    assert path.is_file()
