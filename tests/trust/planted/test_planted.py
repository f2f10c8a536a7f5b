"""Every planted bug can be planted in the code as it is, and was found when it was tried last."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.trust.findings import small
from tests.trust.page import PAGE, page
from tests.trust.planted.bugs import KINDS, ROOT, Bug, Change, DoesNotApply, bugs
from tests.trust.planted.came import kept
from tests.trust.planted.finders import WHERE

HERE = Path(__file__).parent
BUGS = bugs()


def test_there_are_a_hundred_of_them_and_some_of_every_kind() -> None:
    assert len(BUGS) >= 100
    assert {bug.kind for bug in BUGS.values()} == {*KINDS}
    tables = [name for kind in KINDS for name in tomllib.loads((HERE / f"{kind}.toml").read_text(encoding="utf-8"))]
    assert len(tables) == len(BUGS), "a name stands in two files"


def test_every_bug_can_be_planted() -> None:
    """Where the code has changed, plant the same slip anew, or delete what nobody can make any more."""
    assert [why for bug in BUGS.values() if (why := _why_not(bug))] == []


def _why_not(bug: Bug) -> str:
    """Return why a bug can no longer be planted, and where it was; "" where it can."""
    try:
        changed = bug.applied(ROOT)
    except DoesNotApply as why:
        return str(why)
    same = [str(path) for path, text in changed.items() if text == path.read_text(encoding="utf-8")]
    return f"{bug.kind}/{bug.name} changes nothing" if same else ""


def test_a_planted_bug_uses_no_name_that_is_gone(tmp_path: Path) -> None:
    """A NameError is found by whoever runs the line, so it would prove nothing of the promise."""
    for bug in BUGS.values():
        for path, text in bug.applied(ROOT).items():
            if path.suffix == ".py":
                (tmp_path / f"{bug.name}-in-{path.name}").write_text(text, encoding="utf-8")
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--output-format", "concise"]
    found = subprocess.run([*ruff, "--select", "F821", tmp_path], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr


def test_every_bug_breaks_a_promise() -> None:
    assert [bug.name for bug in BUGS.values() if len(bug.promise.split()) < 3] == []


def test_every_bug_says_who_finds_it() -> None:
    for bug in BUGS.values():
        finder, *where = bug.found_by or ("",)
        if finder in WHERE:
            assert where[0] in WHERE[finder], bug.name
        else:
            assert all(_is_there(*one.split("::")) for one in (finder, *where)), bug.name


def _is_there(path: str, test: str = "") -> bool:
    """Return whether there are such tests: moved or renamed, they find nothing."""
    if not test:
        return (ROOT / path).exists()
    text = (ROOT / path).read_text(encoding="utf-8")
    if "from companion.kit.laws import *" in text:
        text += (ROOT / "companion/kit/laws.py").read_text(encoding="utf-8")
    return f"def {test.partition('[')[0]}(" in text


def test_every_bug_was_found_when_it_was_tried_last() -> None:
    came = kept()
    assert came.keys() == BUGS.keys(), "run: make planted"
    assert [name for name, one in came.items() if not one.found] == []
    assert [name for name, one in came.items() if one.finder != BUGS[name].found_by] == [], "run: make planted"


def test_the_page_shows_the_latest_that_is_kept() -> None:
    assert PAGE.read_text(encoding="utf-8").endswith(page())


SOURCE = """\
LENGTH = 10

class Table:
    seats = 6

    @property
    def sides(self):
        return 6

    @sides.setter
    def sides(self, sides):
        self.seats = sides

    def walls(self):
        return 6
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree of one module and one page."""
    (tmp_path / "table").mkdir()
    (tmp_path / "table" / "__init__.py").write_text(SOURCE)
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "table.html").write_text("<p>six</p>")
    return tmp_path


def _bug(at: str, piece: str, becomes: str) -> Bug:
    return Bug("judging", "a-slip", "six is six", (), (Change(at, piece, becomes),))


@pytest.mark.parametrize(
    ("at", "piece", "becomes", "line"),
    [
        ("table.LENGTH", "10", "7", "LENGTH = 7"),
        ("table.Table.seats", "= 6", "= 7", "    seats = 7"),
        ("table.Table.walls", "return 6", "return 7", "        return 7"),
        ("table.Table.sides", "return 6", "return 5", "        return 5"),
        ("table.Table.sides", "@sides.setter", "@sides.deleter", "    @sides.deleter"),
        ("table", "class Table:", "class Chair:", "class Chair:"),
    ],
)
def test_a_piece_is_replaced_in_the_source_of_its_symbol_alone(
    tree: Path, at: str, piece: str, becomes: str, line: str
) -> None:
    [text] = _bug(at, piece, becomes).applied(tree).values()
    changed = [*zip(SOURCE.splitlines(), text.splitlines(), strict=True)]
    assert [new for old, new in changed if old != new] == [line]


def test_what_is_not_python_is_named_by_its_path(tree: Path) -> None:
    assert [*_bug("pages/table.html", "six", "five").applied(tree).values()] == ["<p>five</p>"]


@pytest.mark.parametrize(
    ("at", "piece", "why"),
    [
        ("table.Table.roof", "6", "judging/a-slip: there is no table.Table.roof any more"),
        ("chair.LENGTH", "10", "judging/a-slip: there is no chair.LENGTH any more"),
        ("pages/chair.html", "six", "judging/a-slip: there is no pages/chair.html any more"),
        ("table.LENGTH", "11", "judging/a-slip: table.LENGTH has 0 times, not once: 11"),
        ("table.Table", "return 6", "judging/a-slip: table.Table has 2 times, not once: return 6"),
    ],
)
def test_a_bug_that_does_not_apply_any_more_is_named_with_its_place(tree: Path, at: str, piece: str, why: str) -> None:
    with pytest.raises(DoesNotApply) as refusal:
        _bug(at, piece, "").applied(tree)
    assert str(refusal.value) == why


def test_what_plays_no_part_is_left_out() -> None:
    assert small(range(100), lambda left: {3, 77} <= {*left}) == [3, 77]
