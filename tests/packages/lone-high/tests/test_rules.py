"""The rules of Lone High, in the language of the kit."""

from companion.kit.table_for_tests import AtTable


class Table(AtTable):
    game = "lone-high"


def test_the_highest_takes_the_trick() -> None:
    table = Table().acts("1: clubs-3; 2: hearts-12; 3: spades-9")
    table.press(1)
    assert table.points == {1: 0, 2: 1, 3: 0}


def test_equal_cards_cancel_each_other_out() -> None:
    table = Table().acts("1: clubs-12; 2: hearts-12; 3: spades-9")
    table.press(3)
    assert table.points == {1: 0, 2: 0, 3: 1}


def test_nobody_turns_up_before_all_have_laid() -> None:
    table = Table().acts("1: clubs-3; 2: hearts-12")
    table.press(1)
    assert table.verdict == "not-all-laid seats=(3,)"


def test_what_lies_under_anothers_hand_is_told_by_nothing() -> None:
    table = Table().acts("1: clubs-3; 2: clubs-4")
    other = Table().acts("1: clubs-4; 2: clubs-4")
    assert table.sees() == other.sees()
    assert table.sees(2) == other.sees(2)
