"""Which tap is but another reading of a token that still lies there, and which is an act."""

import itertools

import pytest

from tests.games.kartel.table import BOX, Table, ring


@pytest.mark.parametrize(
    ("seats", "acts", "turn"),
    [
        pytest.param(3, "1:red-3 centre:red-3 1:red-3", 2, id="at the seat and at the centre it is one act"),
        pytest.param(3, "centre:red-3 !2:red-3", 2, id="won at the centre it is not the next player's"),
        pytest.param(3, "1:red-3 2:green-3 1:red-3", 3, id="it still lies there after the next act"),
        pytest.param(3, "1:red-3 !2:red-3 1:red-3", 2, id="it still lies there after a misplay"),
        pytest.param(3, "1:red-3 2:green-3 !centre:red-3", 3, id="but no more at the centre"),
        pytest.param(3, "1:red-3 2:green-3 3:blue-3 !1:red-3", 1, id="in the next round it is not won again"),
        pytest.param(
            4, "1:red-3 2:green-1 1:red-3 3:green-3 1:red-3 4:blue-3 !1:red-3", 1, id="until its player's turn"
        ),
        pytest.param(3, "prison:red-boss 2:green-3 prison:red-boss", 3, id="a boss still lies in the prison"),
        pytest.param(3, "!2:red-3 2:red-3 2:red-3", 1, id="a misplay read twice is one misplay"),
        pytest.param(3, "!2:red-3 !3:green-3 !2:red-3", 1, id="after another misplay it is one again"),
    ],
)
def test_without_a_ring(seats: int, acts: str, turn: int) -> None:
    table = Table(*range(1, seats + 1))
    table.acts(acts)
    assert table.turn == [turn]


@pytest.mark.parametrize("spots", [*itertools.product(("prison", "centre", "1"), repeat=3)], ids="-".join)
def test_a_boss_on_his_way_to_the_prison_is_jailed_once(spots: tuple[str, ...]) -> None:
    table = Table()
    table.acts(" ".join(f"{spot}:red-boss" for spot in spots))
    assert table.turn == [2]


# At a ring.


@pytest.mark.parametrize(
    ("acts", "rollers"),
    [
        pytest.param(
            f"1:roll=3 centre:{BOX[2]}", [2], id="the ring read at the centre is no reading of what is won there"
        ),
        pytest.param(
            f"1:roll=3 centre:{BOX[0]} 1:{BOX[0]} 2:roll=3 centre:{BOX[0]}", [], id="before and after the die"
        ),
        pytest.param(f"centre:{BOX[-1]}", [1], id="the last token of the ring is read twice after done"),
        pytest.param(f"!centre:{BOX[0]}", [1], id="an earlier one is not"),
    ],
)
def test_at_a_ring(acts: str, rollers: list[int]) -> None:
    table = ring()
    table.acts(acts)
    assert table.rollers == rollers
