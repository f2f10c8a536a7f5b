"""A reading twice is neither a misplay nor an act."""

import pytest

from tests.games.stop_it.table import Table, called, collecting, counting


def scores(table: Table, seat: int, count: int) -> bool:
    """Whether this seat, done now, has counted so many."""
    table.press(seat)
    others = [other for other in table.seats if other != seat]
    table.counts({others[0]: count, others[1]: count + 1})
    return table.points == {seat: 1, others[0]: 1, others[1]: 0}


def test_a_card_read_twice_counts_once() -> None:
    table = counting()
    table.tap(2, "red-7", "red-7", "red-7")
    assert scores(table, 2, 1)
    assert table.misplays == []


def test_a_card_that_still_lies_there_counts_once() -> None:
    table = counting()
    table.tap(2, "red-7", "red-8", "red-7")
    assert scores(table, 2, 2)
    assert table.misplays == []


def test_a_card_that_still_lies_there_counts_once_whatever_came_between() -> None:
    table = counting()
    table.tap(2, "red-7")
    table.count(1, 1)
    wrong = table.tap(2, "blue-7")
    table.lift(2, "red-7")
    table.tap(2, "red-7")
    table.press(2)
    table.count(3, 2)
    assert table.points == {1: 1, 2: 1, 3: 0}
    assert table.misplays == [wrong]


def test_a_card_counted_is_read_twice_after_done_too() -> None:
    table = counting()
    table.tap(2, "red-7", "red-8")
    table.press(2)
    table.tap(2, "red-7")
    assert table.misplays == []


def test_a_card_counted_is_read_twice_after_the_last_count_too() -> None:
    table = counting()
    table.tap(2, "red-7")
    assert scores(table, 2, 1)
    table.tap(2, "red-7")
    assert table.misplays == []


def test_a_card_in_anothers_hand_does_not_move() -> None:
    table = counting()
    table.tap(1, "red-7")
    wrong = table.tap(2, "red-7")
    table.tap(1, "red-7")
    assert table.misplays == [wrong]
    assert scores(table, 1, 1)


def test_the_stop_card_is_read_twice() -> None:
    table = called()
    table.tap(1, "red-stop-1", "red-stop-1")
    table.tap(1, "red-1")
    table.tap(1, "red-stop-1")
    assert table.misplays == []
    assert scores(table, 1, 1)


@pytest.mark.parametrize(("first", "second"), [(1, "centre"), ("centre", 1)])
def test_the_stop_card_sensed_at_the_seat_and_at_the_centre_is_shown_once(first: int | str, second: int | str) -> None:
    table = called()
    table.tap(first, "red-stop-1")
    table.tap(second, "red-stop-1")
    assert table.misplays == []
    assert table.uncounted == [1, 2, 3]


def test_the_stop_card_tapped_elsewhere_is_not_read_twice() -> None:
    table = counting()
    assert table.tap(2, "red-stop-1") in table.misplays


def test_the_stop_card_is_not_read_twice_at_the_next_call() -> None:
    table = called()
    table.tap("centre", "red-stop-1")
    table.counts({1: 1, 2: 1, 3: 1})
    table.press(1)
    table.press(2)
    assert table.tap("centre", "red-stop-1") in table.misplays
    assert table.callers == [2]


def test_a_card_read_in_the_last_count_is_no_reading_twice_in_the_next() -> None:
    table = counting("red-stop-1")
    table.tap(2, "red-7")
    assert scores(table, 2, 1)
    table.press(1)
    table.call(1, "red-stop-2")
    table.tap(2, "red-7")
    table.press(2)
    table.counts({1: 0, 3: 1})
    assert table.points[2] == 1
    assert table.misplays == []


# A misplayed tap.


@pytest.mark.parametrize("card", ["blue-7", "red-stop-2", "gangster-2", "no-such-card"])
def test_a_misplayed_tap_read_twice_is_one_misplay(card: str) -> None:
    table = counting()
    wrong = table.tap(2, card)
    table.tap(2, card, card)
    assert table.misplays == [wrong]


def test_a_misplayed_tap_read_twice_is_one_misplay_at_an_empty_seat_too() -> None:
    table = collecting()
    wrong = table.tap(5, "red-7")
    table.tap(5, "red-7")
    assert table.misplays == [wrong]


