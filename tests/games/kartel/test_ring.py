"""The die, and how far the commissioner walks."""

from typing import Any

import pytest
from msgspec import UNSET

from tests.games.kartel.table import BOSSES, BOX, GANGSTERS, MONEY, Table, ring, ring_of

BAD = [
    *(0, 1, 5, 6, -2, 23, 10**30, -(10**30)),
    *(2.0, 3.0, 3.5, True, False, None, UNSET),
    *("3", "three", "", [3], [], {"value": 3}, {}, {"seat": 1}, [2, 3, 4]),
]


# The die.


@pytest.mark.parametrize("value", BAD, ids=repr)
def test_the_die_shows_two_three_or_four(value: Any) -> None:
    table = ring()
    wrong = table.roll(1, value)
    assert table.misplays == [wrong]
    assert table.rollers == [1]
    assert table.tap(1, BOX[0]) in table.misplays


@pytest.mark.parametrize("value", BAD, ids=repr)
def test_without_a_ring_the_die_shows_the_same(value: Any) -> None:
    table = Table()
    wrong = table.roll(1, value)
    assert table.misplays == [wrong]
    assert table.turn == [1]


def test_a_die_refused_is_told_again() -> None:
    table = ring()
    wrong = table.roll(1, 5)
    table.roll(1, 3)
    assert table.reach == set(BOX[:3])
    assert table.misplays == [wrong]


@pytest.mark.parametrize("seat", [2, 3])
def test_nobody_rolls_out_of_turn(seat: int) -> None:
    table = ring()
    wrong = table.roll(seat, 3)
    assert table.misplays == [wrong]
    assert table.reach == set()
    table.roll(1, 2)
    assert table.reach == set(BOX[:2])


def test_the_next_player_rolls_only_when_the_token_is_won() -> None:
    table = ring()
    table.roll(1, 3)
    wrong = table.roll(2, 4)
    assert table.misplays == [wrong]
    assert table.reach == set(BOX[:3])


def test_the_host_may_tell_the_die() -> None:
    table = ring()
    table.roll("host", 2)
    assert table.misplays == []
    assert table.reach == set(BOX[:2])


@pytest.mark.parametrize("second", [2, 4])
def test_the_die_is_rolled_once(second: int) -> None:
    table = ring()
    table.roll(1, 3)
    again = table.roll(1, second)
    assert table.misplays == [again]
    assert table.reach == set(BOX[:3])


def test_a_die_told_wrongly_is_taken_back() -> None:
    table = ring()
    wrong = table.roll(1, 4)
    table.retract(wrong)
    assert table.reach == set()
    table.roll(1, 2)
    assert table.reach == set(BOX[:2])
    assert table.misplays == []


def test_every_turn_has_its_own_die() -> None:
    table = ring()
    table.move(1, 4, BOX[0])
    assert table.reach == set()
    assert table.rollers == [2]
    table.move(2, 2, BOX[1])
    assert table.rollers == [3]
    assert table.misplays == []


@pytest.mark.parametrize("spot", [1, 2, "centre", "prison"])
def test_no_token_before_the_die(spot: int | str) -> None:
    table = ring("red-1", "red-boss")
    wrong = [table.tap(spot, "red-1"), table.tap(spot, "red-boss")]
    assert table.misplays == wrong
    assert table.rollers == [1]


@pytest.mark.parametrize("spot", [1, "centre"])
def test_a_token_tapped_before_the_die_is_judged_anew_after_it(spot: int | str) -> None:
    table = ring("red-1", "red-3")
    wrong = table.tap(spot, "red-3")
    table.roll(1, 2)
    table.tap(spot, "red-3")
    assert table.misplays == [wrong]
    assert table.points[1] == -3
    assert table.rollers == [2]


@pytest.mark.parametrize("spot", [1, "centre"])
def test_a_token_tapped_before_the_die_is_told_after_it_to_be_out_of_reach(spot: int | str) -> None:
    table = ring("red-1", "red-2a", "red-3")
    early = table.tap(spot, "red-3")
    table.roll(1, 2)
    far = table.tap(spot, "red-3")
    assert table.misplays == [early, far]
    assert table.reach == {"red-1", "red-2a"}


def test_the_turn_goes_round_at_a_ring_too() -> None:
    table = ring(seats=(5, 1, 3))
    for seat, card in zip((5, 1, 3, 5, 1, 3, 5), BOX, strict=False):
        assert table.rollers == [seat]
        table.move(seat, 2, card)
    assert table.misplays == []


# The walk.


@pytest.mark.parametrize("die", [2, 3, 4])
def test_the_commissioner_walks_one_token_at_least_and_the_die_at_most(die: int) -> None:
    table = ring()
    table.roll(1, die)
    assert table.reach == set(BOX[:die])


@pytest.mark.parametrize("steps", [1, 2, 3, 4])
def test_he_goes_on_from_the_gap_of_the_token_that_was_won(steps: int) -> None:
    table = ring()
    table.move(1, 4, BOX[steps - 1])
    table.roll(2, 4)
    assert table.reach == set(BOX[steps : steps + 4])
    assert table.misplays == []


def test_he_never_walks_back() -> None:
    table = ring()
    table.move(1, 4, BOX[3])
    table.roll(2, 4)
    wrong = [table.tap(2, card) for card in (BOX[2], BOX[1], BOX[0], BOX[-1])]
    assert table.misplays == wrong
    assert table.reach == set(BOX[4:8])


def test_out_of_reach_takes_no_turn_and_no_die() -> None:
    table = ring()
    table.roll(1, 2)
    wrong = table.tap(1, BOX[2])
    assert table.reach == set(BOX[:2])
    table.tap(1, BOX[1])
    assert table.misplays == [wrong]
    assert table.rollers == [2]


