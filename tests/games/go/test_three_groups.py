"""How a hand is divided: the row's colour goes, a series goes, a card may be added to the caller's, the rest counts."""

import pytest

from tests.games.go.table import BOX, Table, penalty

SERIES = "O1 O2 P3 O4 P5 O6 P7 O9 P11"
"""A caller's series in which 8 and 10 are free."""
ORANGE = "O1 O2 O3 O4 O5 O6 O7 O8"
NONE = "G1 G2 G3 G4 G5 G6 G7 G8"
"""A caller's series that helps no hand of these tests: green is kept out of them."""


# The row's colour.


def test_all_cards_of_the_rows_colour_are_eliminated() -> None:
    assert penalty("K1 K2 K3 K4 K5 K6 K7 K8 K10 R5 B6 V7", NONE) == 5


def test_which_card_of_the_row_is_open_makes_no_difference_but_its_colour() -> None:
    hand = "K2 K3 K4 K5 K6 K7 K8 K10 R3 R6 B6 V7"
    assert penalty(hand, NONE, row="K11") == penalty(hand, NONE, row="K1") == 6
    assert penalty(hand, NONE, row="R9") == 13


def test_blue_and_lightblue_are_two_colours() -> None:
    hand = "B1 B2 B3 B4 B5 B6 T6 T7 T8 T9 T10 R4"
    assert penalty(hand, NONE, row="K11") == 10
    assert penalty(hand, NONE, row="B11") == 1
    assert penalty(hand, NONE, row="T11") == 4


# The own series.


def test_a_series_is_of_two_colours_at_most() -> None:
    assert penalty("R1 R2 R3 R4 B5 B6 B7 B8 N9 N10 N11 K1", NONE) == 10
    assert penalty("R1 R2 R3 R4 B5 B6 B7 B8 B9 B10 B11 K1", NONE) == 1


def test_a_series_holds_each_value_once() -> None:
    assert penalty("R7 B7 N7 V7 T7 K1 K2 K3 K4 K5 K6 K7", NONE) == 28


def test_a_series_need_not_be_complete() -> None:
    assert penalty("R2 R11 B5 V3 K1 K2 K3 K4 K5 K6 K7 K8", NONE) == 3


def test_a_series_may_be_of_one_colour() -> None:
    assert penalty("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 N4", NONE) == 4


def test_a_series_may_be_of_any_colours_whatever_the_caller_took() -> None:
    assert penalty("P1 P2 O3 P4 O5 P6 O7 P9 O11 R2 K1 K2", SERIES) == 2


def test_the_best_two_colours_are_not_always_those_with_most_cards() -> None:
    assert penalty("R1 R2 R3 R4 B1 B2 B3 B4 N11 V10 K1 K2", NONE) == 20


# Adding to the caller's series.


def test_a_card_of_the_callers_colours_whose_value_is_free_is_added() -> None:
    assert penalty("O8 R1 R2 R3 B4 B5 N6 K1 K2 K3 K4 K5", SERIES) == 6
    assert penalty("Y8 R1 R2 R3 B4 B5 N6 K1 K2 K3 K4 K5", SERIES) == 12


def test_both_colours_of_the_caller_may_be_added_to() -> None:
    assert penalty("O8 P10 R1 R2 R3 B4 B5 N6 K1 K2 K3 K4", SERIES) == 6


@pytest.mark.parametrize("taken", ["O3", "P9", "O11"])
def test_a_value_that_the_callers_series_holds_is_not_added(taken: str) -> None:
    """ig-24, and whichever of the two colours holds it."""
    assert penalty(f"T1 T2 T4 T5 T6 N7 N8 N9 N10 {taken} V1 K4", SERIES) == 1 + int(taken[1:])


def test_one_player_adds_a_value_once() -> None:
    assert penalty("O10 P10 R1 R2 R3 R4 B5 B6 B7 B8 K1 K2", SERIES) == 10


def test_of_two_cards_of_a_value_one_is_added_and_one_goes_in_the_own_series() -> None:
    """ig-03."""
    assert penalty("O10 P10 P1 P2 O3 P4 P8 P9 P6 V3 V7 K7", SERIES) == 3


def test_two_of_a_value_where_the_own_series_has_none_of_that_colour_leave_one() -> None:
    assert penalty("O10 P10 R1 R2 R3 R4 R5 N6 N7 N8 K1 K2", SERIES) == 10


