"""The points, the tie-break, and who wins."""

import pytest

from tests.games.kartel.table import BOSSES, COLOURS, Table

GANG = {"1": 1, "2a": 2, "2b": 2, "3": 3}


def last_bosses(*free: str) -> list[str]:
    return [boss for boss in BOSSES if boss.removesuffix("-boss") not in free]


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize(("token", "gangsters"), GANG.items())
def test_a_gangster_counts_for_or_against(token: str, gangsters: int, colour: str) -> None:
    table = Table()
    table.tap(1, f"{colour}-{token}")
    assert table.points[1] == -gangsters
    table.tap("prison", f"{colour}-boss")
    assert table.points[1] == gangsters


@pytest.mark.parametrize("colour", COLOURS)
def test_money_is_three_while_the_boss_is_free_and_nothing_after(colour: str) -> None:
    table = Table()
    table.tap(1, f"{colour}-money")
    assert table.points[1] == 3
    table.tap("prison", f"{colour}-boss")
    assert table.points[1] == 0


def test_nobody_has_anything_before_the_first_token() -> None:
    assert Table(6, 2).points == {2: 0, 6: 0}


def test_the_count() -> None:
    """The worked example ka-01."""
    table = Table(1, 2)
    table.tap(1, "red-3")
    table.tap(2, "green-2a")
    table.tap(1, "red-2a")
    table.tap(2, "green-2b")
    table.tap(1, "orange-1")
    table.tap(2, "violet-1")
    table.tap("prison", "red-boss")
    table.tap(2, "turquoise-3")
    table.tap(1, "orange-money")
    table.tap(2, "green-boss")
    table.tap("prison", "blue-boss")
    table.tap(2, "yellow-money")
    table.tap(1, "blue-money")
    table.tap(2, "yellow-boss")
    table.tap("prison", "violet-boss")
    assert table.points == {1: 7, 2: 2}
    assert table.winners == [1]
    assert table.over
    assert table.misplays == []


def test_the_scores_stand_as_if_it_ended_now() -> None:
    table = Table(1, 2)
    standings = []
    for token in ("red-3", "red-money", "red-1", "red-boss", "green-money", "red-2a", "green-boss"):
        table.play(token)
        standings.append((table.points[1], table.points[2]))
    assert standings == [(-3, 0), (-3, 3), (-4, 3), (4, 0), (7, 0), (7, 2), (4, 2)]


# Free gangs.


def test_free_gangs_may_count_nothing() -> None:
    """The worked example ka-16-zero."""
    table = Table(5, 2, free_gang="zero")
    table.tap(5, "orange-3")
    table.tap(2, "green-1")
    table.tap(5, "orange-2a")
    table.tap(2, "green-2a")
    table.tap(5, "red-1")
    table.tap(2, "red-boss")
    assert table.points == {5: 1, 2: 0}
    assert not table.over
    assert table.misplays == []


def test_where_free_gangs_count_nothing_money_still_counts() -> None:
    table = Table(1, 2, free_gang="zero")
    table.play("red-money", "red-3", "green-3")
    assert table.points == {1: 3, 2: 0}
    table.play("red-boss")
    assert table.points == {1: 0, 2: 3}


def test_minus_is_the_default() -> None:
    one, other = Table(free_gang="minus"), Table()
    for table in (one, other):
        table.play("red-3", "green-2a", "blue-money")
    assert one.points == other.points == {1: -3, 2: -2, 3: 3}


# The young.


def test_the_young_play_without_money() -> None:
    table = Table(money=False)
    wrong = [table.tap(1, "red-money"), table.tap("centre", "green-money"), table.tap(2, "blue-money")]
    assert table.misplays == wrong
    assert table.points == {1: 0, 2: 0, 3: 0}
    assert table.turn == [1]


def test_the_young_count_free_gangs_against() -> None:
    table = Table(money=False)
    table.play("red-3", "red-2a", "green-1", "red-boss")
    assert table.points == {1: 3, 2: 2, 3: -1}


def test_the_young_end_with_the_fifth_boss_too() -> None:
    table = Table(1, 2, money=False)
    table.play("red-3", *BOSSES[:5])
    assert table.winners == [1]


