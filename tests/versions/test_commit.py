"""Two companions of one version are told apart by their commit."""

import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion import __version__
from companion.cli import main
from companion.versions.commit import commit_of_checkout, full_version


def git(folder: Path, *words: str) -> str:
    identity = ["-c", "user.name=Ana", "-c", "user.email=ana@example.org"]
    return subprocess.run(["git", "-C", folder, *identity, *words], capture_output=True, text=True, check=True).stdout


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "checkout"
    folder.mkdir()
    (folder / "rules.py").write_text("first = 1\n")
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "Begin")
    return folder


def test_a_checkout_is_its_commit(checkout: Path) -> None:
    assert commit_of_checkout(checkout) == git(checkout, "rev-parse", "--short=8", "HEAD").strip()


def test_a_checkout_that_was_changed_says_so(checkout: Path) -> None:
    (checkout / "rules.py").write_text("first = 2\n")
    assert commit_of_checkout(checkout).endswith(".dirty")


def test_a_tag_does_not_take_the_commits_place(checkout: Path) -> None:
    git(checkout, "tag", "--annotate", "v1.0.0", "--message", "First")
    assert len(commit_of_checkout(checkout)) == 8


def test_a_folder_in_somebody_elses_checkout_has_no_commit(checkout: Path) -> None:
    inside = checkout / "table-companion-0.2.0"
    inside.mkdir()
    assert commit_of_checkout(inside) == ""


def test_the_command_line_tells_version_and_commit() -> None:
    output = CliRunner().invoke(main, ["--version"]).output
    assert output == f"companion, version {full_version()}\n"
    assert full_version().startswith(__version__)
