"""The die, and how far the commissioner walks."""

import pytest

from companion.kit.table_for_tests import cases
from tests.games.kartel.table import BOSSES, BOX, GANGSTERS, MONEY, Table, ring, ring_of

# The die.


@cases(
    "acts, reach",
    ("a die refused is told again", "!1: roll 5; !1: roll 1; 1: roll 3", BOX[:3]),
    ("nobody rolls out of turn", "!2: roll 3; !3: roll 3", ()),
    ("the host may tell it", "host: roll 2", BOX[:2]),
    ("it is rolled once", "1: roll 3; !1: roll 2; !1: roll 3", BOX[:3]),
    ("every turn has its own", f"1: roll 4; 1: {BOX[0]}", ()),
    ("no token before it", f"!1: {BOX[0]}; !2: {BOX[0]}; !centre: {BOX[0]}; !prison: red-boss", ()),
    ("what came too early is told to be too far after it", f"!1: {BOX[2]}; 1: roll 2; !1: {BOX[2]}", BOX[:2]),
    ("or is won after it", f"!centre: {BOX[1]}; 1: roll 2; centre: {BOX[1]}", ()),
    ("the commissioner goes on from the gap", f"1: roll 4; 1: {BOX[1]}; 2: roll 4", BOX[2:6]),
    ("and never walks back", f"1: roll 4; 1: {BOX[3]}; 2: roll 4; !2: {BOX[2]}; !2: {BOX[0]}; !2: {BOX[-1]}", BOX[4:8]),
    ("out of reach takes no turn and no die", f"1: roll 2; !1: {BOX[2]}", BOX[:2]),
    ("a boss out of reach stays", "1: roll 2; !prison: red-boss; !1: red-boss; !centre: red-boss", BOX[:2]),
)
def test_the_reach(acts: str, reach: tuple[str, ...]) -> None:
    table = ring().acts(acts)
    assert table.reach == set(reach)


# The walk.


def test_every_token_keeps_its_place_and_the_commissioner_stands_where_the_last_one_lay() -> None:
    table = ring()
    assert table.circle == (list(BOX), 0, 0)
    table.acts(f"1: roll 4; 1: {BOX[1]}")
    assert table.circle == (list(BOX), 2, 0)
    table.acts(f"2: roll 4; 2: {BOX[5]}")
    assert table.circle == (list(BOX), 6, 0)


def test_a_place_that_no_token_was_read_for_is_empty() -> None:
    table = Table(ring=True, money=False).acts("centre: red-1; centre: blue-3")
    assert table.circle == (["red-1", "blue-3", *[None] * 33], 0, 0)


def test_a_table_that_reads_no_ring_has_no_circle() -> None:
    assert Table().acts("1: red-1").circle == (None, 0, 0)


def test_a_lap_is_counted_where_the_commissioner_began_and_taken_back_with_its_move() -> None:
    table = first_lap(order := ring_of())
    assert table.circle == (order, 40, 0)
    table.roll(1, 4)
    wrong = table.tap(1, order[1])
    assert table.circle == (order, 2, 1)
    table.retract(wrong)
    assert table.circle == (order, 40, 0)


@pytest.mark.parametrize("spot", [1, "centre", "prison"])
def test_a_boss_leaves_a_gap_that_does_not_count(spot: int | str) -> None:
    table = ring("red-1", "red-boss", "blue-1", "blue-3").acts(f"1: roll 2; {spot}: red-boss; 2: roll 2")
    assert table.reach == {"blue-1", "blue-3"}


def test_tokens_passed_come_back_and_gaps_are_closed_up_on_the_second_lap() -> None:
    order = ring_of()
    table = first_lap(order)
    table.roll(1, 4)
    assert table.reach == {order[40], order[41], order[0], order[1]}
    table.acts(f"1: {order[1]}; 2: roll 4")
    assert table.reach == {order[2], order[4], order[5], order[6]}
    table.acts(f"2: {order[6]}; 1: roll 4")
    assert table.reach == {order[8], order[9], order[10], order[12]}


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


def first_lap(order: list[str]) -> Table:
    """Two players walked once round the ring, always four tokens: all but every fourth still lie there."""
    table = ring(*order, seats=(1, 2))
    for at, card in enumerate(order[3:40:4]):
        table.move(1 + at % 2, 4, card)
    return table