# Who wins.


def test_the_most_points_win() -> None:
    table = Table()
    table.play("red-1", "red-2a", "red-3", *last_bosses("blue", "green"))
    assert table.points == {1: 1, 2: 2, 3: 3}
    assert table.winners == [3]


def test_the_least_below_zero_wins() -> None:
    table = Table(1, 2)
    table.play("blue-3", "green-1", "blue-2a", "green-2a", *last_bosses("blue", "green"))
    assert table.points == {1: -5, 2: -3}
    assert table.winners == [2]


def test_more_points_beat_fewer_tokens() -> None:
    table = Table(1, 2)
    table.play("red-3", "green-2a", "red-1", "green-boss", "green-1", *last_bosses("green", "violet", "turquoise")[:3])
    table.play("violet-boss")
    assert table.over
    assert table.points == {1: 5, 2: 2}
    assert table.winners == [1]


def test_a_tie_is_won_with_fewer_tokens() -> None:
    """The worked example ka-09."""
    table = Table(1, 2)
    table.play("red-3", "green-3", "red-2a", "blue-3", "green-2a", "yellow-2a", "blue-2a", "violet-1")
    table.play("orange-1", "red-boss", "turquoise-1", "yellow-2b", "green-boss", "blue-boss")
    table.play("violet-2a", "turquoise-2a", "yellow-boss", "violet-boss")
    assert table.points == {1: 9, 2: 9}
    assert table.winners == [2]
    assert table.misplays == []


def test_worthless_money_is_a_token_in_the_tie_break() -> None:
    """The worked example ka-12."""
    table = Table(1, 2)
    table.play("red-3", "red-boss", "green-boss", "blue-boss", "blue-money", "green-3", "yellow-boss", "violet-boss")
    assert table.points == {1: 3, 2: 3}
    assert table.winners == [2]
    assert table.misplays == []


def test_closed_tokens_count_in_the_tie_break() -> None:
    table = Table(1, 2)
    table.play("red-2a", "red-3", "red-1", *last_bosses("green", "turquoise"))
    assert table.points == {1: 3, 2: 3}
    assert table.winners == [2]


def test_open_tokens_count_in_the_tie_break() -> None:
    table = Table(1, 2, free_gang="zero")
    table.play("green-3", "red-boss", "red-2a", "red-2b", *last_bosses("red", "green", "turquoise"))
    assert table.points == {1: 2, 2: 2}
    assert table.winners == [2]


def test_a_jailed_boss_is_no_token_in_the_tie_break() -> None:
    table = Table(1, 2)
    table.play("red-2a", "green-boss", "blue-boss", "red-2b", "violet-boss", "yellow-boss", "red-boss")
    assert table.points == {1: 2, 2: 2}
    assert table.winners == [1, 2]


def test_nobody_with_any_token_is_a_tie_too() -> None:
    table = Table()
    table.play(*BOSSES[:5])
    assert table.points == {1: 0, 2: 0, 3: 0}
    assert table.winners == [1, 2, 3]


def test_the_tie_break_is_only_among_the_best() -> None:
    table = Table()
    table.play("red-3", "red-1", "green-1", "red-boss", "red-2a", "blue-boss", "yellow-boss", "orange-boss")
    table.play("violet-boss")
    assert table.points == {1: 3, 2: 3, 3: -1}
    assert table.winners == [1]


def test_several_who_cannot_be_told_apart_win_in_the_order_of_the_seats() -> None:
    table = Table(6, 4, 1, 3)
    table.play("red-2a", "red-2b", "red-1", "red-boss", "green-1", "green-boss", "red-3", "green-2a")
    assert table.points == {6: 3, 4: 2, 1: 4, 3: 2}
    table = Table(6, 4, 1)
    table.play("red-2a", "red-2b", "green-2a", *last_bosses("blue", "turquoise"))
    assert table.winners == [1, 4, 6]


def test_nobody_wins_before_the_end() -> None:
    table = Table()
    table.play("red-3", *BOSSES[:4])
    assert table.winners == []
