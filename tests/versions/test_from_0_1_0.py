"""A table that 0.1.0 kept, brought to this version and back: its backup holds a match of each game, and one under way.

`table-0.1.0.zip` was written by `companion backup` of 0.1.0, and `judged-0.1.0.json` is how 0.1.0 judged its matches.
"""

import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion import events
from companion.access.rights_file import Phones
from companion.history.archive import Archive
from companion.storage.files import old_layout_of, phones_of
from companion.storage.integrity import find_unread
from companion.storage.log import Log
from tests.cli.program import companion

BACKUP = Path(__file__).parent / "table-0.1.0.zip"
JUDGED = json.loads((Path(__file__).parent / "judged-0.1.0.json").read_text(encoding="utf-8"))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Return the folder of a table that was brought back from 0.1.0's backup, and has not been started."""
    companion("restore", tmp_path / "table.toml", BACKUP)
    return tmp_path


@pytest.fixture
def log(table: Path) -> Path:
    """Return its log, once this version has opened it to play on."""
    Log(table / "log.sqlite", writes=True).close()
    return table / "log.sqlite"


def rows(log: Path) -> tuple[list[Any], list[Any]]:
    """Return the matches and events of a log, as far as 0.1.0 knew them."""
    with closing(sqlite3.connect(log)) as db:
        matches = db.execute("SELECT id, began, simulated FROM match ORDER BY id").fetchall()
        return matches, db.execute("SELECT match, seq, origin, body FROM event ORDER BY match, seq").fetchall()


def packed_log(folder: Path) -> Path:
    """Unpack the log as 0.1.0 left it."""
    with zipfile.ZipFile(BACKUP) as backup:
        return Path(backup.extract("log.sqlite", folder))


def test_the_backup_holds_every_kind_of_event(tmp_path: Path) -> None:
    kinds = {json.loads(body)["kind"] for *_, body in rows(packed_log(tmp_path))[1]}
    assert kinds == {*events.KINDS}


def test_every_event_is_taken_over_as_it_was_recorded(log: Path, tmp_path: Path) -> None:
    (tmp_path / "before").mkdir()
    assert rows(log) == rows(packed_log(tmp_path / "before"))


def test_nothing_of_it_is_damaged_or_altered(log: Path) -> None:
    with closing(Log(log, writes=False)) as reading:
        reading.check()
    assert list(find_unread(log)) == []


def test_its_matches_are_judged_as_0_1_0_judged_them(log: Path) -> None:
    judged = [
        {
            "match": result.match,
            "game": result.game,
            "over": result.over,
            "players": [[player.seat, player.name, player.points, player.place] for player in result.players],
        }
        for result in Archive(log).results()
    ]
    assert judged == JUDGED


def test_the_match_under_way_goes_on(log: Path) -> None:
    with closing(Log(log, writes=True)) as writing:
        number = writing.latest()
        assert number is not None
        seq = len(writing.events(number)) + 1
        writing.append(number, [(events.Pressed(seq, 1000.0, 1), "the first press since")])
        assert len(writing.events(number)) == seq


def test_its_short_codes_are_replaced_by_long_ones(log: Path) -> None:
    assert {len(code) for code in Phones(phones_of(log)).rights.codes.values()} == {10}


def test_the_way_back_is_the_backup_and_the_log_that_was_kept(log: Path, tmp_path: Path) -> None:
    old_log = old_layout_of(log, 1)
    (tmp_path / "before").mkdir()
    assert rows(old_log) == rows(packed_log(tmp_path / "before"))
    with closing(sqlite3.connect(old_log)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (1,)
