"""Which tap is but another reading of a token that still lies there, and which is an act."""

import itertools

import pytest

from companion.kit.table_for_tests import cases
from tests.games.kartel.table import BOX, Table, ring


@cases(
    "seats, acts, turn",
    ("at the seat and at the centre it is one act", 3, "1: red-3; centre: red-3; 1: red-3", 2),
    ("won at the centre it is not the next player's", 3, "centre: red-3; !2: red-3", 2),
    ("it still lies there after the next act", 3, "1: red-3; 2: green-3; 1: red-3", 3),
    ("it still lies there after a misplay", 3, "1: red-3; !2: red-3; 1: red-3", 2),
    ("but no more at the centre", 3, "1: red-3; 2: green-3; !centre: red-3", 3),
    ("in the next round it is not won again", 3, "1: red-3; 2: green-3; 3: blue-3; !1: red-3", 1),
    ("until its player's turn", 4, "1: red-3; 2: green-1; 1: red-3; 3: green-3; 1: red-3; 4: blue-3; !1: red-3", 1),
    ("a boss still lies in the prison", 3, "prison: red-boss; 2: green-3; prison: red-boss", 3),
    ("a misplay read twice is one misplay", 3, "!2: red-3; 2: red-3; 2: red-3", 1),
    ("after another misplay it is one again", 3, "!2: red-3; !3: green-3; !2: red-3", 1),
)
def test_without_a_ring(seats: int, acts: str, turn: int) -> None:
    table = Table(*range(1, seats + 1)).acts(acts)
    assert table.turn == [turn]


@pytest.mark.parametrize("spots", [*itertools.product(("prison", "centre", "1"), repeat=3)], ids="-".join)
def test_a_boss_on_his_way_to_the_prison_is_jailed_once(spots: tuple[str, ...]) -> None:
    table = Table().acts("; ".join(f"{spot}: red-boss" for spot in spots))
    assert table.turn == [2]


# At a ring.


@cases(
    "acts, rollers",
    ("the ring read at the centre is no reading of what is won there", f"1: roll 3; centre: {BOX[2]}", [2]),
    ("before and after the die", f"1: roll 3; centre: {BOX[0]}; 1: {BOX[0]}; 2: roll 3; centre: {BOX[0]}", []),
    ("the last token of the ring is read twice after done", f"centre: {BOX[-1]}", [1]),
    ("an earlier one is not", f"!centre: {BOX[0]}", [1]),
)
def test_at_a_ring(acts: str, rollers: list[int]) -> None:
    table = ring().acts(acts)
    assert table.rollers == rollers
