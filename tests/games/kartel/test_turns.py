"""Whose turn it is, and where a token is won."""

import pytest

from tests.games.kartel.table import GANGSTERS, MONEY, Table


def test_the_first_of_the_players_begins() -> None:
    assert Table(1, 2).turn == [1]
    assert Table(5, 2).turn == [5]
    assert Table(3, 6, 1).turn == [3]


@pytest.mark.parametrize("seats", [(1, 2), (3, 6, 1), (4, 2, 6, 1), (2, 3, 4, 5, 6), (6, 1, 2, 3, 4, 5)])
def test_the_turn_goes_round_in_the_order_of_the_players(seats: tuple[int, ...]) -> None:
    table = Table(*seats)
    for seat, token in zip(seats * 3, GANGSTERS, strict=False):
        assert table.turn == [seat]
        table.tap(seat, token)
    assert table.misplays == []


@pytest.mark.parametrize("spot", [1, "centre"])
def test_a_token_is_won_at_the_seat_or_at_the_centre(spot: int | str) -> None:
    table = Table()
    table.tap(spot, "red-3")
    assert table.points == {1: -3, 2: 0, 3: 0}
    assert table.turn == [2]
    assert table.misplays == []


def test_at_the_centre_a_token_belongs_to_whose_turn_it_is() -> None:
    table = Table(3, 6, 1)
    table.play("red-1", "red-2a", "red-3", "green-3", "green-1")
    assert table.points == {3: -4, 6: -3, 1: -3}
    assert table.turn == [1]


@pytest.mark.parametrize("pad", ["prison", "discard", "row"])
def test_no_other_pad_wins_a_token(pad: str) -> None:
    table = Table()
    wrong = table.tap(pad, "red-3")
    money = table.tap(pad, "red-money")
    assert table.misplays == [wrong, money]
    assert table.turn == [1]
    table.tap(1, "red-3")
    assert table.points[1] == -3


@pytest.mark.parametrize("token", ["yellow-1", "yellow-2b", "yellow-money"])
def test_nobody_wins_a_token_out_of_turn(token: str) -> None:
    table = Table()
    wrong = [table.tap(2, token), table.tap(3, token)]
    assert table.misplays == wrong
    assert table.points == {1: 0, 2: 0, 3: 0}
    assert table.turn == [1]


def test_a_token_refused_is_still_in_the_ring() -> None:
    table = Table()
    wrong = table.tap(2, "yellow-1")
    table.tap(1, "yellow-1")
    assert table.points == {1: -1, 2: 0, 3: 0}
    assert table.misplays == [wrong]


def test_a_token_refused_is_won_when_its_player_has_the_turn() -> None:
    table = Table()
    wrong = table.tap(2, "yellow-1")
    table.tap(1, "red-1")
    table.tap(2, "yellow-1")
    assert table.points == {1: -1, 2: -1, 3: 0}
    assert table.misplays == [wrong]


def test_one_token_a_turn() -> None:
    table = Table()
    table.tap(1, "red-1")
    second = table.tap(1, "green-1")
    assert table.misplays == [second]
    assert table.turn == [2]


def test_the_wrong_token_at_the_wrong_seat() -> None:
    """The worked example ka-19."""
    table = Table()
    table.tap(1, "green-1")
    early = table.tap(3, "yellow-1")
    table.tap(2, "blue-2a")
    table.tap(3, "violet-3")
    anothers = table.tap(1, "blue-2a")
    table.tap(1, "green-boss")
    misread = table.tap(2, "turquoise-3")
    table.retract(misread)
    table.tap(2, "turquoise-2a")
    assert table.misplays == [early, anothers]
    assert table.points == {1: 1, 2: -4, 3: -3}


@pytest.mark.parametrize("holder", [2, 3])
def test_a_token_that_another_player_has_is_not_won_again(holder: int) -> None:
    table = Table()
    table.tap(1, "red-1")
    table.tap(2, "red-2a")
    table.tap(3, "red-3")
    wrong = table.tap(1, {2: "red-2a", 3: "red-3"}[holder])
    assert table.misplays == [wrong]
    assert table.points == {1: -1, 2: -2, 3: -3}
    assert table.turn == [1]


def test_all_tokens_of_a_colour_are_different_tokens() -> None:
    table = Table(1, 2)
    table.play("red-1", "green-1", "red-2a", "green-money", "red-2b", "green-2a", "red-3")
    assert table.points == {1: -8, 2: 0}
    assert table.misplays == []


def test_every_token_can_be_won() -> None:
    table = Table(1, 2, 3, 4, 5)
    table.play(*GANGSTERS, *MONEY)
    assert table.misplays == []
    assert sum(points or 0 for points in table.points.values()) == -7 * 8 + 7 * 3
    assert not table.over


def test_no_die_is_needed_without_a_ring() -> None:
    table = Table()
    table.play("red-1", "green-1")
    assert table.misplays == []


@pytest.mark.parametrize("value", [2, 3, 4])
def test_a_die_may_be_told_without_a_ring_and_limits_nothing(value: int) -> None:
    table = Table()
    table.roll(1, value)
    assert table.turn == [1]
    table.tap(1, "red-1")
    table.roll(2, value)
    table.tap(2, "turquoise-3")
    table.tap(3, "blue-boss")
    assert table.misplays == []
    assert table.points == {1: -1, 2: -3, 3: 0}


def test_at_may_run_back() -> None:
    table = Table()
    table.tap(1, "red-1", at=200.0)
    table.tap(2, "red-2a", at=150.0)
    table.tap(3, "red-3", at=149.999999)
    assert table.points == {1: -1, 2: -2, 3: -3}
    assert table.misplays == []


def test_nothing_hangs_on_the_time() -> None:
    table = Table()
    table.tap(1, "red-1", at=100.0)
    table.tap(2, "red-2a", at=100.0)
    table.tap(3, "red-3", at=90000.0)
    assert table.points == {1: -1, 2: -2, 3: -3}
