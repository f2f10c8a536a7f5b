"""Every planted bug can be planted in the code as it is, and was found when it was tried last."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.trust.findings import small
from tests.trust.page import PAGE, page
from tests.trust.planted.bugs import KINDS, ROOT, DoesNotApply, bugs
from tests.trust.planted.came import kept
from tests.trust.planted.finders import WHERE

BUGS = bugs()


def test_there_are_a_hundred_of_them_and_some_of_every_kind() -> None:
    assert len(BUGS) >= 100
    assert {bug.kind for bug in BUGS.values()} == {*KINDS}
    assert len(list(Path(__file__).parent.glob("*/*.patch"))) == len(BUGS), "a name stands twice"


def test_every_bug_can_be_planted() -> None:
    """Where the code has changed, plant the same slip anew, or delete what nobody can make any more."""
    for bug in BUGS.values():
        for path, text in bug.applied(ROOT).items():
            assert text != path.read_text(encoding="utf-8"), bug.name


def test_every_bug_says_who_finds_it() -> None:
    for bug in BUGS.values():
        finder, *where = bug.finder or ("",)
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
    assert [name for name, one in came.items() if one.finder != BUGS[name].finder] == [], "run: make planted"


def test_the_page_shows_the_latest_that_is_kept() -> None:
    assert PAGE.read_text(encoding="utf-8").endswith(page())


def test_a_bug_that_does_not_apply_any_more_is_named() -> None:
    bug = next(iter(BUGS.values()))
    gone = replace(bug, patch=bug.patch.replace("\n-", "\n-no longer ", 3))
    with pytest.raises(DoesNotApply, match=bug.name):
        gone.applied(ROOT)


def test_what_plays_no_part_is_left_out() -> None:
    assert small(range(100), lambda left: {3, 77} <= {*left}) == [3, 77]
