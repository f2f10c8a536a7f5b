"""A reading twice is neither a misplay nor an act."""

import pytest

from tests.games.go.table import ALL_THREE, ROW, SEVENTEEN, THIRTYTWO, TWO, Table, called, opened, tracked

# The hands.


def test_a_card_read_twice_is_in_the_hand_once() -> None:
    table = called()
    table.tap(2, "B1 B1 B1")
    table.tap(2, THIRTYTWO.removeprefix("B1 ").removesuffix(" K4"))
    assert table.unread == [1, 2, 3]
    table.tap(2, "K4")
    assert table.unread == [1, 3]
    assert table.misplays == []


def test_a_card_that_still_lies_there_is_in_the_hand_once() -> None:
    table = called()
    table.tap(2, "B1 B2 B1 B3 B2 B1 G4 G5 G6 R7 R8 Y9 Y10 V11")
    assert table.unread == [1, 2, 3]
    assert table.misplays == []


def test_a_card_that_still_lies_there_is_in_the_hand_once_whatever_came_between() -> None:
    table = called()
    table.tap(2, "B1")
    table.tap(1, TWO)
    table.series(1)
    wrong = table.tap(2, "O1")
    table.lift(2, "B1")
    table.press(2)
    table.tap(2, "B1")
    assert table.misplays == [wrong]
    table.tap(2, THIRTYTWO)
    assert table.unread == [3]


def test_a_card_of_a_complete_hand_is_no_thirteenth() -> None:
    table = opened()
    table.tap(1, "R2")
    table.tap(1, TWO)
    table.series(1)
    table.tap(1, "O1")
    assert table.misplays == []
    table.hands({2: THIRTYTWO, 3: SEVENTEEN})
    assert table.points == {1: 1, 2: 0, 3: 0}


@pytest.mark.parametrize(("first", "second"), [(2, "centre"), ("centre", 2)])
def test_a_card_sensed_at_the_seat_and_on_the_reader_he_pressed_for_is_one_card(
    first: int | str, second: int | str
) -> None:
    table = called()
    table.press(2)
    for card in THIRTYTWO.split():
        table.tap(first, card)
        if card != "K4":
            table.tap(second, card)
    assert table.unread == [1, 3]
    assert table.misplays == []


def test_on_the_shared_reader_the_last_card_of_a_hand_is_read_twice() -> None:
    table = called()
    table.claim(2, THIRTYTWO + " K4 V11")
    assert table.misplays == []
    table.claim(3, SEVENTEEN)
    assert table.unread == [1]
    assert table.misplays == []


def test_on_the_shared_reader_a_card_of_the_hand_before_is_not_the_next_players() -> None:
    table = called()
    table.claim(2, THIRTYTWO)
    table.press(3)
    table.tap("centre", "K4")
    assert table.misplays == []
    table.tap("centre", SEVENTEEN)
    assert table.unread == [1]
    assert table.misplays == []


def test_a_card_in_another_hand_does_not_move() -> None:
    table = called()
    table.tap(2, "B1")
    wrong = table.tap(3, "B1")
    table.tap(2, "B1")
    assert table.misplays == [wrong]
    table.hands(ALL_THREE)
    table.series(1)
    assert table.points == {1: 1, 2: 0, 3: 0}


def test_at_this_table_the_card_that_ended_the_round_may_be_read_again() -> None:
    table = opened()
    table.series(1)
    table.tap(2, THIRTYTWO)
    table.tap(3, SEVENTEEN)
    table.tap(3, "K7")
    assert table.misplays == []
    assert table.callers == [1, 2, 3]


def test_at_this_table_the_card_that_ended_the_match_may_be_read_again() -> None:
    table = opened(target=1)
    table.series(1)
    table.tap(2, THIRTYTWO)
    table.tap(3, SEVENTEEN)
    assert table.over
    table.tap(3, "K7")
    assert table.misplays == []


def test_a_card_of_the_last_round_is_no_reading_twice_in_the_next() -> None:
    table = Table()
    table.round(ALL_THREE)
    table.round({3: SEVENTEEN, 2: THIRTYTWO, 1: TWO}, "T1 T2")
    assert table.misplays == []
    assert table.points == {1: 2, 2: 1, 3: 0}


def test_at_this_table_the_card_that_ended_the_round_is_taken_only_when_something_else_has_happened() -> None:
    """Its reader may sense it once more; but it has been shuffled, and may come again."""
    table = tracked(1, 2, caller_series="auto")
    table.turn(1, "N1", "N1")
    table.press(1)
    table.tap(2, THIRTYTWO)
    table.tap(1, TWO)
    assert table.points == {1: 1, 2: 0}
    table.tap(1, "R2")
    assert table.takers == [1]
    table.tap("discard", "V3")
    table.tap(1, "R2")
    table.tap("discard", "R2")
    assert table.takers == [2]
    assert table.misplays == []


def test_after_a_void_round_the_same_hands_are_read_again() -> None:
    table = called()
    table.hands(ALL_THREE)
    table.void()
    table.call(1)
    assert table.unread == [1, 2, 3]
    table.hands(ALL_THREE)
    assert table.unread == []
    table.series(1)
    assert table.points == {1: 1, 2: 0, 3: 0}
    assert table.misplays == []


# The row card.


def test_the_row_card_is_read_twice() -> None:
    for spot in ("row", "centre"):
        table = Table()
        table.press(1)
        table.tap(spot, f"{ROW} {ROW}")
        table.hands(ALL_THREE)
        table.tap(spot, ROW)
        table.series(1)
        assert table.misplays == []
        assert table.points == {1: 1, 2: 0, 3: 0}