def test_a_callers_series_of_one_colour_is_added_to_in_that_colour_only() -> None:
    assert penalty("O10 R1 R2 B3 B4 N5 K1 K2 K3 K4 K5 K6", ORANGE) == 3
    assert penalty("P10 R1 R2 B3 B4 N5 K1 K2 K3 K4 K5 K6", ORANGE) == 8


def test_an_empty_series_of_the_caller_is_added_to_by_nobody() -> None:
    assert penalty("O10 O9 P9 R8 R7 V6 V5 K1 K2 K3 K4 K5", "") == 20
    assert penalty("O10 O9 P9 R8 R7 V6 V5 K1 K2 K3 K4 K5", "O1") == 9


def test_what_two_players_add_is_no_concern_of_each_other() -> None:
    """An orange 8 and a pink 8 may both be added, and so may both tens."""
    table = Table()
    table.round(
        {
            1: "O1 O2 P3 O4 P5 O6 P7 O9 P11 R1 R3 K1",
            2: "O8 T1 T2 T4 T5 B6 B7 B9 B10 N1 N2 K2",
            3: "P8 G1 G2 G4 G5 Y6 Y7 Y9 Y10 V1 V2 K3",
        }
    )
    assert table.points == {1: 0, 2: 1, 3: 1}


def test_the_rows_colour_is_gone_before_anything_is_added() -> None:
    hand = "P8 P10 R1 R2 R3 B4 B5 N6 K1 K2 K3 K4"
    assert penalty(hand, "O1 O2 O4 O6 O9", row="P11") == 15


def test_adding_pays_where_the_own_series_would_take_the_card_too() -> None:
    hand = "O8 O10 R8 R10 B1 B2 B3 K1 K2 K3 K4 K5"
    assert penalty(hand, SERIES) == 1


# The caller.


def xenia(hand: str, series: str, other: str, row: str = "K11") -> dict[int, int | None]:
    table = Table(1, 2)
    table.round({1: hand, 2: other}, series, row)
    assert table.misplays == []
    return table.points


def test_the_caller_has_no_second_series_to_add_to() -> None:
    hand = "O10 P10 O1 O2 O3 O4 O5 O6 O7 O8 O9 K1"
    other = "R1 R2 R3 B4 B5 V9 K2 K3 K4 K5 K6 K7"
    assert xenia(hand, "best", other) == {1: 0, 2: 1}


def test_what_the_caller_leaves_out_of_his_series_counts() -> None:
    other = "R1 R2 R3 B4 B5 V9 K2 K3 K4 K5 K6 K7"
    hand = "O8 O9 P1 P2 P3 P4 P5 P6 P7 N2 N3 K1"
    assert xenia(hand, "best", other) == {1: 1, 2: 0}
    assert xenia(hand, "O8 P1 P2 P3 P4 P5 P6 P7", other) == {1: 0, 2: 1}


def test_an_empty_series_leaves_all_but_the_rows_colour() -> None:
    hand = "O1 P1 R1 K1 K2 K3 K4 K5 K6 K7 K8 K10"
    assert xenia(hand, "", "Y2 B2 R2 R3 R4 R5 R6 T10 T9 T8 T7 T1") == {1: 1, 2: 0}
    assert xenia(hand, "", "Y2 B1 R2 R3 R4 R5 R6 T10 T9 T8 T7 T1") == {1: 0, 2: 1}


# The worked examples.


def test_ig_01_a_plain_win() -> None:
    table = Table()
    table.round(
        {
            1: "O1 O2 O3 P4 O5 P6 P7 P9 P11 K10 K3 R2",
            2: "B1 B2 B3 G4 G5 G6 R7 R8 Y9 Y10 V11 K4",
            3: "T1 T2 T5 V6 V7 V8 N9 N10 Y3 G2 R4 K7",
        }
    )
    assert table.points == {1: 1, 2: 0, 3: 0}
    assert not table.over
    beside = "O1 O2 O3 P4 O5 P6 P7 P9 P11"
    assert penalty("B1 B2 B3 G4 G5 G6 R7 R8 Y9 Y10 V11 K4", beside) == 32
    assert penalty("T1 T2 T5 V6 V7 V8 N9 N10 Y3 G2 R4 K7", beside) == 17


