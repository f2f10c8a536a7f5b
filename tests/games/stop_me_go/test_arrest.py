"""Turning up the cards: one gangster a press, the oldest first."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.games.stop_me_go.table import GANGSTERS, Table, arrest, laying, won

NOBODY: dict[int, list[int]] = {8: [], 2: [], 5: [], 3: []}
BY_ANNA: dict[int, list[int]] = {8: [1], 2: [], 5: [], 3: []}


def captures(stops: Mapping[int, list[int]], *seats: int) -> list[int]:
    """The seats that may take the token after four flips."""
    table = arrest(stops, *seats)
    table.flip(4)
    return table.takers


# The arrest.


def test_with_one_stop_the_gangster_is_captured_and_the_round_ends() -> None:
    table = arrest(BY_ANNA)
    table.flip()
    assert table.awaited == []
    assert table.unlaid == []
    assert table.flippable


@pytest.mark.parametrize("stops", [[], [1, 2], [2, 3], [1, 2, 3]])
def test_with_no_stop_or_several_the_gangster_flees_and_another_comes(stops: list[int]) -> None:
    table = arrest({8: stops, 2: [], 5: [], 3: []})
    table.flip()
    assert not table.flippable
    assert table.awaited == [1, 4, 6, 7, 9, 10]
    table.misdeed(9)
    assert table.flippable
    assert table.misplays == []


def test_after_a_flight_one_gangster_comes_and_is_followed_by_an_arrest() -> None:
    table = arrest(NOBODY)
    for number in (9, 10, 1):
        table.flip()
        table.gangster(number)
        assert not table.flippable
        for seat in table.seats:
            table.lay(seat, table.hand(seat)[0].rpartition("-")[2])
        assert table.awaited == []
        assert table.flippable


@pytest.mark.parametrize("flights", range(7))
def test_the_oldest_gangster_is_arrested_first(flights: int) -> None:
    """Seat 1 stops the gangster that comes after so many others: all of them flee, in the order in which they came."""
    table = Table()
    for arrival, number in enumerate((8, 2, 5, 3, 9, 10, 1, 4, 6, 7)[: flights + 4]):
        if arrival >= 4:
            table.flip()
            assert table.awaited
        table.misdeed(number, *([1] if arrival == flights else []))
    table.flip()
    assert table.awaited == []
    assert table.flippable
    assert table.misplays == []


def test_a_stop_on_a_younger_gangster_does_not_keep_the_oldest() -> None:
    table = arrest({8: [], 2: [1], 5: [], 3: []})
    table.flip()
    assert table.awaited
    table.misdeed(9)
    table.flip()
    assert table.awaited == []
    assert table.flippable


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_anybody_turns_up_the_cards(seat: int) -> None:
    table = arrest(BY_ANNA)
    table.flip(4, seat)
    assert table.takers == [1]


@pytest.mark.parametrize("who", [1, 2, 3, "host"])
@pytest.mark.parametrize("value", [{}, {"value": None}])
def test_anybody_says_flip(who: int | str, value: dict[str, Any]) -> None:
    table = arrest(BY_ANNA)
    for _ in range(4):
        assert table.takers == []
        table.say(who, "flip", **value)
    assert table.misplays == []
    assert table.takers == [1]


@pytest.mark.parametrize("value", [0, 1, True, False, 2.5, "8", "", [], {}, [8], {"1": 8}, 10**30])
def test_flip_has_no_value(value: Any) -> None:
    table = arrest(BY_ANNA)
    wrong = table.say(1, "flip", value)
    assert table.misplays == [wrong]
    assert table.awaited == []


def test_there_is_nothing_to_turn_up_before_four_gangsters_lie_there() -> None:
    table = Table()
    wrong = [table.press(1), table.say(1, "flip")]
    for number in (8, 2, 5, 3):
        table.gangster(number)
        wrong += [table.press(2), table.say("host", "flip")]
        for seat in table.seats:
            wrong += [table.press(seat), table.say(seat, "flip")]
            table.lay(seat, table.hand(seat)[0].rpartition("-")[2])
        if number != 3:
            wrong += [table.press(3), table.say(3, "flip")]
    assert table.misplays == wrong
    assert table.flippable


def test_there_is_nothing_to_turn_up_after_a_flight() -> None:
    table = arrest(NOBODY)
    table.flip()
    wrong = [table.press(1), table.say(1, "flip")]
    table.gangster(9)
    wrong += [table.press(1), table.say(1, "flip")]
    assert table.misplays == wrong


def test_there_is_nothing_to_turn_up_when_the_round_is_won() -> None:
    table = won()
    wrong = [table.press(1), table.say(1, "flip")]
    assert table.misplays == wrong
    assert table.takers == [1]


def test_a_press_at_an_empty_seat_turns_nothing_up() -> None:
    table = arrest(BY_ANNA)
    assert table.press(5) in table.misplays
    table.flip(4)
    assert table.takers == [1]


# The end of the round.


def test_after_a_capture_the_other_three_are_turned_up_one_a_press() -> None:
    table = arrest(BY_ANNA)
    table.flip()
    for _ in range(3):
        assert table.flippable
        assert table.takers == []
        table.flip()
    assert not table.flippable
    assert table.takers == [1]


def test_the_remaining_three_are_turned_up_from_oldest_to_newest() -> None:
    """What everybody sees after each press does not depend on the gangsters behind it."""
    table, other = Table(), Table()
    for one, stops in ((table, {8: [1], 2: [2], 5: [3], 3: []}), (other, {8: [1], 2: [2], 5: [], 3: [3]})):
        one.misdeeds(stops)
        one.flip(2)
    assert table.sees(None) == other.sees(None)
    table.flip()
    other.flip()
    assert table.sees(None) != other.sees(None)


def test_the_highest_gangster_wins_the_round() -> None:
    assert captures({8: [1], 2: [], 5: [], 3: []}) == [1]
    assert captures({8: [1], 2: [2], 5: [3], 3: []}) == [1]
    assert captures({5: [1], 2: [2], 8: [3], 3: []}) == [3]
    assert captures({2: [1], 10: [2], 9: [3], 3: []}) == [2]


def test_with_several_stops_nobody_gets_a_gangster_at_the_end_of_the_round() -> None:
    assert captures({3: [1], 9: [2, 3], 5: [], 7: []}) == [1]
    assert captures({3: [1], 9: [2, 3], 5: [4], 7: []}, 1, 2, 3, 4) == [4]


def test_the_captured_gangster_takes_no_part_in_the_check() -> None:
    table = arrest({8: [1], 2: [], 5: [], 3: []})
    table.flip(4)
    assert table.takers == [1]
    assert not table.flippable


def test_the_1_is_the_weakest() -> None:
    assert captures({1: [1], 2: [2], 5: [], 3: []}) == [2]
    assert captures({9: [1], 1: [2], 5: [], 3: []}) == [1]


def test_the_1_alone_wins_a_round() -> None:
    assert captures({1: [1], 2: [], 5: [], 3: []}) == [1]


@pytest.mark.parametrize("stops", [{1: [1], 10: [2], 9: [3], 3: []}, {10: [2], 3: [], 9: [3], 1: [1]}])
def test_the_1_is_the_strongest_when_another_agent_has_the_10(stops: dict[int, list[int]]) -> None:
    assert captures(stops) == [1]


def test_a_10_that_nobody_has_makes_the_1_no_stronger() -> None:
    assert captures({1: [1], 10: [], 9: [3], 3: []}) == [3]
    assert captures({1: [1], 10: [3, 4], 2: [2], 3: []}, 1, 2, 3, 4) == [2]


def test_a_10_that_fled_makes_the_1_no_stronger() -> None:
    table = arrest({10: [], 1: [1], 2: [2], 3: []})
    table.flip()
    table.misdeed(9)
    table.flip(4)
    assert table.takers == [2]


def test_a_10_of_the_last_round_makes_the_1_no_stronger() -> None:
    table = arrest({10: [1], 2: [], 5: [], 3: []})
    table.flip(4)
    table.token(1)
    table.misdeeds({1: [2], 4: [3], 5: [], 3: []})
    table.flip(4)
    assert table.takers == [3]


@pytest.mark.parametrize("highest", [number for number in GANGSTERS if number > 1])
def test_every_other_gangster_is_worth_its_number(highest: int) -> None:
    lower = highest - 1
    others = [number for number in GANGSTERS if number not in (highest, lower)][:2]
    assert captures({lower: [1], others[0]: [], highest: [2], others[1]: []}) == [2]
    assert captures({highest: [1], others[0]: [], lower: [2], others[1]: []}) == [1]


def test_two_agents_play_by_the_same_rules() -> None:
    assert captures({8: [1], 2: [2], 5: [], 3: []}, 1, 2) == [1]
    assert captures({2: [2], 8: [1], 5: [], 3: []}, 1, 2) == [1]


# A press is felt twice.


def turned_up(*presses: float, stops: Mapping[int, list[int]] = BY_ANNA) -> int:
    """How many gangsters were turned up, by presses at so many seconds, learned of in this order."""
    table = arrest(stops)
    begun = table.now + 100
    for seconds in presses:
        table.press(1, at=round(begun + seconds, 6))
    assert table.misplays == []
    table.now += 100
    for left in range(5):
        if table.takers:
            return 4 - left
        table.say("host", "flip")
    raise AssertionError("the round did not end")


def test_presses_within_half_a_second_of_a_flip_are_that_flip() -> None:
    assert turned_up(0.0) == 1
    assert turned_up(0.0, 0.1, 0.3, 0.5) == 1
    assert turned_up(0.0, 0.500001) == 2
    assert turned_up(0.0, 2.0, 4.0, 6.0) == 4


def test_so_are_presses_a_little_earlier_that_are_learned_of_later() -> None:
    assert turned_up(0.0, -0.1) == 1
    assert turned_up(0.0, -0.5) == 1
    assert turned_up(0.0, -0.5, -0.2, 0.5, 0.0) == 1


def test_a_press_more_than_half_a_second_earlier_is_no_echo() -> None:
    assert turned_up(0.0, -0.500001) == 2
    assert turned_up(0.0, -0.7, -0.6) == 2


def test_the_half_second_begins_at_the_flip_not_at_its_echo() -> None:
    assert turned_up(0.0, 0.4, 0.8) == 2
    assert turned_up(0.0, 0.4, 0.8, 1.2) == 2
    assert turned_up(0.0, 0.4, 0.8, 1.2, 1.6) == 3


def test_an_echo_of_an_earlier_flip_learned_of_late_is_no_flip() -> None:
    assert turned_up(0.0, 0.6, 0.2) == 2
    assert turned_up(0.0, 0.6, -0.3) == 2
    assert turned_up(0.0, 2.0, 0.3) == 2
    assert turned_up(0.0, 2.0, 4.0, 0.3, 2.2, -0.5) == 3


def test_an_echo_comes_from_any_buzzer() -> None:
    table = arrest(BY_ANNA)
    table.press(1)
    table.press(2, after=0.1)
    table.press(3, after=0.3, by="phone")
    assert table.misplays == []
    table.captured = True
    table.flip(2)
    assert table.takers == []
    table.flip()
    assert table.takers == [1]


def test_an_echo_of_a_flip_that_let_a_gangster_flee_is_no_misplay() -> None:
    table = arrest(NOBODY)
    table.flip()
    table.press(2, after=0.2)
    table.press(3, after=-0.2)
    assert table.misplays == []
    assert table.press(2, after=0.5) in table.misplays


def test_an_echo_of_a_flight_learned_of_at_the_next_arrest_is_no_flip() -> None:
    table = arrest(NOBODY)
    fled = table.now + 2
    table.flip()
    table.misdeed(9)
    table.press(2, at=fled + 0.5)
    assert table.misplays == []
    assert table.awaited == []
    assert table.flippable


def test_an_echo_of_the_last_flip_is_no_misplay() -> None:
    table = won()
    table.press(2, after=0.5)
    assert table.misplays == []
    assert table.takers == [1]


def test_an_echo_after_the_next_gangster_was_turned_up_is_no_misplay() -> None:
    table = arrest(NOBODY)
    table.flip()
    table.gangster(9, after=0.2)
    table.press(2, after=0.2)
    assert table.misplays == []


def test_a_said_flip_has_no_echo() -> None:
    table = arrest(BY_ANNA)
    table.say(1, "flip")
    table.press(2, after=0.1)
    table.say(1, "flip", after=0.1)
    table.say(2, "flip", after=0.1)
    assert table.takers == [1]
    assert table.misplays == []


def test_flip_said_is_no_echo() -> None:
    table = arrest(BY_ANNA)
    table.press(1)
    table.say(1, "flip", after=0.1)
    table.press(2, after=0.1)
    table.say(3, "flip", after=0.1)
    assert table.takers == []
    table.say(3, "flip", after=0.0)
    assert table.takers == [1]
    assert table.misplays == []


def test_a_press_after_a_said_flip_has_echoes_of_its_own() -> None:
    table = arrest(BY_ANNA)
    table.say(1, "flip")
    table.press(2, after=0.1)
    table.press(2, after=0.1)
    table.flip(1)
    assert table.takers == []
    table.flip(1)
    assert table.takers == [1]


def test_a_press_that_turned_nothing_up_has_no_echo() -> None:
    table = arrest({8: [], 2: [], 5: []})
    table.gangster(3)
    for seat in (1, 2):
        table.lay(seat, 4)
    wrong = table.press(1)
    table.lying[-1][3] = table.hand(3)[0]
    table.tap(3, table.lying[-1][3], after=0.1)
    table.press(1, after=0.1)
    assert table.misplays == [wrong]
    assert 9 in table.awaited


def test_when_the_flip_is_taken_back_its_echo_turns_the_cards_up() -> None:
    table = arrest(BY_ANNA)
    flip = table.press(1)
    table.press(2, after=0.1)
    table.retract(flip)
    assert table.misplays == []
    for _ in range(3):
        assert table.takers == []
        table.press(3)
    assert table.takers == [1]


def test_when_the_echo_is_taken_back_nothing_changes() -> None:
    table = arrest(BY_ANNA)
    table.press(1)
    before = table.sees(None)
    table.retract(table.press(2, after=0.1))
    assert table.sees(None) == before
    assert table.flippable


def test_a_flip_taken_back_turns_the_cards_over_again() -> None:
    table = arrest(BY_ANNA)
    before = table.sees(None)
    table.retract(table.press(1))
    assert table.sees(None) == before
    assert table.flippable


def test_a_flight_taken_back_makes_the_next_gangster_a_misplay() -> None:
    table = arrest(NOBODY)
    flight = table.press(1)
    wrong = table.tap("centre", "gangster-9")
    table.retract(flight)
    assert table.misplays == [wrong]
    assert table.flippable


def test_a_flip_in_the_laying_is_not_made_good_by_what_follows() -> None:
    table = laying()
    wrong = table.press(1)
    for seat in table.seats:
        table.lay(seat, 1)
    table.misdeeds({2: [], 5: [], 3: []})
    assert table.misplays == [wrong]
    assert table.flippable
