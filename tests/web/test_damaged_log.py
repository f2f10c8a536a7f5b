"""A log that is damaged while people play: every page says so, what can be read is shown, and play goes on."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.events import Pressed
from companion.judge import record_file
from companion.live.table import Live
from companion.storage.log import Log
from tests.storage.damaging import PAGE, damage
from tests.web.table import PEOPLE, app_of, living

CLEAN = record_file.decode((Path(__file__).parents[1] / "games/kartel/records/match-clean.jsonl").read_bytes())
MATCHES = 6
PAGES = ("/", "/host", "/check", "/results", "/season", "/big", "/seat/1")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log of some matches, all in its one file."""
    path = tmp_path / "log.sqlite"
    with closing(Log(path, writes=True)) as log:
        for _ in range(MATCHES):
            number = log.open_match("2026-11-20T20:00:00+01:00", False, CLEAN[0])  # type: ignore[arg-type]
            log.append(number, [(event, "") for event in CLEAN[1:]])
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path


@pytest.fixture
def live(log: Path) -> Iterator[Live]:
    with living(log.parent) as live:
        live.begin("stop-it", PEOPLE, {})
        yield live


def lose_a_page(log: Path) -> None:
    with closing(sqlite3.connect(log)) as db:
        leaves = db.execute(
            "SELECT pageno FROM dbstat WHERE name = 'event' AND pagetype = 'leaf' ORDER BY 1"
        ).fetchall()
    leaf = leaves[len(leaves) // 2][0]
    with log.open("r+b") as file:
        file.seek((leaf - 1) * PAGE)
        file.write(bytes(PAGE))


def test_results_and_season_show_what_can_be_read_and_every_page_says_that_something_cannot(
    log: Path, live: Live
) -> None:
    phone = app_of(live, virtual=False).test_client()
    lose_a_page(log)
    for page in ("/results", "/season", "/results.csv"):
        assert phone.get(page).status_code == 200
    assert "Kartel" in phone.get("/evening/2026-11-20").text
    for page in PAGES:
        assert "can’t be read any more" in phone.get(page).text, page
    assert "illisible" in phone.get("/?lang=fr").text


def test_play_goes_on_beside_the_damage(log: Path, live: Live) -> None:
    lose_a_page(log)
    app_of(live, virtual=False).test_client().get("/results")
    live.enter(Pressed(0, 0.0, 1))
    assert live.snapshot.trouble is None


@pytest.mark.parametrize("seed", random.Random(7).sample(range(10_000), 24))
def test_whatever_the_damage_no_page_fails(log: Path, live: Live, seed: int) -> None:
    phone = app_of(live, virtual=False).test_client()
    how = damage(log, seed)
    for page in (*PAGES, "/results/2", "/results/2.csv", "/api/1/results", "/evening/2026-11-20", "/otherwise/2"):
        assert phone.get(page).status_code < 500, f"{how}: {page}"
