"""A log is looked through before anything is added to it."""

import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.backups.restoring import put_back
from companion.backups.writing import write_backup
from companion.config import load
from companion.events import Player, Pressed, Said, Started
from companion.storage.integrity import see_that_it_is_whole, unread_in_words
from companion.storage.log import Log
from companion.storage.log_reading import GAPS
from companion.storage.opening import LogFault
from tests.storage.altering import past_its_triggers

FIRST = Started(1, 0.0, "stop-it", (Player(1, "Ana"), Player(2, "Bo")), {})
PAGE = 4096
HEAD = 9
"""Bytes of a row before its first text: its length, its number, its head's length, and what each of its columns is."""
SETTINGS = 'log = "log.sqlite"\n[[buzzers]]\ndriver = "virtual"\nseats = [1, 2]\n'


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """A log as a kill leaves it: the first match in the log itself, the second in its write-ahead log alone."""
    played_folder = tmp_path / "played"
    killed = tmp_path / "killed"
    played_folder.mkdir()
    with closing(Log(played_folder / "log.sqlite", writes=True)) as log:
        _play(log)
    with closing(Log(played_folder / "log.sqlite", writes=True)) as log:
        _play(log)
        shutil.copytree(played_folder, killed)
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
    assert list(unread_in_words(killed)) == []


def test_no_log_and_a_new_empty_file_are_whole(tmp_path: Path) -> None:
    see_that_it_is_whole(tmp_path / "log.sqlite")
    (tmp_path / "log.sqlite").touch()
    see_that_it_is_whole(tmp_path / "log.sqlite")


def test_a_damaged_log_is_told_with_what_can_still_be_read_and_left_as_it_is(killed: Path) -> None:
    Log(killed, writes=True).close()
    pages = killed.stat().st_size // PAGE
    _garble(killed, (pages - 1) * PAGE)
    bytes_before = killed.read_bytes()
    with pytest.raises(LogFault, match=r"damaged.*in full \(companion export\): match 1; can't: match 2.*restore"):
        see_that_it_is_whole(killed)
    assert killed.read_bytes() == bytes_before


def test_a_row_for_which_sqlite_says_that_no_memory_suffices_is_damage(killed: Path) -> None:
    killed.with_name("log.sqlite-wal").unlink()
    whole = killed.read_bytes()
    head = bytes((7, 9, 1, 13))  # of a row: the head's length, match 1, a seq of one byte, no origin
    at = whole.index(head) + 9  # from its body over the lengths of the next row
    killed.write_bytes(whole[:at] + b"\xff" * 128 + whole[at + 128 :])
    with pytest.raises(LogFault, match=r"damaged.*can't: match 1"):
        see_that_it_is_whole(killed)
    assert list(unread_in_words(killed))


STORED = [
    *(FIRST, Pressed(2, 1.5, 1)),
    *(Said(3, 0.1 + 0.2, 2, "count\x1f", {"é": [1e-6, 0.1 + 0.2, 1e22]}), Pressed(4, 2.0, 2)),
]
"""Some could say the same in other letters."""


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stored") / "log.sqlite"
    with closing(Log(path, writes=True)) as log:
        log.append(log.open_match("now", False, FIRST), [(event, "") for event in STORED[1:]])
    return path


@given(seq=st.integers(1, len(STORED)), column=st.sampled_from(("body", "digest")), data=st.data())
def test_any_one_byte_of_an_event_that_is_another_is_found_and_told_by_match_and_event(
    stored: Path, seq: int, column: str, data: st.DataObject
) -> None:
    with closing(sqlite3.connect(stored, isolation_level=None)) as db:

        def put(value: bytes) -> None:
            with past_its_triggers(db):
                db.execute(f"UPDATE event SET {column} = CAST(? AS TEXT) WHERE seq = {seq}", (value,))

        (bytes_before,) = db.execute(f"SELECT CAST({column} AS BLOB) FROM event WHERE seq = {seq}").fetchone()
        changed = bytearray(bytes_before)
        changed[data.draw(st.integers(0, len(changed) - 1))] ^= data.draw(st.integers(1, 255))
        put(bytes(changed))
        lines = [*unread_in_words(stored)]
        put(bytes_before)
    assert [f"match 1 in {stored} is damaged, event {seq}: " in line for line in lines] == [True]


def test_any_one_byte_of_a_row_that_is_another_is_found(tmp_path: Path) -> None:
    """Also of what is in no record: which match a row is of, where a press came from, how long each part is."""
    path = tmp_path / "log.sqlite"
    with closing(Log(path, writes=True)) as log:
        log.append(log.open_match("now", False, FIRST), [(Pressed(seq, 1.0, 1), f"box-{seq}") for seq in range(2, 12)])
    whole = path.read_bytes()
    row = whole.index(b'box-7{"kind":"pressed","seq":7,')
    for at in range(row - HEAD, whole.index(b"}", row) + 65):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert _damage(path), f"byte {at - row}"


