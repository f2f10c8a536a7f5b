"""What `make test` says in the end; its jobs are stand-ins here."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.needs import needs

MAKEFILE = Path(__file__).parent.parent / "Makefile"


@pytest.fixture
def lines(tmp_path: Path) -> list[str]:
    """The lines of a `make test` whose pytest is well, whose lint is not, and whose kernel breaks off."""
    needs("make", shutil.which("make"))
    speaking = {
        "pytest": "echo '2 passed'",
        "ruff": "echo 'companion/words.py:3:1: F401 unused'; exit 1",
        "python": "echo booting; echo 'Kernel panic'; exit 3",
    }
    for program, does in speaking.items():
        (tmp_path / program).write_text(f"#!/bin/sh\n{does}\n")
        (tmp_path / program).chmod(0o755)
    for file in ("pyproject.toml", "constraints.txt", "tests/constraints.txt", ".venv/for-tests", "build/stubs/there"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    plain = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    shutil.copy(MAKEFILE, tmp_path)
    make = ["make", "-o", "setup", "test", f"BIN={tmp_path}"]
    done = subprocess.run(make, cwd=tmp_path, env=plain, capture_output=True, text=True)
    assert done.returncode
    return done.stdout.splitlines()


def test_a_failing_run_ends_with_the_names_of_what_failed(lines: list[str]) -> None:
    end = lines[lines.index("Failed: in-a-kernel") :]
    assert "Kernel panic" in end
    assert end[-2:] == ["Failed: checked", "companion/words.py:3:1: F401 unused"]


def test_every_job_is_run_to_its_end_though_another_fails(lines: list[str]) -> None:
    assert "2 passed" in lines