def test_ig_03_a_tie_costs_the_caller_the_point() -> None:
    clara = "O10 P10 P1 P2 O3 P4 P8 P9 P6 V3 V7 K7"
    assert xenia("O1 O2 P3 O4 P5 O6 P7 O9 P11 K1 K2 R3", SERIES, clara, "K8") == {1: 0, 2: 1}


IG_06 = {
    1: "O1 O2 O3 O4 O5 O6 O7 O8 O9 P10 B10 K1",
    2: "T1 T2 T3 T4 T5 N6 N7 N8 N9 B11 K2 K3",
    3: "V1 V2 V3 V4 G6 G7 G8 G9 R8 R9 K4 K5",
}
NINE = "O1 O2 O3 O4 O5 O6 O7 O8 O9"


@pytest.mark.parametrize(
    ("series", "points"),
    [
        (f"{NINE} P10", {1: 1, 2: 0, 3: 0}),
        (f"{NINE} B10", {1: 0, 2: 1, 3: 0}),
        ("best", {1: 1, 2: 0, 3: 0}),
    ],
)
def test_ig_06_of_several_best_series_the_choice_decides(series: str, points: dict[int, int]) -> None:
    table = Table()
    table.round(IG_06, series)
    assert table.points == points


def test_ig_06_the_others_have_eleven_and_seventeen() -> None:
    assert penalty(IG_06[2], f"{NINE} P10") == 11
    assert penalty(IG_06[3], f"{NINE} P10") == 17


IG_07 = {1: "O1 P2 O3 O4 O5 O6 O7 O8 O9 O10 R3 K1", 2: "T1 T2 T3 T4 T5 N6 N7 N8 N9 P11 K2 K3"}


def test_ig_07_a_worse_series_wins() -> None:
    table = Table(1, 2)
    table.round(IG_07, "O1 O3 O4 O5 O6 O7 O8 O9 O10")
    assert table.points == {1: 1, 2: 0}


def test_ig_07_the_best_series_loses() -> None:
    table = Table(1, 2)
    table.round(IG_07)
    assert table.points == {1: 0, 2: 1}


def test_ig_23_among_equals_the_proposal_has_fewer_colours() -> None:
    hands = {1: "O1 O2 O3 O4 O5 O6 O7 O8 O9 P9 P8 K1", 2: "T1 T2 T3 T4 T5 N6 N7 N8 N9 P11 V7 K3"}
    for series, points in (("best", {1: 1, 2: 0}), (NINE, {1: 1, 2: 0}), ("O1 O2 O3 O4 O5 O6 O7 P8 O9", {1: 0, 2: 1})):
        table = Table(1, 2)
        table.round(hands, series)
        assert table.points == points
    assert penalty(hands[2], NINE) == 18


def test_among_equals_the_proposal_has_the_colours_that_come_first() -> None:
    """Violet 5 and 6, or pink 5 and 6: pink stands before violet, so pink cards can be added."""
    caller = "V5 V6 P5 P6 K1 K2 K3 K4 K5 K6 K7 K8"
    for added, points in (("P9", {1: 0, 2: 1}), ("V9", {1: 1, 2: 0})):
        other = f"R1 R2 R3 R4 R5 R6 B7 B8 {added} N4 T3 G4"
        assert xenia(caller, "best", other) == xenia(caller, "P5 P6", other) == points


def test_ig_24_a_value_the_caller_holds_cannot_be_added() -> None:
    other = "T1 T2 T4 T5 T6 N7 N8 N9 N10 O3 V1 K4"
    assert xenia("O1 O2 P3 O4 P5 O6 P7 O9 P11 K1 K2 R3", SERIES, other, "K8") == {1: 1, 2: 0}
    assert penalty(other, SERIES) == 4


def test_every_card_of_the_box_may_be_in_a_hand() -> None:
    for first in range(0, 110, 24):
        two = (BOX[first:] + BOX[:first])[:25]
        table = Table(1, 2)
        table.call(1, two[24])
        table.tap(1, " ".join(two[:12]))
        table.series(1)
        table.tap(2, " ".join(two[12:24]))
        assert table.misplays == []
        assert table.over or sum(points or 0 for points in table.points.values()) == 1
