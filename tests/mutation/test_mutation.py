"""Which slips there are, and what they are known by. Whole runs of the tester are in whole.py."""

import subprocess
import sys

import pytest

from tests.mutation.mutants import sites
from tests.mutation.whole import ROOT, TOY


def test_what_the_tester_loads_has_no_module_of_the_projects_in_it() -> None:
    look = "import sys, tests.mutation.__main__; print(*(name for name in sys.modules if name.startswith('companion')))"
    loaded = subprocess.run([sys.executable, "-c", look], cwd=ROOT, capture_output=True, text=True, check=True)
    assert loaded.stdout.split() == []


def slips(text: str) -> list[str]:
    return [site.mutant.slip for site in sites("toy.py", text)]


def keys(text: str) -> list[str]:
    return [site.mutant.key for site in sites("toy.py", text)]


def test_a_key_outlives_what_changes_around_its_function() -> None:
    moved = TOY.replace("Say whether it is above three.", "Whether above.").replace(
        "def above", "AT = None\n\ndef above"
    )
    assert keys(moved) == keys(TOY)


def test_a_key_ends_with_the_code_it_is_of() -> None:
    assert set(keys(TOY.replace("n > 3", "n > 4"))) & set(keys(TOY)) == set(keys(TOY)[4:])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a < b == c", ["< to <=", "== to !="]),
        ("n = a - 1", ["- to +", "1 to 2", "1 to 0"]),
        ("n = not a or b", ["or to and", "not left out"]),
        ("n = x if a is None else y", ["if False", "if True", "is to is not"]),
        ("a.b = max(c)", ["assignment left out", "max to min"]),
        ("f(True, 'said')", ["call left out", "True to False", "text to nothing"]),
        ("while a: pass", ["if False"]),
        ("def f():\n    if a: return\n    return b", ["if False", "if True", "return left out", "return None"]),
        ("n = [x for x in y if x in z]", ["if False", "if True", "in to not in"]),
    ],
)
def test_a_slip_is_one_of_these(text: str, expected: list[str]) -> None:
    assert slips(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        '"""What it is for."""',
        "@cache(maxsize=1)\ndef f(): ...",
        "def f(n: 'Card', m: Literal['a', 1]) -> 'Card': ...",
        "class A(B, frozen=True): ...",
        "Kind = Literal['a', 'b']",
        "n = cast('Card', m)",
    ],
)
def test_docstrings_types_and_decorators_are_left_alone(text: str) -> None:
    assert slips(text) == []
