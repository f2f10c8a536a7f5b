"""The rules of Snap, in the language of the kit."""

from companion.kit.table_for_tests import AtTable


class Table(AtTable):
    game = "snap"


def two_sevens() -> Table:
    return Table().acts("centre: clubs-2; centre: clubs-7; centre: hearts-7")


def test_the_first_press_takes_the_pile() -> None:
    table = two_sevens()
    table.press(2)
    assert table.points == {1: 0, 2: 3, 3: 0}
    table.press(3, after=0.02)
    assert table.verdict == "too-late seat=3 other=2 margin=20000"


def test_the_earlier_press_counts_though_it_is_learned_of_second() -> None:
    table = two_sevens()
    table.press(2, at=110.0)
    table.press(3, at=109.99)
    assert table.points == {1: 0, 2: 0, 3: 3}


def test_a_press_for_nothing_costs_a_point_once() -> None:
    table = Table().acts("centre: clubs-2; centre: clubs-8")
    table.press(1)
    table.press(1)
    assert table.points == {1: -1, 2: 0, 3: 0}


def test_nobody_is_told_that_two_are_alike() -> None:
    assert two_sevens().view["now"] == Table().view["now"]
