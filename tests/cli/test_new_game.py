"""A new game plays at once: its tests pass in a package of its own, and it is found beside the others."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from companion.cli.new_game import STARTER
from tests.cli.program import companion

ROOT = Path(__file__).parents[2]


@pytest.mark.long
def test_a_new_games_package_passes_every_law_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert companion("new-game", "high-card").exit_code == 0
    package = tmp_path / "high-card"
    points = tomllib.loads((package / "pyproject.toml").read_text())["project"]["entry-points"]
    about = package / "high_card-0.1.dist-info"  # as pip would write it
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: table-companion-high-card\nVersion: 0.1.0\n")
    lines = [f"[{group}]\nhigh-card = {of['high-card']}\n" for group, of in points.items()]
    (about / "entry_points.txt").write_text("".join(lines))
    (about / "companion").symlink_to(ROOT / "companion")  # as it is installed: without this tree's tests
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--hypothesis-profile=brief", "-p", "no:cacheprovider"],
        cwd=package,
        env={**os.environ, "PYTHONPATH": f"{package}:{about}"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
def test_a_new_games_package_has_types_that_its_own_run_of_mypy_finds_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert companion("new-game", "high-card").exit_code == 0
    installed = tmp_path / "installed"
    installed.mkdir()
    (installed / "companion").symlink_to(ROOT / "companion")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--follow-imports=silent"],  # as what is installed is followed
        cwd=tmp_path / "high-card",
        env={**os.environ, "MYPYPATH": str(installed)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_game_for_this_tree_is_a_folder_among_the_games_and_one_among_their_tests(tmp_path: Path) -> None:
    games = tmp_path / "companion/games"
    tests = tmp_path / "tests/games"
    games.mkdir(parents=True)
    assert companion("new-game", "high-card", "--folder", games).exit_code == 1, "nowhere to put its tests"
    tests.mkdir(parents=True)
    assert companion("new-game", "high-card", "--title", "Highest Card", "--folder", games).exit_code == 0
    files = [file for folder in (games, tests) for file in (folder / "high_card").rglob("*") if file.is_file()]
    paths = [path for path in STARTER.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    shipped = {path.name for path in paths if path.suffix != ".po"}
    assert {file.name for file in files} == shipped | {"test_rules.py"}
    assert {entry.name for entry in (tests / "high_card").iterdir()} == {
        "records",
        "golden",
        "secrets.py",
        "test_rules.py",
    }
    assert "from companion.games.high_card.cards import" in (tests / "high_card/secrets.py").read_text()
    text = "".join(file.read_text() for file in files)
    assert "Highest Card" in text
    assert "tarter" not in text


@pytest.mark.parametrize(("name", "status"), [("High Card", 2), ("-x", 2), ("high--card", 2), ("there", 1), ("go", 1)])
def test_what_can_not_be_written_is_told(
    name: str, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").mkdir()
    assert companion("new-game", "--", name).exit_code == status
