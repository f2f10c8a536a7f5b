"""Bosses: where they are jailed, what that turns, and the fifth."""

import itertools

import pytest

from companion.kit.table_for_tests import cases
from tests.games.kartel.table import BOSSES, Table


@cases(
    "acts, points, turn",
    ("nobody jails one out of turn", "!2: red-boss; !3: red-boss", (0, 0, 0), 1),
    ("and jailed when the turn comes", "1: red-3; !3: red-boss; 2: red-boss", (3, 0, 0), 3),
    (
        "every player's gang is turned",
        "1: red-1; 2: red-2a; 3: red-3; 1: green-2a; 2: red-money; 3: red-boss",
        (-1, 2, 3),
        1,
    ),
    ("what is won of it later is turned at once", "1: red-boss; 2: red-2b; 3: red-money", (0, 2, 0), 1),
    ("a boss is nobody's token, ka-18", "1: red-boss; 2: red-3; 3: red-1; !3: blue-2a; 1: red-money", (0, 3, 1), 2),
)
def test_a_boss(acts: str, points: tuple[int, ...], turn: int) -> None:
    table = Table().acts(acts)
    assert tuple(table.points.values()) == points
    assert table.turn == [turn]


# The end.


@pytest.mark.parametrize("free", [*itertools.combinations(BOSSES, 2)][::4])
def test_any_five_bosses_end_it_and_four_do_not(free: tuple[str, str]) -> None:
    table = Table()
    *four, fifth = (boss for boss in BOSSES if boss not in free)
    table.play(*four)
    assert (table.over, table.winners, table.turn) == (False, [], [2])
    table.play(fifth)
    assert table.over


def test_everything_after_the_end_is_a_misplay() -> None:
    table = Table(1, 2)
    table.play("red-1", "red-2a", *BOSSES[:5])
    scores = table.points
    table.acts(f"!2: green-3; !prison: {BOSSES[5]}; !1: red-2a; !1: green-3; !2: roll 3; !host: done; !1: gangster-3")
    late = [table.say("host", "hello"), table.press(1), table.elapse("supper")]
    assert table.misplays[-3:] == late
    assert table.points == scores
    assert table.winners == [2]
