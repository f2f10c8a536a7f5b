"""Of a damaged log, all matches that can be read are shown, and how many can't."""

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.history.archive import Archive, NotInLog, NotReadNow
from companion.judge import record_file
from companion.storage.integrity import find_unread
from companion.storage.log import Log
from tests.storage.damaging import PAGE, damage

CLEAN = record_file.decode((Path(__file__).parents[1] / "games/kartel/records/match-clean.jsonl").read_bytes())
BEGAN = "2026-11-20T20:00:00+01:00"
MATCHES = 8


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("whole") / "log.sqlite"
    with closing(Log(path, writes=True)) as log:
        for _ in range(MATCHES):
            number = log.open_match(BEGAN, False, CLEAN[0])  # type: ignore[arg-type]
            log.append(number, [(event, "") for event in CLEAN[1:]])
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.read_bytes()


class Told:
    """An archive, and what it told of matches that can't be read."""

    def __init__(self, path: Path) -> None:
        self.lost: set[int] = set()
        self.altogether = False
        self.archive = Archive(path, note_lost=self._note)

    def _note(self, numbers: Collection[int]) -> None:
        self.lost |= {*numbers}
        self.altogether |= not numbers


def readable(path: Path) -> set[int]:
    unread = [unread.match for unread in find_unread(path)]
    with closing(Log(path, writes=False)) as log:
        return {*log.traces()} - {*unread}


def pages_of(path: Path, name: str) -> Iterator[int]:
    """The pages of a table or an index, from 0."""
    with closing(sqlite3.connect(path)) as db:
        yield from (number - 1 for (number,) in db.execute("SELECT pageno FROM dbstat WHERE name = ?", (name,)))


def test_a_bad_page_costs_the_matches_on_it_and_no_other(tmp_path: Path, whole: bytes) -> None:
    path = tmp_path / "log.sqlite"
    path.write_bytes(whole)
    with closing(sqlite3.connect(path)) as db:
        (leaf,) = db.execute("SELECT max(pageno) FROM dbstat WHERE name = 'event' AND pagetype = 'leaf'").fetchone()
    path.write_bytes(whole[: (leaf - 1) * PAGE] + bytes(PAGE) + whole[leaf * PAGE :])
    can_be_read = readable(path)
    assert 0 < len(can_be_read) < MATCHES
    table = Told(path)
    for results in (table.archive.latest(), table.archive.evening("2026-11-20"), table.archive.results()):
        assert {result.match for result in results if result.players} == can_be_read
    season, lacking = Told(path).archive.so_far(table_simulated=False)
    assert (season.played, lacking) == (len(can_be_read), 0)
    assert table.lost == {*range(1, MATCHES + 1)} - can_be_read
    assert not table.altogether


def test_what_was_known_before_the_whole_log_became_unreadable_is_still_shown(tmp_path: Path, whole: bytes) -> None:
    path = tmp_path / "log.sqlite"
    path.write_bytes(whole)
    table = Told(path)
    assert len(table.archive.results()) == MATCHES
    path.write_bytes(b"\x5a" * len(whole))
    assert len(table.archive.results()) == MATCHES
    assert table.archive.latest() == []
    assert table.altogether


@pytest.mark.parametrize("seed", range(60))
def test_whatever_the_damage_the_past_is_shown_as_far_as_it_can_be_read(
    tmp_path: Path, whole: bytes, seed: int
) -> None:
    path = tmp_path / "log.sqlite"
    path.write_bytes(whole)
    how = damage(path, seed)
    table = Told(path)
    try:
        results = table.archive.results()
        table.archive.latest()
        table.archive.evening("2026-11-20")
        table.archive.so_far(table_simulated=False)
        list(table.archive.catch_up())
    except (NotInLog, NotReadNow) as wrong:
        pytest.fail(f"{how}: {wrong}")
    readable_shown = {result.match for result in results if result.players}
    if not table.altogether:
        assert readable_shown >= readable(path), how
