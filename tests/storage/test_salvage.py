"""After damage a table goes on with every match that can be read, and the damaged log is kept as it was."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.events import Player, Pressed, Started
from companion.storage.integrity import find_unread, see_that_it_is_whole
from companion.storage.log import Log
from companion.storage.rebuilding import rows_of
from companion.storage.salvage import go_on, look_through
from companion.wall_clock import Reading, Trust
from tests.storage.damaging import PAGE, damage

FIRST = Started(1, 0.0, "stop-it", (Player(1, "Ana"), Player(2, "Bo")), {})
MATCHES = 8


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("whole") / "log.sqlite"
    with closing(Log(path, writes=True)) as log:
        for number in range(MATCHES):
            match = log.open_match(f"2026-11-2{number}T20:00:00+01:00", False, FIRST)
            log.append(match, [(Pressed(seq, float(seq), 1), f"box {number} {seq}") for seq in range(2, 80)])
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.read_bytes()


@pytest.fixture
def log(tmp_path: Path, whole: bytes) -> Path:
    path = tmp_path / "log.sqlite"
    path.write_bytes(whole)
    return path


def lines(path: Path, match: int) -> bytes:
    with closing(Log(path, writes=False)) as log:
        return log.chained(match)


def lose(log: Path, first: int, pages: int) -> None:
    with log.open("r+b") as file:
        file.seek(first * PAGE)
        file.write(bytes(pages * PAGE))


def test_matches_that_can_be_read_go_on_letter_for_letter_and_no_number_is_given_twice(log: Path, whole: bytes) -> None:
    lines_before = {match: lines(log, match) for match in range(1, MATCHES + 1)}
    lose(log, len(whole) // PAGE - 6, 4)
    damaged = log.read_bytes()
    survey = look_through(log)
    assert survey.whole
    assert survey.lost
    assert go_on(log) == survey
    see_that_it_is_whole(log)
    assert [*find_unread(log)] == []
    assert {match: lines(log, match) for match in survey.whole} == {
        match: lines_before[match] for match in survey.whole
    }
    with closing(Log(log, writes=True)) as new:
        assert new.latest() == max(survey.whole)
        assert new.open_match("now", False, FIRST) == MATCHES + 1
        assert [entry.id for entry in new.matches()] == [*survey.whole, MATCHES + 1]
    assert log.with_name("log.sqlite.aside-1").read_bytes() == damaged


@pytest.mark.parametrize("size", [100, PAGE])
def test_a_log_whose_beginning_is_gone_loses_no_match(log: Path, whole: bytes, size: int) -> None:
    log.write_bytes(b"\x5a" * size + whole[size:])
    assert go_on(log).whole == tuple(range(1, MATCHES + 1))
    see_that_it_is_whole(log)


class Counting(sqlite3.Connection):
    asked = 0

    def execute(self, *args: Any) -> sqlite3.Cursor:
        self.asked += 1
        return super().execute(*args)


def test_a_log_that_does_not_say_where_its_rows_are_is_not_asked_for_each(log: Path, whole: bytes) -> None:
    """A log of ten years may have millions."""
    log.write_bytes(b"\x5a" * PAGE + whole[PAGE:])
    with closing(sqlite3.connect(log, factory=Counting)) as db:
        assert rows_of(db, "event", log) == ([], set())
        assert db.asked <= 2


def test_a_log_that_was_cut_keeps_what_is_before_the_cut(log: Path, whole: bytes) -> None:
    log.write_bytes(whole[: len(whole) // 2])
    assert look_through(log).whole
    assert go_on(log).whole


def test_what_only_the_write_ahead_log_holds_goes_on_too(tmp_path: Path, log: Path) -> None:
    (tmp_path / "killed").mkdir()
    killed = tmp_path / "killed" / "log.sqlite"
    with closing(Log(log, writes=True)) as writer:
        writer.open_match("now", False, FIRST)
        for beside in ("", "-wal"):
            killed.with_name(killed.name + beside).write_bytes(log.with_name(log.name + beside).read_bytes())
    lose(killed, 0, 1)
    assert MATCHES + 1 in go_on(killed).whole
    assert killed.with_name("log.sqlite.aside-1-wal").exists()


def test_numbers_that_other_files_tell_of_are_not_given_again(log: Path) -> None:
    log.write_bytes(b"")
    assert go_on(log, numbers_taken=[3, 12]).whole == ()
    with closing(Log(log, writes=True)) as new:
        assert new.latest() is None
        assert new.open_match("now", False, FIRST) == 13


def test_a_second_log_is_moved_aside_beside_the_first(log: Path) -> None:
    for _ in range(2):
        go_on(log)
    assert log.with_name("log.sqlite.aside-2").exists()


@pytest.mark.parametrize("seed", range(24))
def test_whatever_the_damage_a_whole_log_follows(log: Path, seed: int) -> None:
    how = damage(log, seed)
    damaged = log.read_bytes()
    go_on(log)
    see_that_it_is_whole(log)
    assert log.with_name("log.sqlite.aside-1").read_bytes() == damaged, how


MONDAY = Reading("run", "boot", 100.0, 1_790_000_000.0, 0, Trust.UNKNOWN)
"""A clock that nobody had set."""
TOLD = Reading("run", "boot", 4000.0, 1_798_000_000.0, 0, Trust.CERTAIN)


def dated(path: Path) -> Path:
    """A log whose only match was dated once the time was known."""
    with closing(Log(path, writes=True)) as log:
        log.open_match("2026-09-21T13:33:20+00:00", 0, FIRST, MONDAY)
        log.note_clock(TOLD)
    return path


def began(path: Path) -> list[str]:
    with closing(Log(path, writes=False)) as log:
        return [entry.began for entry in log.matches()]


@pytest.mark.parametrize("harm", [lambda _: None, lambda log: log.write_bytes(bytes(100) + log.read_bytes()[100:])])
def test_when_matches_began_is_known_afterwards_too(tmp_path: Path, harm: Callable[[Path], object]) -> None:
    log = dated(tmp_path / "log.sqlite")
    began_before = began(log)
    assert began_before[0].startswith("2026-12-")
    harm(log)
    assert go_on(log).whole == (1,)
    assert began(log) == began_before


def test_readings_that_can_be_read_are_not_lost_with_one_that_cannot(tmp_path: Path) -> None:
    log = dated(tmp_path / "log.sqlite")
    began_before = began(log)
    with closing(Log(log, writes=True)) as writing:
        for boot in range(400):
            writing.note_clock(replace(TOLD, boot=f"boot {boot}", trust=Trust.LIKELY))
    with closing(sqlite3.connect(log)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        ((root,),) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'clock'")
    content = bytearray(log.read_bytes())
    last = len(content) // PAGE - 1
    for page in range(root, last + 1):  # the leaf that holds late readings
        if b"boot 250" in content[page * PAGE : (page + 1) * PAGE] and content[page * PAGE] == 13:
            content[page * PAGE : (page + 1) * PAGE] = b"\x5a" * PAGE
            break
    log.write_bytes(content)
    go_on(log)
    assert began(log) == began_before
