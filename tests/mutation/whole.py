"""`make mutation`, before all else: that the tester itself can fail, in whole runs of it.

What no test sees survives, what one sees is killed, what never ends is stopped.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutation.mutants import sites

ROOT = Path(__file__).parent.parent.parent

TOY = '''
"""A module to put slips into."""

def above(n: int) -> bool:
    """Say whether it is above three."""
    return n > 3

def unseen(n: int) -> int:
    return n + 1

def ended(n: int) -> int:
    while n is None:
        pass
    return n
'''
TESTS = """
import toy

def test_above() -> None:
    assert toy.above(4)
    assert not toy.above(3)

def test_ended() -> None:
    assert toy.ended(2) == 2
"""
RUN = """
import sys
from pathlib import Path
from tests.mutation import __main__ as tester, trying
from tests.mutation.wings import Tests, Wing
tester.LEAST, trying.HEAVY = 0.5, ()  # a toy needs neither
sys.exit(tester.main(sys.argv[1:], Path.cwd(), (Wing("toy.py", (Tests(("test_toy.py", "gone.py")),), 100),)))
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    (tmp_path / "toy.py").write_text(TOY)
    (tmp_path / "test_toy.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]")
    return tmp_path


def run_mutants(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", RUN, *args], cwd=folder, capture_output=True, text=True, env={"PYTHONPATH": str(ROOT)}
    )


def test_what_a_test_sees_is_killed_and_what_none_sees_survives(toy: Path) -> None:
    came = run_mutants(toy)
    lines = came.stdout.splitlines()
    verdicts = {line.split("toy.py:")[1].split(" #")[0]: line for line in lines if "toy.py:" in line}
    assert verdicts["6:12 > to >="].startswith("killed")
    assert verdicts["6:12 > to >="].endswith("test_toy.py::test_above")
    assert verdicts["9:12 + to -"].startswith("survived")
    assert verdicts["12:11 is to is not"].startswith("timed out")
    assert "gone.py IS NOT THERE" in came.stderr


def test_nothing_is_learnt_from_tests_that_fail_by_themselves(toy: Path) -> None:
    (toy / "test_toy.py").write_text("import toy\n\ndef test_never() -> None:\n    assert toy.above(3)\n")
    came = run_mutants(toy)
    assert came.returncode == 2
    assert "NOTHING LEARNT" in came.stderr


def test_what_was_killed_and_now_survives_is_told(toy: Path) -> None:
    records = toy / "kept.jsonl"
    records.write_text(
        "".join(
            f'{{"mutant":{{"path":"toy.py","line":1,"column":1,"slip":"","key":"{site.mutant.key}"}},'
            '"verdict":"killed","killer":"test_toy.py::test_above"}\n'
            for site in sites("toy.py", TOY)
            if site.mutant.slip == "> to >="
        )
    )
    assert run_mutants(toy, "--again", str(records)).returncode == 0
    (toy / "test_toy.py").write_text("import toy\n\ndef test_above() -> None:\n    assert toy.above(4)\n")
    came = run_mutants(toy, "--again", str(records))
    assert came.returncode == 1
    assert "NOW SURVIVES; was killed by test_toy.py::test_above" in came.stdout
