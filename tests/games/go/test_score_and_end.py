"""Who gets the point, the perfect ¡Go!, and the end."""

import pytest

from tests.games.go.table import (
    ALL_THREE,
    PERFECT,
    ROW,
    SEVENTEEN,
    THIRTYTWO,
    TWENTYSIX,
    TWO,
    Table,
    called,
    opened,
)

FIVE = "O1 O2 O3 O4 O5 O6 O7 O8 O9 R5 K1 K2"
SERIES = "O1 O2 O3 O4 O5 O6 O7 O8 O9"
BO = "T1 T2 T3 T5 T6 T7 T8 T9 T10 V4 G{} K3"
CLEO = "B1 B2 B3 B5 B6 B7 B8 B9 B10 Y4 N{} K4"
"""Hands that leave what stands in the braces: 1 to 3 or 5 to 10."""


def scored(bo: int, cleo: int) -> dict[int, int | None]:
    """Seat 1 calls with 5 points of penalty."""
    table = Table()
    table.round({1: FIVE, 2: BO.format(bo), 3: CLEO.format(cleo)}, SERIES)
    assert table.misplays == []
    return table.points


def test_the_caller_with_least_gets_the_point() -> None:
    assert scored(6, 7) == {1: 1, 2: 0, 3: 0}


def test_who_has_less_gets_it_instead() -> None:
    assert scored(4, 7) == {1: 0, 2: 1, 3: 0}


def test_who_has_as_much_gets_it_instead() -> None:
    assert scored(5, 7) == {1: 0, 2: 1, 3: 0}


def test_several_may_get_it() -> None:
    assert scored(1, 2) == {1: 0, 2: 1, 3: 1}


def test_one_may_have_less_and_another_as_much() -> None:
    assert scored(5, 1) == {1: 0, 2: 1, 3: 1}


def test_a_round_gives_at_least_one_point() -> None:
    assert scored(10, 10) == {1: 1, 2: 0, 3: 0}


def test_nothing_is_scored_before_the_last_card_is_read() -> None:
    table = opened(TWO)
    table.series(1)
    table.tap(2, THIRTYTWO)
    *most, last = SEVENTEEN.split()
    table.tap(3, " ".join(most))
    assert table.points == {1: 0, 2: 0, 3: 0}
    table.tap(3, last)
    assert table.points == {1: 1, 2: 0, 3: 0}


def test_nothing_is_scored_before_the_series_is_told() -> None:
    table = called()
    table.hands(ALL_THREE)
    assert table.points == {1: 0, 2: 0, 3: 0}
    table.series(1)
    assert table.points == {1: 1, 2: 0, 3: 0}


def test_points_add_up_over_the_rounds() -> None:
    table = Table()
    table.round(ALL_THREE)
    table.round({3: TWO, 1: THIRTYTWO, 2: SEVENTEEN})
    table.round({1: TWO, 2: THIRTYTWO, 3: SEVENTEEN})
    assert table.points == {1: 2, 2: 0, 3: 1}
    assert table.misplays == []


def test_seats_may_be_empty_between_the_players() -> None:
    table = Table(5, 6, 2)
    table.round({2: TWO, 5: THIRTYTWO, 6: SEVENTEEN})
    assert table.points == {5: 0, 6: 0, 2: 1}


def test_four_play() -> None:
    table = Table(1, 2, 3, 4)
    table.round({4: TWO, 2: THIRTYTWO, 3: SEVENTEEN, 1: TWENTYSIX})
    assert table.points == {1: 0, 2: 0, 3: 0, 4: 1}


# A perfect ¡Go!.


def perfect(by: int = 1) -> Table:
    """Just before its series is told."""
    table = Table()
    table.round({3: TWO, 1: THIRTYTWO, 2: SEVENTEEN})
    table.call(by)
    table.tap(by, PERFECT)
    return table


def test_a_perfect_go_ends_the_match_at_once() -> None:
    table = perfect()
    assert not table.over
    table.series(1)
    assert (table.over, table.winners) == (True, [1])


def test_a_perfect_go_gives_no_point() -> None:
    table = perfect()
    table.series(1)
    assert table.points == {1: 0, 2: 0, 3: 1}


def test_a_perfect_go_wins_against_more_points() -> None:
    table = Table()
    for _ in range(3):
        table.round({3: TWO, 1: THIRTYTWO, 2: SEVENTEEN})
    table.round({2: PERFECT})
    assert table.points == {1: 0, 2: 0, 3: 3}
    assert table.winners == [2]


def test_a_perfect_go_looks_at_no_hand() -> None:
    """Not even at one that has nothing left either."""
    table = perfect()
    table.tap(2, "B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 K3")
    table.tap(3, "V1 V2")
    table.series(1)
    assert table.points == {1: 0, 2: 0, 3: 1}
    assert table.winners == [1]


def test_a_perfect_go_told_last_looks_at_no_hand() -> None:
    table = perfect()
    table.hands({2: "B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 K3", 3: SEVENTEEN.replace("K7", "K8")})
    assert not table.over
    table.series(1)
    assert table.winners == [1]
    assert table.points == {1: 0, 2: 0, 3: 1}