@pytest.mark.parametrize(("first", "second"), [("row", "centre"), ("centre", "row")])
def test_the_row_card_sensed_at_both_pads_is_told_once(first: str, second: str) -> None:
    table = Table()
    table.press(1)
    table.tap(first, ROW)
    table.tap(second, ROW)
    assert table.misplays == []
    table.claim(1, f"{ROW} {TWO}")
    assert table.unread == [2, 3]


def test_the_row_card_may_be_told_again_in_the_next_round() -> None:
    table = Table()
    table.round(ALL_THREE)
    table.press(1)
    assert table.wants_row
    table.tap("row", ROW)
    assert not table.wants_row
    assert table.misplays == []


# Turns.


def test_a_card_taken_is_read_twice() -> None:
    table = tracked()
    table.tap(1, "N1 N1")
    table.tap("discard", "N2")
    table.tap(1, "N1")
    table.tap(2, "N4")
    table.tap(1, "N1")
    assert table.misplays == []
    assert table.wants_discard


def test_a_card_drawn_and_kept_is_not_drawn_again() -> None:
    table = tracked(1, 2)
    table.turn(1, "N1", "N2")
    table.turn(2, "N4", "N4")
    table.tap(1, "N1")
    assert table.takers == [1]
    table.turn(1, "N5", "N1")
    assert table.takers == [2]
    assert table.misplays == []


def test_a_card_discarded_is_read_twice() -> None:
    table = tracked()
    table.tap(1, "N1")
    table.tap("discard", "N2 N2")
    table.tap(2, "N4")
    table.tap("discard", "N2")
    assert table.takers == []
    table.tap("discard", "N4")
    table.tap("discard", "N4")
    assert table.takers == [3]
    assert table.misplays == []


def test_a_card_taken_from_the_discard_and_thrown_back_is_no_reading_twice() -> None:
    """ig-22."""
    table = tracked()
    table.turn(1, "Y7", "Y7")
    table.turn(2, "Y7", "Y7")
    table.turn(3, "Y7", "Y7")
    assert table.takers == [1]
    assert table.misplays == []


def test_the_open_row_card_is_read_twice() -> None:
    table = tracked(row="Y9")
    table.tap("row", "Y9")
    table.tap(1, "Y9")
    table.tap("row", "G7 G7")
    table.tap("discard", "N1")
    table.tap("row", "G7")
    table.turn(2, "G7", "G7", opened="G8")
    assert table.misplays == []
    assert table.takers == [3]


def test_the_first_card_on_the_discard_is_read_twice() -> None:
    table = Table(tracking="turns")
    table.tap("discard", "V3 V3")
    table.tap("row", "K11 K11")
    table.tap("discard", "V3")
    assert table.misplays == []
    assert table.takers == [1]


def test_the_top_of_the_discard_may_be_read_again_after_the_call() -> None:
    table = tracked()
    table.turn(1, "N1", "N2")
    table.press(1)
    table.tap("discard", "N2")
    table.tap("row", ROW)
    assert table.misplays == []


def test_a_card_drawn_is_read_for_the_hand_after_the_call() -> None:
    table = tracked()
    table.turn(1, "O1", "N2")
    table.press(1)
    table.tap(1, "O1")
    table.tap(1, TWO.removeprefix("O1 "))
    assert table.unread == [2, 3]
    assert table.misplays == []


# A misplayed tap.


@pytest.mark.parametrize("card", ["gangster-1", "red-17", "O1", "purple-1"])
def test_a_misplayed_tap_read_twice_is_one_misplay(card: str) -> None:
    table = opened()
    wrong = table.tap(2, card)
    table.tap(2, f"{card} {card}")
    assert table.misplays == [wrong]


def test_a_misplayed_tap_is_judged_anew_after_another_tap() -> None:
    table = opened()
    wrong = [table.tap(2, "O1")]
    table.tap(2, "B1")
    wrong.append(table.tap(2, "O1"))
    assert table.misplays == wrong


def test_a_misplayed_tap_at_another_place_is_another_misplay() -> None:
    table = opened()
    wrong = [table.tap(2, "O1"), table.tap(3, "O1")]
    assert table.misplays == wrong


def test_a_misplayed_tap_is_judged_anew_in_the_next_round() -> None:
    table = opened()
    wrong = [table.tap(2, "O1")]
    table.void()
    table.call(1)
    table.tap(2, "O1")
    assert table.misplays == wrong
    wrong.append(table.tap(1, "O1"))
    assert table.misplays == wrong


def test_a_thirteenth_card_read_twice_is_one_misplay() -> None:
    table = opened()
    wrong = table.tap(1, "R3 R3") - 1
    assert table.misplays == [wrong]


def test_a_thirteenth_card_is_read_when_another_is_taken_back() -> None:
    table = called()
    table.tap(1, TWO.removesuffix(" R2"))
    mistaken = table.tap(1, "R9")
    table.tap(1, "R2")
    table.retract(mistaken)
    assert table.misplays == []
    assert table.unread == [2, 3]


def test_the_call_between_two_taps_makes_two_of_them() -> None:
    table = Table()
    wrong = table.tap(1, "O1")
    table.press(1)
    table.tap("row", ROW)
    table.tap(1, TWO)
    assert table.misplays == [wrong]
    assert table.unread == [2, 3]


# Taking back.


def test_when_the_first_reading_is_taken_back_the_second_counts() -> None:
    table = called()
    table.tap(2, THIRTYTWO)
    first = table.tap(3, "T1")
    table.tap(3, "T1")
    table.retract(first)
    table.tap(3, SEVENTEEN.removeprefix("T1 "))
    assert table.unread == [1]
    assert table.misplays == []