def test_a_misplayed_tap_is_judged_anew_after_another_tap() -> None:
    table = counting()
    wrong = [table.tap(2, "blue-7")]
    table.tap(2, "red-7")
    wrong.append(table.tap(2, "blue-7"))
    assert table.misplays == wrong


def test_a_misplayed_tap_is_judged_anew_at_the_next_call() -> None:
    table = called()
    wrong = [table.tap(1, "red-7")]
    table.say(1, "no-stop")
    table.press(1)
    table.press(1)
    wrong.append(table.tap(1, "red-7"))
    assert table.misplays == wrong


def test_a_misplayed_tap_at_another_place_is_another_misplay() -> None:
    table = counting()
    wrong = [table.tap(2, "blue-7"), table.tap(3, "blue-7")]
    assert table.misplays == wrong


def test_what_is_no_tap_comes_between_no_reading_twice() -> None:
    table = counting()
    wrong = table.tap(2, "blue-7")
    table.press(3)
    table.count(1, 3)
    table.lift(2, "blue-7")
    table.tap(2, "blue-7")
    assert table.misplays == [wrong]


def test_who_enters_it_makes_no_difference() -> None:
    table = counting()
    wrong = table.tap(2, "blue-7")
    table.tap(2, "blue-7", by="phone")
    assert table.misplays == [wrong]


def test_two_unknown_stickers_are_two_misplays() -> None:
    table = counting()
    wrong = [table.tap(2, "?", tag="a"), table.tap(2, "?", tag="b")]
    table.tap(2, "?", tag="b")
    assert table.misplays == wrong


def test_the_sticker_makes_no_difference_where_the_card_is_known() -> None:
    table = counting()
    wrong = table.tap(2, "blue-7", tag="04:11")
    table.tap(2, "blue-7", by="phone")
    assert table.misplays == [wrong]


def test_a_stop_card_tapped_too_soon_is_shown_when_tapped_again() -> None:
    table = collecting()
    wrong = table.tap(1, "red-stop-1")
    table.press(1)
    table.tap(1, "red-stop-1")
    assert table.misplays == [wrong]
    assert table.uncounted == [1, 2, 3]


def test_a_stop_card_refused_is_shown_when_the_shout_proves_to_be_earlier() -> None:
    table = called()
    shout = table.now
    wrong = table.tap(2, "red-stop-1")
    table.press(2, at=shout - 0.01)
    table.tap(2, "red-stop-1")
    assert table.misplays == [wrong]
    assert table.uncounted == [1, 2, 3]


def test_a_card_refused_counts_when_it_has_left_the_other_hand() -> None:
    table = counting()
    mistaken = table.tap(1, "red-7")
    table.tap(2, "red-7")
    table.retract(mistaken)
    assert table.misplays == []
    table.press(1)
    table.press(2)
    table.count(3, 1)
    assert table.points == {1: 1, 2: 0, 3: 0}


# Taking back.


def test_when_the_first_reading_is_taken_back_the_second_counts() -> None:
    table = counting()
    first = table.tap(2, "red-7")
    table.tap(2, "red-7")
    table.retract(first)
    assert scores(table, 2, 1)


def test_when_the_misplay_is_taken_back_its_second_reading_is_the_misplay() -> None:
    table = counting()
    first = table.tap(2, "blue-7")
    second = table.tap(2, "blue-7")
    table.retract(first)
    assert table.misplays == [second]


def test_after_the_end_the_same_tap_read_twice_is_one_misplay() -> None:
    table = collecting(empty="end-now")
    table.say("host", "piles-empty")
    wrong = table.tap(1, "red-7")
    table.tap(1, "red-7")
    assert table.misplays == [wrong]


def test_the_last_stop_card_may_be_read_again_after_the_end() -> None:
    table = collecting()
    table.hand_out({1: 5, 2: 5, 3: 4})
    table.stop(1, {1: 1, 2: 1, 3: 0}, "red-stop-1")
    assert table.over
    table.tap(1, "red-stop-1")
    table.tap("centre", "red-stop-1")
    assert table.misplays == []
    assert table.tap(2, "red-stop-1") in table.misplays
    assert table.tap(1, "red-stop-2") in table.misplays
