"""The keeper downloads the hub's file from its page, and brings it back."""

import re
import shlex
import shutil
import stat
import subprocess
from pathlib import Path

from flask.testing import FlaskClient

from companion.club.hub import club_toml
from companion.club.hub.hub import Hub, opened
from companion.network.page_address import fixed
from tests.club.hub.pages import shown
from tests.club.hub.tables import result
from tests.club.hub.test_store import took
from tests.needs import needs

KEEPING = Path(__file__).parents[3] / "hardware/keeping.md"


def test_only_the_keeper_may_back_the_hub_up(page: FlaskClient) -> None:
    assert page.post("/keeper/backup.sqlite").status_code == 403


def test_a_backup_made_while_the_hub_runs_brings_back_results_tournament_and_code(
    hub: Hub, page: FlaskClient, tmp_path: Path
) -> None:
    took(hub.store, {1: result(1)["began"]})
    hub.tournament.begin(["Ana", "Bo", "Cy"], 1, 3)
    page.post("/keeper", data={"code": hub.keeper.now.code})
    assert 'action="/keeper/backup.sqlite"' in shown(page, "/keeper")
    answer = page.post("/keeper/backup.sqlite")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    assert re.search(r'filename="CLUB-[-\d]+\.sqlite"', answer.headers["Content-Disposition"])
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "CLUB.toml").write_text((tmp_path / "CLUB.toml").read_text())
    (elsewhere / "CLUB.sqlite").write_bytes(answer.data)
    with opened(club_toml.load(elsewhere / "CLUB.toml"), fixed("http://127.0.0.1:8000/")) as again:
        assert [stored.match for stored in again.store.results()] == [1]
        assert again.keeper.now.code == hub.keeper.now.code
        assert again.tournament.now() == hub.tournament.now() is not None


def test_a_backup_is_closed_to_others_and_leaves_nothing_beside_the_hubs_file(hub: Hub, tmp_path: Path) -> None:
    files = sorted(tmp_path.iterdir())
    _, copy = hub.store.pack()
    with copy:
        assert stat.S_IMODE(Path(f"/proc/self/fd/{copy.fileno()}").stat().st_mode) == 0o600
    assert sorted(tmp_path.iterdir()) == files


def test_the_page_names_the_file_to_replace(hub: Hub, page: FlaskClient) -> None:
    page.post("/keeper", data={"code": hub.keeper.now.code})
    assert "CLUB.sqlite-wal" in shown(page, "/keeper")


def test_the_way_at_the_terminal_copies_the_file_for_nobody_else(hub: Hub, tmp_path: Path) -> None:
    needs("sqlite3", shutil.which("sqlite3"))
    command = re.search(r"`(\(umask [^`]*sqlite3 CLUB\.sqlite[^`]*\))`", KEEPING.read_text().replace("\n", " "))
    assert command
    subprocess.run(["sh", "-c", command[1]], cwd=tmp_path, check=True)
    copied = tmp_path / shlex.split(command[1].rstrip(")"))[-1].split()[-1]
    assert stat.S_IMODE(copied.stat().st_mode) == 0o600
