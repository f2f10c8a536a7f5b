"""Whose turn it is, and where a token is won."""

import pytest

from companion.kit.table_for_tests import cases
from tests.games.kartel.table import GANGSTERS, Table


@pytest.mark.parametrize("seats", [(1, 2), (5, 2), (3, 6, 1), (4, 2, 6, 1), (2, 3, 4, 5, 6), (6, 1, 2, 3, 4, 5)])
def test_the_turn_goes_round_in_the_order_of_the_players(seats: tuple[int, ...]) -> None:
    table = Table(*seats)
    for seat, token in zip(seats * 3, GANGSTERS, strict=False):
        assert table.turn == [seat]
        table.tap(seat, token)
    assert table.misplays == []


@cases(
    "acts, points, turn",
    ("a token is won at the seat", "1: red-3", (-3, 0, 0), 2),
    ("or at the centre", "centre: red-3", (-3, 0, 0), 2),
    ("by whose turn it is", "centre: red-1; centre: red-2a; centre: red-3; centre: green-3", (-4, -2, -3), 2),
    ("no other pad wins one", "!prison: red-3; !discard: red-3; !row: red-money; 1: red-3", (-3, 0, 0), 2),
    ("nobody wins one out of turn", "!2: yellow-1; !3: yellow-2b; !2: yellow-money", (0, 0, 0), 1),
    ("a token refused is still in the ring", "!2: yellow-1; 1: yellow-1", (-1, 0, 0), 2),
    ("a boss takes the turn too", "1: red-boss; !1: red-1", (0, 0, 0), 2),
    ("what others have is not won again", "1: red-1; 2: red-2a; 3: red-3; !1: red-2a; !1: red-3", (-1, -2, -3), 1),
    ("a die without a ring limits nothing", "1: roll 2; 1: red-1; 2: roll 4; 2: turquoise-3", (-1, -3, 0), 3),
    ("but it is the active player's die", "!1: roll 5; !2: roll 3; host: roll 3; 1: red-1", (-1, 0, 0), 2),
)
def test_a_turn(acts: str, points: tuple[int, ...], turn: int) -> None:
    table = Table().acts(acts)
    assert tuple(table.points.values()) == points
    assert table.turn == [turn]
