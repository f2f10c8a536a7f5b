"""A log of an older layout is taken over at once or not at all, and nothing in it is lost."""

import logging
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from types import ModuleType

import pytest

from companion.events import Player, Pressed, Retracted, Said, Started
from companion.judge.record_file import encode
from companion.storage.entries import Pausing, Played
from companion.storage.files import old_layout_of
from companion.storage.log import Log
from companion.storage.opening import LogFault
from tests.storage import layout_1, layout_2

FIRST = Started(1, 0.0, "stop-it", (Player(1, "Ana"), Player(2, "Bo")), {"tie_window": 1e-5})
MATCHES = {
    1: (FIRST, Pressed(2, 1.0, 1), Said(3, 1e-6, "host", "count", {"é": [10**40, 0.1, None]}), Retracted(4, 2.0, 2)),
    2: (FIRST, Pressed(2, 1.0, 1)),
}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "log.sqlite"
    layout_1.write(path, MATCHES)
    return path


def test_an_old_log_is_taken_over_once_and_the_table_plays_on(old: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    for seq in (3, 4):
        with closing(Log(old, writes=True)) as log:
            log.append(2, [(Pressed(seq, 2.0, 1), "")])
            assert log.holds("1/2")
            assert log.events(1) == MATCHES[1]
            assert [event.seq for event in log.events(2)] == [*range(1, seq + 1)]
    assert [record.getMessage().partition("the old one")[2] for record in caplog.records] == [
        " is kept as log.sqlite.layout-1"
    ]


def test_an_old_log_is_kept_whole_beside_the_new_one_for_its_owner_alone(old: Path) -> None:
    Log(old, writes=True).close()
    old_log = old_layout_of(old, 1)
    assert stat.S_IMODE(old_log.stat().st_mode) == 0o600
    with closing(Log(old_log, writes=False)) as log:
        assert [log.events(match) for match in MATCHES] == [*MATCHES.values()]
        assert log._layout == 1
    assert {path.name for path in old.parent.iterdir()} == {old.name, old_log.name, f"{old.name}.lock"}


def test_an_old_log_is_read_as_it_is_and_chained_for_who_wants_it(old: Path) -> None:
    bytes_before = old.read_bytes()
    with closing(Log(old, writes=False)) as log:
        assert log.lines(1) == encode(MATCHES[1])
        chained = log.chained(1)
        log.check()
    assert old.read_bytes() == bytes_before
    with closing(Log(old, writes=True)) as log:
        log.check()
        assert log.chained(1) == chained


def test_a_damaged_match_of_an_old_log_stays_as_it_stands_and_harms_no_other(old: Path) -> None:
    with closing(sqlite3.connect(old)) as db:
        db.execute("DROP TRIGGER event_stays")
        db.execute("""UPDATE event SET body = '{"kind":"lost"}' WHERE match = 1 AND seq = 3""")
        db.execute("CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'never'); END")
        db.commit()
    with closing(Log(old, writes=True)) as log:
        with pytest.raises(LogFault, match=r"match 1 .* event 3: unknown kind 'lost'"):
            log.events(1)
        assert log.lines(1).splitlines()[2] == b'{"kind":"lost"}'
        assert log.events(2) == MATCHES[2]


def test_where_an_old_log_can_not_be_kept_it_is_not_taken_over(old: Path) -> None:
    old_layout_of(old, 1).mkdir()
    with pytest.raises(LogFault, match=r"can't keep the log .* Nothing was changed"):
        Log(old, writes=True)
    with closing(Log(old, writes=False)) as log:
        assert log._layout == 1
        assert log.events(2) == MATCHES[2]


def test_a_log_of_layout_2_is_taken_over_in_its_place(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    layout_2.write(path, MATCHES)
    with closing(Log(path, writes=False)) as log:
        log.check()
        assert log.last_at() == 1.0
    with closing(Log(path, writes=True)) as log:
        log.check()
        assert log.paused(2) is None
        log.pause(2, 3.0, "break")
        log.append(2, [(Pressed(3, 4.0, 1), "")])
        assert [log.lines(match) for match in MATCHES] == [
            encode(MATCHES[1]),
            encode((*MATCHES[2], Pressed(3, 4.0, 1))),
        ]
    assert {entry.name for entry in tmp_path.iterdir()} == {path.name, f"{path.name}.lock"}


@pytest.mark.parametrize("layout", [layout_1, layout_2])
def test_a_demonstration_of_an_old_log_is_ended(tmp_path: Path, layout: ModuleType) -> None:
    path = tmp_path / "log.sqlite"
    layout.write(path, MATCHES)
    with closing(sqlite3.connect(path)) as db:
        db.execute("INSERT INTO match VALUES (3, '2026-11-20T20:00:00+01:00', ?)", (Played.BY_ITSELF,))
        db.commit()
    with closing(Log(path, writes=True)) as log:
        assert [log.paused(match) for match in (2, 3)] == [None, Pausing(0.0, "ended")]
