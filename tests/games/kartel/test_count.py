"""The points, the tie-break, and who wins."""

from typing import Any

import pytest

from companion.kit.table_for_tests import cases
from tests.games.kartel.table import BOSSES, COLOURS, Table

WORTH = {"1": (-1, 1), "2a": (-2, 2), "2b": (-2, 2), "3": (-3, 3), "money": (3, 0)}
"""While the boss is free, and in prison."""


def bosses_but(*free: str) -> str:
    return " ".join(boss for boss in BOSSES if boss.removesuffix("-boss") not in free)


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize(("token", "worth"), WORTH.items())
def test_a_gangster_counts_for_or_against_and_money_while_the_boss_is_free(
    token: str, worth: tuple[int, int], colour: str
) -> None:
    table = Table()
    table.tap(1, f"{colour}-{token}")
    free = table.points[1]
    table.tap("prison", f"{colour}-boss")
    assert (free, table.points[1]) == worth


@cases(
    "options, tokens, points",
    ("nobody has anything before the first token", {}, "", {2: 0, 5: 0}),
    ("free gangs count against", {}, "red-3 green-2a blue-money", {5: 0, 2: -2}),
    ("or nothing, but money counts", {"free_gang": "zero"}, "red-money red-3 green-3", {5: 3, 2: 0}),
    ("to the young free gangs, too", {"money": False}, "red-3 red-2a green-1 red-boss", {5: 2, 2: 2}),
)
def test_points(options: dict[str, Any], tokens: str, points: dict[int, int]) -> None:
    table = Table(5, 2, **options)
    table.play(*tokens.split())
    assert table.points == points
    assert table.misplays == []
    assert not table.over


@cases(
    "tokens, points, winners",
    ("the most points", f"red-1 red-2a red-3 {bosses_but('blue', 'green')}", (1, 2, 3), [3]),
    (
        "more points beat fewer tokens",
        f"red-3 green-2a red-1 green-boss green-1 {' '.join(BOSSES[:3])} violet-boss",
        (5, 2),
        [1],
    ),
    (
        "a tie is won with fewer tokens, ka-09",
        "red-3 green-3 red-2a blue-3 green-2a yellow-2a blue-2a violet-1 orange-1 red-boss turquoise-1 yellow-2b"
        " green-boss blue-boss violet-2a turquoise-2a yellow-boss violet-boss",
        (9, 9),
        [2],
    ),
    ("so are closed tokens", f"red-2a red-3 red-1 {bosses_but('green', 'turquoise')}", (3, 3), [2]),
    ("a boss is none", "red-2a green-boss blue-boss red-2b violet-boss yellow-boss red-boss", (2, 2), [1, 2]),
    ("nobody with any token is a tie too", " ".join(BOSSES[:5]), (0, 0, 0), [1, 2, 3]),
    (
        "the tie-break is only among the best",
        "red-3 red-1 green-1 red-boss red-2a blue-boss yellow-boss orange-boss violet-boss",
        (3, 3, -1),
        [1],
    ),
)
def test_who_wins(tokens: str, points: tuple[int, ...], winners: list[int]) -> None:
    table = Table(*range(1, len(points) + 1))
    table.play(*tokens.split())
    assert table.over
    assert table.misplays == []
    assert tuple(table.points.values()) == points
    assert table.winners == winners
    tied = points.count(max(points)) > 1
    code = "match-shared" if len(winners) > 1 else "match-won-by-fewer" if tied else "match-won"
    assert table.match.verdicts[-1].code == code


def test_several_who_cannot_be_told_apart_win_in_the_order_of_the_seats() -> None:
    table = Table(6, 4, 1)
    table.play("red-2a", "red-2b", "green-2a", *bosses_but("blue", "turquoise").split())
    assert table.winners == [1, 4, 6]
