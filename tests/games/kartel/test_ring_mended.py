"""A token that was missed while the ring was read: it is read in after the one before it, once few are left."""

import pytest

from companion.kit.table_for_tests import cases
from tests.games.kartel.table import BOX, Table

FIRST, SECOND, THIRD, *_, LAST_BUT_ONE, LAST = BOX


def read_without(*missing: str) -> Table:
    """A ring that was read but for these tokens."""
    table = Table(ring=True)
    table.tap("centre", *(token for token in BOX if token not in missing))
    return table


@cases(
    "missing, acts",
    ("after the token before it", [SECOND], [FIRST, SECOND]),
    ("the last one after the last but one", [LAST], [LAST_BUT_ONE, LAST]),
    ("the last one as it comes", [LAST], [LAST]),
    ("two that lie side by side", [SECOND, THIRD], [FIRST, SECOND, THIRD]),
    ("two that lie apart", [SECOND, LAST_BUT_ONE], [BOX[-3], LAST_BUT_ONE, FIRST, SECOND]),
    ("one after the other", [SECOND, THIRD], [FIRST, SECOND, BOX[4], SECOND, THIRD]),
    ("with all that follow", [SECOND], [FIRST, *BOX[1:]]),
)
def test_a_missing_token_is_read_after_the_one_before_it(missing: list[str], acts: list[str]) -> None:
    table = read_without(*missing)
    table.tap("centre", *acts)
    table.done()
    assert table.circle == (list(BOX), 0, 0)
    assert table.rollers == [1]


def test_of_the_very_first_the_commissioner_stands_behind() -> None:
    table = read_without(FIRST)
    table.tap("centre", FIRST)
    table.done()
    assert table.circle == ([*BOX[1:], FIRST], 0, 0)


def test_who_says_too_early_that_the_ring_is_done_just_goes_on() -> None:
    table = read_without(*BOX[-5:]).acts("!host: done")
    table.tap("centre", *BOX[-5:])
    table.done()
    assert table.circle == (list(BOX), 0, 0)


def test_as_long_as_many_are_left_a_token_read_again_says_nothing_of_the_next() -> None:
    """A token that is put back may pass over the centre once more."""
    table = Table(ring=True)
    table.tap("centre", *BOX[:35], BOX[4], *BOX[35:])
    table.done()
    assert table.circle == (list(BOX), 0, 0)


def test_a_token_in_a_wrong_place_is_taken_back_and_read_after_its_neighbour() -> None:
    table = Table(ring=True)
    wrong = table.tap("centre", SECOND)
    table.tap("centre", FIRST, *BOX[2:])
    table.retract(wrong)
    table.acts(f"!host: done; centre: {FIRST}; centre: {SECOND}; host: done")
    assert table.circle == (list(BOX), 0, 0)


def test_everybody_is_told_where_it_lies() -> None:
    table = read_without(SECOND)
    table.tap("centre", FIRST, SECOND)
    rulings = [(ruling.code, ruling.facts["card"], ruling.facts["number"]) for ruling in table.match.verdicts[-2:]]
    assert rulings == [("in-ring-beside", FIRST, 1), ("in-ring", SECOND, 2)]


@pytest.mark.parametrize(("left", "code"), [(7, "now-ring"), (6, "now-ring-nearly"), (1, "now-ring-nearly")])
def test_the_table_says_how_once_few_are_left(left: int, code: str) -> None:
    table = read_without(*BOX[:left])
    assert table.match.game.now(table.match.state).code == code