def test_a_perfect_hand_is_not_perfect_with_another_series() -> None:
    table = perfect()
    table.series(1, "O1 O2 O3 O4 O5 O6 P7 P8 P9")
    assert not table.over
    table.hands({2: THIRTYTWO, 3: SEVENTEEN})
    assert table.points == {1: 1, 2: 0, 3: 1}


def test_another_player_with_nothing_left_gets_a_point_and_the_match_goes_on() -> None:
    table = Table(1, 2)
    table.round({1: TWO, 2: "B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 K4"})
    assert not table.over
    assert table.points == {1: 0, 2: 1}


def test_the_proposal_may_be_perfect_without_asking() -> None:
    table = called(caller_series="auto")
    *most, last = PERFECT.split()
    table.tap(1, " ".join(most))
    assert not table.over
    table.tap(1, last)
    assert table.winners == [1]


def test_ig_10_a_perfect_go() -> None:
    table = Table(1, 2)
    hand = "O1 O2 O3 P4 O5 O6 P6 P7 P9 P11 K10 K3"
    for _ in range(3):
        table.round({1: hand, 2: "B1 B2 B3 B4 B5 B6 B7 B8 B9 R2 K4 K5"})
    assert table.points == {1: 0, 2: 3}
    table.round({1: PERFECT}, "O1 O2 O3 O4 O5 O6 P7 P8 P9 P10")
    assert table.points == {1: 0, 2: 3}
    assert (table.over, table.winners, table.misplays) == (True, [1], [])


# The end.


def test_three_points_do_not_end_the_match() -> None:
    table = Table()
    for _ in range(3):
        table.round(ALL_THREE)
    assert not table.over
    assert table.winners == []


def test_four_points_end_it() -> None:
    table = Table()
    for _ in range(4):
        table.round(ALL_THREE)
    assert (table.over, table.winners) == (True, [1])
    assert table.points == {1: 4, 2: 0, 3: 0}


@pytest.mark.parametrize("target", [1, 2, 7])
def test_the_table_may_play_to_other_points(target: int) -> None:
    table = Table(target=target)
    for _ in range(target - 1):
        table.round(ALL_THREE)
    assert not table.over
    table.round(ALL_THREE)
    assert (table.over, table.winners) == (True, [1])


def test_several_may_win_together() -> None:
    table = Table(target=1)
    table.round({1: FIVE, 2: BO.format(2), 3: CLEO.format(2)}, SERIES)
    assert (table.over, table.winners) == (True, [2, 3])


def test_who_reaches_the_target_wins_whatever_the_others_have() -> None:
    table = Table(target=2)
    table.round({1: FIVE, 2: BO.format(2), 3: CLEO.format(2)}, SERIES)
    table.round({1: FIVE, 2: BO.format(2), 3: CLEO.format(7)}, SERIES)
    assert (table.points, table.winners) == ({1: 0, 2: 2, 3: 1}, [2])


def test_the_winners_are_told_in_ascending_order() -> None:
    table = Table(6, 5, 2, target=1)
    table.round({5: FIVE, 6: BO.format(2), 2: CLEO.format(2)}, SERIES)
    assert table.winners == [2, 6]


def test_ig_15_a_shared_victory() -> None:
    table = Table()
    for _ in range(2):
        table.round(ALL_THREE)
    four = "O1 O2 O3 O4 O5 O6 O7 O8 O9 R4 K1 K2"
    for _ in range(3):
        table.round({1: four, 2: BO.format(3), 3: "B1 B2 B3 B5 B6 B7 B8 B9 B10 Y4 N1 K4"}, SERIES)
    assert table.points == {1: 2, 2: 3, 3: 3}
    table.round({1: FIVE, 2: BO.format(1), 3: CLEO.format(5)}, SERIES)
    assert table.points == {1: 2, 2: 4, 3: 4}
    assert (table.over, table.winners, table.misplays) == (True, [2, 3], [])


def test_everything_after_the_end_is_a_misplay_but_a_card_that_goes_away() -> None:
    table = Table(target=1)
    table.round(ALL_THREE)
    wrong = [
        table.press(1),
        table.press(5),
        table.tap("row", ROW),
        table.tap(1, "O8"),
        table.tap("centre", "gangster-1"),
        table.series(1),
        table.void(),
        table.say(1, "last-pile"),
        table.elapse("round"),
    ]
    table.lift(1, "O1")
    assert table.misplays == wrong
    assert table.points == {1: 1, 2: 0, 3: 0}


def test_after_a_perfect_go_the_others_hands_are_read_no_more() -> None:
    table = perfect()
    table.series(1)
    assert table.tap(2, "B1") in table.misplays


def test_the_end_can_be_taken_back() -> None:
    table = perfect()
    series = table.series(1)
    late = table.press(1)
    table.retract(series)
    assert not table.over
    assert late not in table.misplays
    table.series(1, "O1")
    table.hands({2: SEVENTEEN, 3: TWENTYSIX})
    assert table.points == {1: 0, 2: 1, 3: 2}
