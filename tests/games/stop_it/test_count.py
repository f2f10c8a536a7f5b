"""Counting: told, tapped, and both."""

from typing import Any

import pytest

from tests.games.stop_it.table import COLOURS, SIX, Table, called, cards, collecting, counting

RED = "red-stop-1"
SPECIAL = "special-stop-1"


# Told.


@pytest.mark.parametrize("count", [0, 1, 17])
def test_a_count_is_told(count: int) -> None:
    table = counting()
    table.count(2, count)
    assert table.uncounted == [1, 3]
    assert table.misplays == []


def test_the_caller_counts_too() -> None:
    table = counting()
    table.counts({3: 2, 2: 2})
    assert table.uncounted == [1]
    table.count(1, 1)
    assert table.points == {1: 1, 2: 0, 3: 0}


@pytest.mark.parametrize("count", [18, 10**30, 1e300, -1, 2.5, True, False, "5", "", None, [5], {"red": 5}])
def test_what_is_no_possible_number_is_a_misplay(count: Any) -> None:
    table = counting()
    assert table.count(2, count) in table.misplays
    assert table.uncounted == [1, 2, 3]


def test_no_number_at_all_is_a_misplay() -> None:
    table = counting()
    assert table.say(2, "count") in table.misplays
    assert table.uncounted == [1, 2, 3]


def test_at_this_table_a_whole_number_may_be_written_with_a_point() -> None:
    table = counting()
    table.counts({1: 5, 2: 5})
    table.count(3, 4.0)
    assert table.points == {1: 0, 2: 0, 3: 1}


@pytest.mark.parametrize(("colours", "most"), [(COLOURS, 119), (SIX, 102), (["red"], 17)])
def test_a_special_stop_counts_up_to_seventeen_times_the_colours(colours: list[str], most: int) -> None:
    table = counting(SPECIAL, colours=list(colours))
    assert table.count(2, most + 1) in table.misplays
    table.count(2, most)
    assert table.uncounted == [1, 3]


def test_without_blue_the_other_colours_have_seventeen_still() -> None:
    table = counting(RED, colours=SIX)
    assert table.count(2, 18) in table.misplays
    table.count(2, 17)
    assert table.uncounted == [1, 3]


def test_a_second_count_is_a_misplay() -> None:
    table = counting()
    table.count(1, 5)
    assert table.count(1, 2) in table.misplays
    table.counts({2: 3, 3: 3})
    assert table.points == {1: 0, 2: 1, 3: 1}


@pytest.mark.parametrize("who", ["host", 5])
def test_only_players_count(who: int | str) -> None:
    table = counting()
    assert table.say(who, "count", 3) in table.misplays
    assert table.uncounted == [1, 2, 3]


def test_a_count_out_of_its_time_is_a_misplay() -> None:
    table = collecting()
    wrong = [table.count(1, 1)]
    table.press(1)
    wrong.append(table.count(1, 1))
    table.tap(1, RED)
    table.counts({1: 1, 2: 2, 3: 3})
    wrong.append(table.count(1, 1))
    assert table.misplays == wrong
    assert table.points == {1: 1, 2: 0, 3: 0}


@pytest.mark.parametrize("word", ["flip", "", "Count"])
def test_a_word_that_the_game_does_not_know_is_a_misplay(word: str) -> None:
    table = counting()
    assert table.say(1, word, 3) in table.misplays
    assert table.say("host", word) in table.misplays


# Tapped.


def tapped_score(taps: dict[int, list[str]], card: str = RED) -> Table:
    table = counting(card)
    for seat, tapped in taps.items():
        table.tap(seat, *tapped)
        table.press(seat)
    return table


def test_cards_tapped_are_counted() -> None:
    table = tapped_score({1: cards("red", (1, 2)), 2: cards("red", (3,)), 3: cards("red", (4, 5, 6))})
    assert table.points == {1: 0, 2: 1, 3: 0}
    assert table.misplays == []


def test_no_card_tapped_is_zero() -> None:
    table = tapped_score({1: cards("red", (1,)), 2: [], 3: cards("red", (4,))})
    assert table.points == {1: 0, 2: 1, 3: 0}


def test_told_and_tapped_counts_mix() -> None:
    table = counting()
    table.count(1, 2)
    table.tap(2, "red-1")
    table.press(2)
    table.count(3, 2)
    assert table.points == {1: 0, 2: 1, 3: 0}


