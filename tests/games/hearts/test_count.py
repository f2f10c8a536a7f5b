"""What a round costs, and when a match is over."""

from tests.games.hearts.table import after_passing, play_round


def test_each_heart_costs_a_point_and_the_queen_of_spades_thirteen() -> None:
    table = after_passing(1, 2, 3).acts("1: clubs-2; 2: clubs-3; 3: clubs-4; 3: diamonds-9; 1: hearts-3; 2: spades-12")
    assert table.view["taken"] == {"1": 0, "2": 0, "3": 14}


def test_a_round_costs_twenty_six_in_all() -> None:
    table = after_passing(limit=200)
    play_round(table)
    assert sum(table.points.values()) in {26, 78}


def test_whoever_takes_all_points_leaves_twenty_six_to_each_of_the_others() -> None:
    table = after_passing(1, 2, 3, limit=200)
    play_round(table, taker=2)
    assert table.points == {1: 26, 2: 0, 3: 26}


def test_or_has_them_taken_from_their_own_where_that_was_agreed() -> None:
    table = after_passing(1, 2, 3, limit=200, moon="own")
    play_round(table, taker=2)
    assert table.points == {1: 0, 2: -26, 3: 0}


def test_whoever_revoked_takes_all_points_of_the_round() -> None:
    table = after_passing(1, 2, 3, limit=200).acts(
        "1: clubs-2; 2: diamonds-3; 3: clubs-4; 3: diamonds-9; 1: diamonds-5"
    )
    table.acts("2: clubs-7")
    play_round(table)
    assert table.points == {1: 0, 2: 26, 3: 0}


def test_after_the_round_in_which_somebody_reaches_the_limit_the_fewest_points_win() -> None:
    table = after_passing(1, 2, 3, limit=20)
    play_round(table, taker=2)
    assert table.over
    assert table.winners == [2]


def test_ties_share_the_win() -> None:
    table = after_passing(1, 2, 3, limit=20).acts("1: clubs-2; 2: diamonds-3; 3: clubs-4; 3: diamonds-9; 1: diamonds-5")
    table.acts("2: clubs-7")
    play_round(table)
    assert table.winners == [1, 3]