def _altered(path: Path, sql: str) -> list[str]:
    """What is told of a log that somebody has altered by SQL, past its triggers."""
    with closing(Log(path, writes=True)) as log:
        for _ in range(3):
            log.append(log.open_match("now", False, FIRST), [(Pressed(2, 1.0, 1), ""), (Pressed(3, 1.0, 1), "")])
    with closing(sqlite3.connect(path)) as db, past_its_triggers(db):
        db.execute(sql)
    return list(unread_in_words(path))


ALTERED = {
    "UPDATE event SET seq = 4 WHERE match = 2 AND seq = 3": "match 2 .* event 3: number 4 is filed where 3 is due",
    "DELETE FROM event WHERE match = 2 AND seq = 2": "match 2 .* event 2: number 3 is filed where 2 is due",
    "DELETE FROM match WHERE id = 2": "match 2 .* when it began is gone",
    "UPDATE match SET began = x'ff' WHERE id = 3": "match 3 .* when it began can't be read",
}


@pytest.mark.parametrize(("sql", "pattern"), ALTERED.items(), ids=ALTERED)
def test_what_somebody_has_altered_in_the_database_is_told_by_its_match(tmp_path: Path, sql: str, pattern: str) -> None:
    (only,) = _altered(tmp_path / "log.sqlite", sql)
    assert re.search(pattern, only)


def test_a_log_that_would_not_keep_what_is_played_is_told_before_a_table_uses_it(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    Log(path, writes=True).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("CREATE TRIGGER forgets AFTER INSERT ON event BEGIN DELETE FROM event; END")
    with pytest.raises(
        LogFault, match=r"is not made as the table makes it: see trigger forgets\. .*Nothing was changed"
    ):
        see_that_it_is_whole(path)


def test_a_log_whose_rows_sqlite_has_counted_is_made_as_the_table_makes_it(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    Log(path, writes=True).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("ANALYZE")
    see_that_it_is_whole(path)


def test_a_match_of_a_monstrous_number_does_not_fill_the_journal(tmp_path: Path) -> None:
    lines = _altered(tmp_path / "log.sqlite", f"INSERT INTO match VALUES ({2**63 - 1}, 'now', 0)")
    assert len(lines) <= GAPS + 2


def _damage(path: Path) -> list[str]:
    try:
        see_that_it_is_whole(path)
    except LogFault as wrong:
        return [str(wrong)]
    return list(unread_in_words(path))


@pytest.mark.parametrize("deleted", [True, False])
def test_a_write_ahead_log_without_its_log_is_told_and_kept(killed: Path, deleted: bool) -> None:
    killed.unlink()
    if not deleted:
        killed.touch()
    beside = killed.with_name("log.sqlite-wal")
    bytes_before = beside.read_bytes()
    with pytest.raises(LogFault, match="still holds some of it"):
        see_that_it_is_whole(killed)
    assert beside.read_bytes() == bytes_before


def test_a_log_that_was_emptied_is_not_taken_for_a_new_one(killed: Path) -> None:
    killed.with_name("log.sqlite-wal").unlink()
    killed.write_bytes(b"")
    killed.with_name("log.sqlite.phones").write_text("{}")
    with pytest.raises(LogFault, match="is empty, but was not before"):
        see_that_it_is_whole(killed)


@pytest.mark.parametrize("at", [0, 40_000])
def test_events_that_a_damaged_write_ahead_log_hides_are_told(killed: Path, at: int) -> None:
    _garble(killed.with_name("log.sqlite-wal"), at)
    with pytest.raises(LogFault, match="newest events"):
        see_that_it_is_whole(killed)


def test_a_longer_attempt_left_behind_a_torn_shorter_one_was_never_stored(killed: Path) -> None:
    """A disk fails to synchronise a long transaction, then a short one in its place, and the power is cut."""
    long = _with_one_more(killed, 40)
    short = _with_one_more(killed, 1)
    torn = bytearray(short + long[len(short) :])
    torn[len(short) - 1000 : len(short) - 900] = bytes(100)
    killed.with_name("log.sqlite-wal").write_bytes(torn)
    see_that_it_is_whole(killed)


def _with_one_more(killed: Path, size: int) -> bytes:
    """Return the write-ahead log with one more transaction of so many events."""
    again = killed.parent.with_name(f"again-{size}")
    shutil.copytree(killed.parent, again)
    with closing(Log(again / killed.name, writes=True)) as log:
        log.append(2, [(Pressed(seq, float(seq), 1), "") for seq in range(102, 102 + size)])
        return (again / f"{killed.name}-wal").read_bytes()


def test_the_cure_for_a_damaged_write_ahead_log_goes_on_with_all_that_can_be_read(killed: Path) -> None:
    beside = killed.with_name("log.sqlite-wal")
    _garble(beside, 400_000)
    damaged = beside.read_bytes()
    settings = killed.with_name("table.toml")
    settings.write_text(SETTINGS)
    backup = write_backup(load(settings), settings, killed.with_name("backup.zip"))
    list(put_back(settings, backup))
    see_that_it_is_whole(killed)
    assert list(unread_in_words(killed)) == []
    with closing(Log(killed, writes=False)) as log:
        assert (len(log.events(1)), len(log.events(2)) > 1) == (101, True)
    (old,) = killed.parent.glob("before-restore-*")
    assert (old / beside.name).read_bytes() == damaged