def test_the_players_may_tap_at_the_same_time() -> None:
    table = counting()
    for spot, card in ((1, "red-1"), (2, "red-2"), (3, "red-3"), (1, "red-4"), (3, "red-5")):
        table.tap(spot, card)
    for seat in (3, 2, 1):
        table.press(seat)
    assert table.points == {1: 0, 2: 1, 3: 0}
    assert table.misplays == []


def test_nothing_counts_before_done_is_said() -> None:
    table = counting()
    table.tap(1, "red-1", "red-2")
    assert table.uncounted == [1, 2, 3]


def test_another_ones_press_does_not_say_done() -> None:
    table = counting()
    table.tap(1, "red-1")
    table.press(2)
    assert table.uncounted == [1, 3]


def test_presses_in_the_first_second_after_the_stop_card_mean_nothing() -> None:
    table = counting()
    shown = table.now
    table.tap(2, "red-1", at=shown + 0.5)
    for seat, after in ((1, 0.0), (2, 0.9), (3, 0.999999)):
        table.press(seat, at=shown + after)
    assert table.uncounted == [1, 2, 3]
    assert table.misplays == []


def test_a_press_after_the_first_second_says_done() -> None:
    table = counting()
    table.press(2, after=1.000001)
    assert table.uncounted == [1, 3]


def test_at_this_table_a_press_exactly_a_second_after_the_stop_card_says_done() -> None:
    table = counting()
    table.press(2, after=1.0)
    assert table.uncounted == [1, 3]


def test_a_press_from_before_the_stop_card_learned_of_late_does_not_say_done() -> None:
    table = counting()
    shown = table.now
    table.tap(2, "red-1", at=shown + 4)
    table.press(2, at=shown - 1)
    table.press(3, at=shown + 0.5)
    assert table.uncounted == [1, 2, 3]
    assert table.misplays == []


def test_a_count_is_told_in_the_first_second_too() -> None:
    table = counting()
    table.say(2, "count", 3, after=0.2)
    assert table.uncounted == [1, 3]


@pytest.mark.parametrize("card", ["blue-7", "red-stop-2", "special-stop-1", "negative-3"])
def test_only_cards_of_the_colour_are_counted(card: str) -> None:
    table = counting(RED)
    assert table.tap(2, card) in table.misplays
    table.press(2)
    table.counts({1: 1, 3: 1})
    assert table.points == {1: 0, 2: 1, 3: 0}


def test_at_a_special_stop_every_colour_is_counted() -> None:
    table = tapped_score({1: ["red-1", "blue-1", "brown-17"], 2: ["green-2", "red-2"], 3: ["red-3"]}, SPECIAL)
    assert table.points == {1: 0, 2: 0, 3: 1}
    assert table.misplays == []


@pytest.mark.parametrize("card", ["red-stop-1", "special-stop-2", "negative-3"])
def test_at_a_special_stop_stop_cards_and_negative_cards_do_not_count(card: str) -> None:
    table = counting(SPECIAL)
    assert table.tap(2, card) in table.misplays


def test_at_a_special_stop_a_colour_that_the_box_lacks_does_not_count() -> None:
    table = counting(SPECIAL, colours=SIX)
    assert table.tap(2, "blue-7") in table.misplays


def test_cards_are_counted_at_the_players_own_seat_only() -> None:
    table = counting()
    assert table.tap("centre", "red-3") in table.misplays
    table.tap(2, "red-3")
    assert len(table.misplays) == 1


def test_a_card_in_another_ones_hand_is_a_misplay() -> None:
    table = counting()
    table.tap(1, "red-17")
    assert table.tap(2, "red-17") in table.misplays
    table.press(1)
    table.press(2)
    table.count(3, 1)
    assert table.points == {1: 0, 2: 1, 3: 0}


def test_a_card_tapped_after_done_is_a_misplay() -> None:
    table = counting()
    table.tap(1, "red-1")
    table.press(1)
    assert table.tap(1, "red-2") in table.misplays
    table.counts({2: 2, 3: 2})
    assert table.points == {1: 1, 2: 0, 3: 0}


def test_a_card_tapped_after_the_count_is_told_is_a_misplay() -> None:
    table = counting()
    table.count(1, 5)
    assert table.tap(1, "red-2") in table.misplays


