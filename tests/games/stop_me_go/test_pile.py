"""The pile of gangsters, and what happens when it is empty."""

import pytest

from tests.games.stop_me_go.table import GANGSTERS, Table

LAZY = "lazy"
EAGER = "eager"
both = pytest.mark.parametrize("reshuffle", [LAZY, EAGER])


def fled(flights: int, **options: str) -> Table:
    """Everybody lays GO; gangsters 1, 2, 3 … come, and 1, 2, 3 … have fled, so many of them."""
    table = Table(1, 2, **options)
    for number in range(1, flights + 4):
        if number > 4:
            table.flip()
        table.misdeed(number)
    table.flip()
    return table


def test_lazy_is_the_default() -> None:
    assert fled(7).awaited == fled(7, reshuffle=LAZY).awaited != fled(7, reshuffle=EAGER).awaited


@both
@pytest.mark.parametrize("flights", range(1, 7))
def test_while_the_pile_lasts_no_gangster_comes_back(flights: int, reshuffle: str) -> None:
    table = fled(flights, reshuffle=reshuffle)
    assert table.awaited == list(range(flights + 4, 11))


def test_lazy_the_pile_is_made_of_all_seven_that_do_not_lie_there() -> None:
    table = fled(7)
    assert table.awaited == [1, 2, 3, 4, 5, 6, 7]


def test_eager_the_one_that_flees_next_is_not_in_the_new_pile() -> None:
    table = fled(7, reshuffle=EAGER)
    assert table.awaited == [1, 2, 3, 4, 5, 6]


def test_lazy_the_second_pile_lasts_for_seven() -> None:
    table = fled(7)
    for number in (7, 6, 5, 4, 3, 2, 1):
        assert number in table.awaited
        table.misdeed(number)
        table.flip()
    assert table.misplays == []
    assert table.awaited == [4, 5, 6, 7, 8, 9, 10]


def test_eager_the_second_pile_lasts_for_six() -> None:
    table = fled(7, reshuffle=EAGER)
    for number in (6, 5, 4, 3, 2, 1):
        assert number in table.awaited
        table.misdeed(number)
        table.flip()
    assert table.misplays == []
    # 3, 2, 1 lie there; 7 to 10, 6 and 5 had fled when the 1 was drawn, 4 has fled since.
    assert table.awaited == [5, 6, 7, 8, 9, 10]


@both
def test_in_the_second_pile_no_gangster_comes_back_either(reshuffle: str) -> None:
    table = fled(7, reshuffle=reshuffle)
    table.misdeed(6)
    table.flip()
    assert not {6, 7, 8, 9, 10} & set(table.awaited) - ({7} if reshuffle == LAZY else set())
    assert 6 not in table.awaited


@both
def test_a_gangster_refused_from_the_old_pile_may_come_from_the_new_one(reshuffle: str) -> None:
    table = fled(6, reshuffle=reshuffle)
    wrong = table.tap("centre", "gangster-3")
    table.misdeed(10)
    table.flip()
    table.misdeed(3)
    assert table.misplays == [wrong]
    assert table.flippable


@both
def test_the_next_round_begins_with_all_ten_whatever_lay_in_the_pile(reshuffle: str) -> None:
    table = fled(7, reshuffle=reshuffle)
    table.misdeed(5, 1)
    for _ in range(4):
        table.flip()
        if table.awaited:
            table.misdeed(table.awaited[0])
    table.flip(3)
    assert table.takers == [1]
    table.token(1)
    assert table.awaited == list(GANGSTERS)


@both
def test_a_pile_does_not_reach_into_the_next_round(reshuffle: str) -> None:
    """Three gangsters discarded at the end of a round do not make the next round's pile."""
    table = Table(1, 2, reshuffle=reshuffle)
    table.rounds(1)
    for number in range(1, 11):
        if number > 4:
            table.flip()
        assert table.awaited == list(range(1, number) if number > 10 else range(number, 11))
        table.misdeed(number)


@both
def test_a_flight_taken_back_gives_the_pile_back(reshuffle: str) -> None:
    table = fled(6, reshuffle=reshuffle)
    table.misdeed(10)
    flight = table.press(1)
    first = table.tap("centre", "gangster-5")
    table.retract(flight)
    assert table.misplays == [first]
    assert table.flippable