def test_a_boss_out_of_reach_is_not_jailed() -> None:
    table = ring("red-1", "red-2a", "red-boss")
    table.roll(1, 2)
    wrong = [table.tap(spot, "red-boss") for spot in ("prison", 1, "centre")]
    assert table.misplays == wrong
    table.tap(1, "red-2a")
    assert table.points[1] == -2


@pytest.mark.parametrize("card", ["red-1", "red-boss"])
def test_another_player_takes_nothing_within_reach(card: str) -> None:
    table = ring("red-1", "red-boss", "blue-1")
    table.roll(1, 2)
    wrong = table.tap(2, card)
    assert table.misplays == [wrong]
    assert table.reach == {"red-1", "red-boss"}


@pytest.mark.parametrize("spot", [1, "centre", "prison"])
def test_a_boss_leaves_a_gap_that_does_not_count(spot: int | str) -> None:
    table = ring("red-1", "red-boss", "blue-1", "blue-3")
    table.move(1, 2, "red-boss", spot)
    table.roll(2, 2)
    assert table.reach == {"blue-1", "blue-3"}
    assert table.misplays == []


def test_tokens_passed_are_reached_across_the_end_of_the_ring() -> None:
    order = ring_of()
    table = first_lap(order)
    table.roll(1, 4)
    assert table.reach == {order[40], order[41], order[0], order[1]}
    table.tap(1, order[0])
    table.roll(2, 3)
    assert table.reach == {order[1], order[2], order[4]}


def test_gaps_are_closed_up_on_the_second_lap() -> None:
    order = ring_of()
    table = first_lap(order)
    table.move(1, 4, order[1])
    table.roll(2, 4)
    assert table.reach == {order[2], order[4], order[5], order[6]}
    table.tap(2, order[6])
    table.roll(1, 4)
    assert table.reach == {order[8], order[9], order[10], order[12]}
    assert table.misplays == []


def test_a_token_passed_comes_back_on_the_next_lap() -> None:
    """The worked example ka-06."""
    table = ring(
        *("green-2a", "red-boss", "red-1", "orange-1", "orange-boss", "yellow-1", "green-1", "blue-1", "violet-1"),
        *("turquoise-1", "yellow-boss", "red-2b", "orange-2b", "yellow-2b", "green-2b", "blue-2b", "green-boss"),
        *("violet-2b", "turquoise-2b", "red-3", "orange-3", "yellow-3", "blue-boss", "green-3", "blue-3", "violet-3"),
        *("turquoise-3", "red-money", "violet-boss", "orange-money", "yellow-money", "green-money", "blue-money"),
        *("violet-money", "turquoise-boss", "turquoise-money", "red-2a", "orange-2a", "yellow-2a", "blue-2a"),
        *("violet-2a", "turquoise-2a"),
        seats=(1, 2),
    )
    table.move(1, 2, "red-boss")
    table.move(2, 4, "orange-1")
    table.move(1, 4, "blue-1")
    table.move(2, 4, "red-2b")
    table.move(1, 4, "blue-2b")
    table.move(2, 4, "red-3")
    table.move(1, 4, "green-3")
    table.move(2, 4, "red-money")
    table.move(1, 4, "green-money")
    table.move(2, 4, "turquoise-money")
    table.move(1, 4, "blue-2a")
    table.move(2, 4, "green-2a")
    assert table.points == {1: -5, 2: 5}
    assert table.misplays == []
    assert not table.over


@pytest.mark.parametrize(("die", "within"), [(2, 2), (3, 3), (4, 3)])
def test_the_fourth_step_round_the_last_three_bosses_is_the_first_again(die: int, within: int) -> None:
    table = ring(*BOSSES[:4], seats=(1, 2))
    for at, card in enumerate((*BOSSES[:4], *GANGSTERS, *MONEY)):
        table.move(1 + at % 2, 2, card)
    assert not table.over
    table.roll(2, die)
    assert table.reach == set(BOSSES[4 : 4 + within])
    table.tap("prison", BOSSES[4])
    assert table.over
    assert table.misplays == []


def test_the_fifth_boss_ends_it_at_a_ring_too() -> None:
    table = ring(*BOSSES[:5])
    for at in range(5):
        table.move(1 + at % 3, 2, BOSSES[at])
    assert table.over
    assert table.roll(3, 2) in table.misplays


def test_who_taps_too_early_too_far_and_behind() -> None:
    """The worked example ka-04."""
    table = ring("green-2a", "red-boss", "blue-money", "yellow-1", "violet-3")
    wrong = [table.tap(1, "green-2a")]
    table.roll(1, 3)
    wrong.append(table.tap(1, "yellow-1"))
    table.tap("prison", "red-boss")
    wrong.append(table.roll(2, 5))
    table.roll(2, 2)
    wrong.append(table.tap(2, "green-2a"))
    assert table.reach == {"blue-money", "yellow-1"}
    table.tap("centre", "yellow-1")
    assert table.points == {1: 0, 2: -1, 3: 0}
    assert table.misplays == wrong
    assert not table.over


def test_at_the_ring_of_the_young_money_takes_no_turn() -> None:
    """The worked example ka-13."""
    table = ring("red-1", "orange-3", "yellow-1", "red-2a", seats=(1, 2), money=False)
    table.roll(1, 2)
    wrong = table.tap(1, "orange-money")
    table.tap(1, "orange-3")
    table.move(2, 3, "red-2a")
    assert table.points == {1: -3, 2: -2}
    assert table.misplays == [wrong]


def first_lap(order: list[str]) -> Table:
    """Two players walked once round the ring, always four tokens: all but every fourth still lie there."""
    table = ring(*order, seats=(1, 2))
    for at, card in enumerate(order[3:40:4]):
        table.move(1 + at % 2, 4, card)
    return table