def test_at_this_table_a_count_told_goes_before_the_cards_tapped() -> None:
    table = counting()
    table.tap(1, "red-1", "red-2")
    table.counts({1: 5, 2: 4, 3: 4})
    assert table.points == {1: 0, 2: 1, 3: 1}
    assert table.misplays == []


def test_at_this_table_pressing_again_after_the_count_says_nothing() -> None:
    table = counting()
    table.count(1, 5)
    table.press(1)
    table.press(1)
    assert table.uncounted == [2, 3]
    assert table.misplays == []


def test_a_card_counted_once_is_counted_anew_at_the_next_stop() -> None:
    table = tapped_score({1: ["red-7"], 2: cards("red", (1, 2)), 3: cards("red", (3, 4))})
    table.press(1)
    table.press(2)
    table.tap("centre", "red-stop-2")
    table.tap(2, "red-7")
    table.press(2)
    table.counts({1: 0, 3: 1})
    assert table.points == {1: 2, 2: 0, 3: 0}
    assert table.misplays == []


# The sum.


def test_the_sum_is_checked_when_the_last_count_comes_in() -> None:
    table = counting()
    table.counts({1: 17, 2: 17})
    assert table.misplays == []
    last = table.count(3, 0)
    assert table.misplays == [last]
    assert table.points == {1: 0, 2: 0, 3: 0}


def test_seventeen_in_all_is_possible() -> None:
    table = counting()
    table.counts({1: 9, 2: 6, 3: 2})
    assert table.misplays == []
    assert table.points == {1: 0, 2: 0, 3: 1}


def test_the_last_count_may_be_told_anew() -> None:
    table = counting()
    last = table.counts({1: 9, 2: 6, 3: 4})
    table.count(3, 1)
    assert table.misplays == [last]
    assert table.points == {1: 0, 2: 0, 3: 1}


@pytest.mark.parametrize("colours", [COLOURS, SIX])
def test_the_sum_at_a_special_stop_is_of_all_colours(colours: list[str]) -> None:
    table = counting(SPECIAL, colours=list(colours))
    most = 17 * len(colours)
    table.counts({1: most - 10, 2: 5})
    assert table.count(3, 6) in table.misplays
    table.count(3, 5)
    assert table.points == {1: 0, 2: 1, 3: 1}


def test_a_last_count_by_taps_is_checked_too() -> None:
    table = counting()
    table.counts({1: 10, 2: 7})
    table.tap(3, "red-1")
    done = table.press(3)
    assert table.misplays == [done]
    assert table.uncounted == [3]
    assert table.points == {1: 0, 2: 0, 3: 0}


def test_done_again_with_the_same_sum_is_a_misplay_again() -> None:
    table = counting()
    table.counts({1: 10, 2: 7})
    table.tap(3, "red-1")
    refused = [table.press(3), table.press(3)]
    assert table.misplays == refused


def test_taking_back_another_ones_count_repairs_the_sum() -> None:
    table = counting()
    wrong = table.count(1, 9)
    table.counts({2: 6, 3: 4})
    table.retract(wrong)
    assert table.uncounted == [1]
    assert table.misplays == []
    table.count(1, 5)
    assert table.points == {1: 0, 2: 0, 3: 1}


def test_taking_back_another_ones_count_repairs_a_sum_by_taps() -> None:
    table = counting()
    wrong = table.count(1, 17)
    table.count(2, 1)
    table.tap(3, "red-1", "red-2")
    table.press(3)
    table.retract(wrong)
    assert table.misplays == []
    table.count(1, 14)
    assert table.points == {1: 0, 2: 1, 3: 0}


def test_taking_back_a_card_tapped_repairs_the_sum() -> None:
    table = counting()
    table.counts({1: 15, 2: 1})
    table.tap(3, "red-1")
    wrong = table.tap(3, "red-2")
    table.press(3)
    table.retract(wrong)
    assert table.points == {1: 0, 2: 1, 3: 1}
    assert table.misplays == []


def test_cards_tapped_without_done_are_not_in_the_sum() -> None:
    table = counting()
    table.tap(3, "red-1")
    table.counts({1: 10, 2: 7})
    table.count(3, 0)
    assert table.points == {1: 0, 2: 0, 3: 1}


def test_zeros_everywhere_are_possible() -> None:
    table = called()
    table.tap(1, RED)
    for seat in (1, 2, 3):
        table.press(seat)
    assert table.points == {1: 1, 2: 1, 3: 1}
