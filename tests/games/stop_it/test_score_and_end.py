"""Negative points, faults, the restart, the empty piles, the end, and taking things back."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.stop_it.table import STOPS, Table, called, collecting, counting, last_calls

EVEN = {1: 1, 2: 1, 3: 1}


def scored() -> Table:
    """Seat 1 called, seat 3 has a point, nobody has restarted."""
    table = counting()
    table.counts({1: 2, 2: 2, 3: 1})
    return table


# Who gets a negative card.


def test_the_fewest_gets_one() -> None:
    table = collecting(1, 2, 3, 4)
    table.stop(4, {1: 5, 2: 2, 3: 4, 4: 3})
    assert table.points == {1: 0, 2: 1, 3: 0, 4: 0}


def test_all_who_share_the_fewest_get_one() -> None:
    table = collecting()
    table.stop(1, {1: 2, 2: 2, 3: 3})
    assert table.points == {1: 1, 2: 1, 3: 0}


def test_zero_is_the_fewest() -> None:
    table = collecting()
    table.stop(1, {1: 1, 2: 0, 3: 0})
    assert table.points == {1: 0, 2: 1, 3: 1}


def test_when_all_have_the_same_all_get_one() -> None:
    table = collecting()
    table.stop(1, {1: 4, 2: 4, 3: 4})
    assert table.points == {1: 1, 2: 1, 3: 1}


def test_nothing_is_handed_out_before_the_last_count() -> None:
    table = collecting()
    table.stop(1, {1: 0, 2: 3})
    table.fault(2)
    assert table.points == {1: 0, 2: 0, 3: 0}


def test_points_add_up_over_the_stops() -> None:
    table = collecting()
    for counts in ({1: 0, 2: 1, 3: 1}, {1: 0, 2: 0, 3: 1}):
        table.stop(1, counts)
        table.press(1)
    assert table.points == {1: 2, 2: 1, 3: 0}


def test_seats_may_be_empty_between_the_players() -> None:
    table = collecting(2, 5)
    table.stop(5, {2: 3, 5: 1})
    assert table.points == {2: 0, 5: 1}


# Faults.


@pytest.mark.parametrize("by", [1, 2, 3, "host"])
def test_a_fault_is_told_by_anyone_and_costs_one(by: int | str) -> None:
    table = counting()
    table.fault(2, "unsorted", by=by)
    table.counts({1: 1, 2: 3, 3: 3})
    assert table.points == {1: 1, 2: 1, 3: 0}
    assert table.misplays == []


def test_each_kind_of_fault_costs_one_and_the_fewest_another() -> None:
    table = counting()
    table.fault(1, "unsorted")
    table.fault(1, "dropped")
    table.counts({1: 1, 2: 4, 3: 3})
    assert table.points == {1: 3, 2: 0, 3: 0}


def test_not_cumulative_the_sorting_costs_the_fewest_nothing() -> None:
    table = counting(cumulative=False)
    table.fault(1, "unsorted")
    table.fault(1, "dropped")
    table.counts({1: 1, 2: 4, 3: 3})
    assert table.points == {1: 2, 2: 0, 3: 0}


def test_not_cumulative_faults_of_the_others_cost_as_ever() -> None:
    table = counting(cumulative=False)
    table.fault(2, "unsorted")
    table.fault(2, "dropped")
    table.counts({1: 1, 2: 4, 3: 3})
    assert table.points == {1: 1, 2: 2, 3: 0}


def test_the_same_fault_of_the_same_player_costs_once() -> None:
    table = counting()
    table.fault(2)
    table.fault(2, by=1)
    table.counts({1: 1, 2: 4, 3: 3})
    assert table.points == {1: 1, 2: 1, 3: 0}


def test_the_same_fault_costs_again_at_the_next_stop() -> None:
    table = collecting()
    for _ in range(2):
        table.call(1)
        table.fault(2)
        table.counts({1: 0, 2: 4, 3: 3})
        table.press(1)
    assert table.points == {1: 2, 2: 2, 3: 0}


def test_a_fault_may_be_told_before_the_stop_card_is_shown() -> None:
    table = called()
    table.fault(2)
    table.tap(1, "red-stop-1")
    table.counts({1: 1, 2: 4, 3: 3})
    assert table.points == {1: 1, 2: 1, 3: 0}


def test_a_fault_may_be_told_of_whoever_has_counted() -> None:
    table = counting()
    table.counts({2: 4, 3: 3})
    table.fault(2)
    table.count(1, 1)
    assert table.points == {1: 1, 2: 1, 3: 0}


def test_a_fault_may_be_told_while_the_sum_is_wrong() -> None:
    table = counting()
    table.counts({1: 10, 2: 7, 3: 1})
    table.fault(2)
    table.count(3, 0)
    assert table.points == {1: 0, 2: 1, 3: 1}


def test_after_the_last_count_a_fault_is_a_misplay() -> None:
    table = scored()
    assert table.fault(2) in table.misplays
    assert table.points == {1: 0, 2: 0, 3: 1}


def test_at_this_table_a_fault_is_not_told_while_the_table_collects() -> None:
    table = collecting()
    assert table.fault(2, "dropped") in table.misplays


def test_after_a_false_call_a_fault_is_a_misplay() -> None:
    table = called()
    table.say(1, "no-stop")
    assert table.fault(2) in table.misplays


def test_at_this_table_a_false_call_forgets_the_faults() -> None:
    table = called()
    table.fault(2)
    table.say(1, "no-stop")
    table.press(1)
    table.stop(1, {1: 1, 2: 4, 3: 3})
    assert table.points == {1: 1, 2: 0, 3: 0}


@pytest.mark.parametrize(
    "value",
    [
        None,
        "dropped",
        [2, "dropped"],
        {},
        {"seat": 2},
        {"fault": "dropped"},
        {"seat": 2, "fault": "late"},
        {"seat": 2, "fault": ["dropped"]},
        {"seat": 2, "fault": None},
        {"seat": 5, "fault": "dropped"},
        {"seat": True, "fault": "dropped"},
        {"seat": "2", "fault": "dropped"},
        {"seat": [2], "fault": "dropped"},
        {"seat": "host", "fault": "dropped"},
        {"seat": 2, "fault": "dropped", "cards": 4},
    ],
)
def test_what_is_no_fault_is_a_misplay(value: Any) -> None:
    table = counting()
    assert table.say("host", "fault", value) in table.misplays
    table.counts({1: 1, 2: 4, 3: 3})
    assert table.points == {1: 1, 2: 0, 3: 0}


def test_an_empty_seat_tells_no_fault() -> None:
    table = counting()
    assert table.fault(2, by=5) in table.misplays


# The restart.


def test_only_the_caller_restarts() -> None:
    table = scored()
    table.press(2)
    table.press(3)
    assert not table.collecting
    table.press(1)
    assert table.collecting


def test_the_press_that_ends_the_count_does_not_restart() -> None:
    table = counting()
    table.counts({2: 1, 3: 1})
    table.press(1)
    assert not table.collecting
    table.press(1)
    assert table.collecting


def test_at_this_table_a_nervous_second_press_after_the_count_does_not_restart() -> None:
    table = Table(1, 2)
    table.press(1)
    table.call(1)
    table.count(2, 3)
    table.press(1)
    table.press(1, after=0.3)
    assert not table.collecting
    table.press(1)
    assert table.collecting


def test_before_the_last_count_nobody_restarts() -> None:
    table = counting()
    table.counts({1: 1, 2: 1})
    table.press(1)
    assert not table.collecting
    assert table.uncounted == [3]


def test_a_press_from_before_the_last_count_learned_of_late_does_not_restart() -> None:
    table = scored()
    table.press(1, after=-1)
    assert not table.collecting
    assert table.misplays == []


def test_a_press_from_before_the_restart_learned_of_late_is_no_shout() -> None:
    table = scored()
    table.press(1)
    table.press(2, after=-1)
    assert table.collecting


def test_no_card_is_shown_between_the_count_and_the_restart() -> None:
    table = scored()
    assert table.tap(1, "blue-stop-1") in table.misplays
    table.press(1)
    table.call(1, "blue-stop-1")
    assert table.uncounted == [1, 2, 3]


# The piles are empty.


@pytest.mark.parametrize("who", [1, 2, "host"])
def test_anyone_says_that_the_piles_are_empty(who: int | str) -> None:
    table = collecting()
    table.say(who, "piles-empty")
    assert table.misplays == []
    assert not table.over
    table.elapse()
    assert table.over


def test_held_stops_may_still_be_called() -> None:
    table = last_calls()
    table.stop(2, {1: 2, 2: 1, 3: 2}, "special-stop-2")
    assert table.points == {1: 0, 2: 1, 3: 0}
    assert not table.over


def test_after_a_last_call_no_restart_is_needed() -> None:
    table = last_calls()
    table.stop(2, EVEN)
    table.stop(3, {1: 0, 2: 1, 3: 1})
    assert table.points == {1: 2, 2: 1, 3: 1}
    assert table.misplays == []


@pytest.mark.parametrize("false_call", ["void", "penalty"])
def test_after_a_false_last_call_no_restart_is_needed(false_call: str) -> None:
    table = last_calls(false_call=false_call)
    table.press(2)
    table.say(2, "no-stop")
    assert table.collecting
    table.stop(3, EVEN)
    assert table.points == {1: 1, 2: 1 + (false_call == "penalty"), 3: 1}


def test_the_piles_stay_empty_after_a_last_call() -> None:
    table = last_calls()
    table.stop(2, EVEN)
    table.elapse()
    assert table.over
    assert table.misplays == []


def test_when_nobody_calls_any_more_the_fewest_points_win() -> None:
    table = last_calls()
    table.stop(2, {1: 2, 2: 0, 3: 0})
    table.stop(2, {1: 2, 2: 2, 3: 0})
    table.elapse()
    assert (table.over, table.winners) == (True, [1])


def test_without_any_stop_all_win() -> None:
    table = last_calls()
    table.elapse()
    assert table.winners == [1, 2, 3]


def test_the_delay_runs_out_only_in_the_last_calls() -> None:
    table = collecting()
    wrong = [table.elapse()]
    table.stop(1, EVEN)
    wrong.append(table.elapse())
    assert table.misplays == wrong
    assert not table.over


def test_the_delay_does_not_run_out_during_a_last_call() -> None:
    table = last_calls()
    table.press(2)
    wrong = [table.elapse()]
    table.tap(2, "red-stop-1")
    wrong.append(table.elapse())
    assert table.misplays == wrong
    assert not table.over
    table.counts(EVEN)
    table.elapse()
    assert table.over


def test_no_other_delay_is_known() -> None:
    table = last_calls()
    assert table.elapse("restart") in table.misplays
    assert not table.over


def test_end_now_ends_at_once() -> None:
    table = collecting(empty="end-now")
    table.stop(1, {1: 1, 2: 0, 3: 1})
    table.press(1)
    table.say(2, "piles-empty")
    assert (table.over, table.winners) == (True, [1, 3])
    assert table.misplays == []


def test_the_fifteenth_card_ends_the_last_calls_too() -> None:
    table = last_calls()
    for _ in range(5):
        table.stop(1, EVEN)
    assert table.over


def test_at_this_table_the_piles_are_empty_only_while_it_collects() -> None:
    table = Table()
    wrong = [table.say(1, "piles-empty")]
    table.press(1)
    table.press(1)
    wrong.append(table.say(1, "piles-empty"))
    table.tap(1, "red-stop-1")
    wrong.append(table.say(1, "piles-empty"))
    assert table.misplays == wrong


def test_at_this_table_no_shout_is_heard_for_half_a_second_after_a_last_call() -> None:
    table = last_calls()
    table.stop(2, EVEN)
    table.press(3, after=0.4)
    assert table.callers == []
    table.press(3, after=0.2)
    assert table.callers == [3]


# The end.


def test_fourteen_negative_cards_do_not_end_the_match() -> None:
    table = collecting()
    table.hand_out({1: 5, 2: 5, 3: 4})
    assert not table.over
    assert table.winners == []


def test_the_fifteenth_negative_card_ends_it() -> None:
    table = collecting()
    table.hand_out({1: 5, 2: 5, 3: 4})
    table.stop(1, {1: 1, 2: 1, 3: 0})
    assert table.over
    assert table.points == {1: 5, 2: 5, 3: 5}
    assert table.winners == [1, 2, 3]


def test_points_owed_beyond_fifteen_count_like_cards() -> None:
    table = collecting(1, 2, 3, 4)
    table.hand_out({1: 4, 2: 4, 3: 3, 4: 3})
    table.call(1)
    table.fault(4, "unsorted")
    table.fault(4, "dropped")
    table.counts({1: 0, 2: 0, 3: 1, 4: 0})
    assert table.points == {1: 5, 2: 5, 3: 3, 4: 6}
    assert table.winners == [3]


def test_a_fault_may_bring_the_fifteenth() -> None:
    table = collecting()
    table.hand_out({1: 5, 2: 5, 3: 3})
    table.call(1)
    table.fault(1)
    table.counts({1: 1, 2: 1, 3: 0})
    assert table.over
    assert table.winners == [3]


def test_the_penalty_of_a_false_call_may_bring_the_fifteenth() -> None:
    table = collecting(false_call="penalty")
    table.hand_out({1: 5, 2: 5, 3: 4})
    table.press(1)
    table.say(1, "no-stop")
    assert table.over
    assert table.points == {1: 6, 2: 5, 3: 4}
    assert table.winners == [3]


def test_the_penalty_of_a_false_last_call_may_bring_the_fifteenth() -> None:
    table = collecting(false_call="penalty")
    table.hand_out({1: 5, 2: 5, 3: 4})
    table.say("host", "piles-empty")
    table.press(3)
    table.say(3, "no-stop")
    assert table.over
    assert table.winners == [1, 2, 3]


def test_a_void_false_call_brings_nothing() -> None:
    table = collecting()
    table.hand_out({1: 5, 2: 5, 3: 4})
    table.press(1)
    table.say(1, "no-stop")
    assert not table.over


def test_everything_after_the_end_is_a_misplay_but_a_card_that_goes_away() -> None:
    table = last_calls()
    table.elapse()
    wrong = [
        table.press(1),
        table.press(5),
        table.tap(1, "red-stop-1"),
        table.tap(1, "gangster-1"),
        table.say("host", "piles-empty"),
        table.count(1, 3),
        table.fault(2),
        table.elapse(),
    ]
    table.lift(1, "red-stop-1")
    assert table.misplays == wrong
    assert table.points == {1: 0, 2: 0, 3: 0}


def test_the_end_can_be_taken_back() -> None:
    table = last_calls()
    end = table.elapse()
    table.press(1)
    table.retract(end)
    assert not table.over
    assert table.callers == [1]
    assert table.misplays == []


# Taking back.


def test_without_the_start_the_shout_is_the_start() -> None:
    table = Table()
    start = table.press(1)
    table.press(2)
    table.retract(start)
    assert table.collecting


def test_without_the_shout_the_stop_card_stops_nothing() -> None:
    table = collecting()
    shout = table.press(1)
    card = table.tap(1, "red-stop-1")
    table.retract(shout)
    assert table.misplays == [card]
    assert table.collecting


def test_without_the_first_shout_the_next_one_calls() -> None:
    table = collecting()
    shout = table.press(1)
    table.press(2)
    table.retract(shout)
    assert table.callers == [2]


def test_without_the_stop_card_the_counts_count_nothing() -> None:
    table = called()
    card = table.tap(1, "red-stop-1")
    counts = [table.count(seat, 1) for seat in (1, 2, 3)]
    table.retract(card)
    assert table.misplays == counts
    assert table.points == {1: 0, 2: 0, 3: 0}
    assert table.callers == [1]


def test_the_wrong_stop_card_is_replaced() -> None:
    table = called()
    card = table.tap(1, "red-stop-1")
    table.retract(card)
    table.tap(1, "blue-stop-1")
    table.counts({1: 0, 2: 1, 3: 1})
    table.press(1)
    table.call(2, "red-stop-1")
    assert table.uncounted == [1, 2, 3]
    assert table.misplays == []


def test_without_a_count_the_point_is_not_handed_out() -> None:
    table = counting()
    count = table.count(1, 0)
    table.counts({2: 1, 3: 2})
    table.retract(count)
    assert table.points == {1: 0, 2: 0, 3: 0}
    table.count(1, 3)
    assert table.points == {1: 0, 2: 1, 3: 0}


def test_without_done_the_cards_tapped_stay() -> None:
    table = counting()
    table.tap(1, "red-1", "red-2")
    done = table.press(1)
    table.retract(done)
    assert table.uncounted == [1, 2, 3]
    table.tap(1, "red-3")
    table.press(1)
    table.counts({2: 2, 3: 4})
    assert table.points == {1: 0, 2: 1, 3: 0}


def test_without_no_stop_the_call_stands() -> None:
    table = called(false_call="penalty")
    word = table.say(1, "no-stop")
    table.retract(word)
    assert table.points == {1: 0, 2: 0, 3: 0}
    assert table.callers == [1]


def test_without_the_restart_nobody_called() -> None:
    table = scored()
    restart = table.press(1)
    table.press(2)
    table.retract(restart)
    assert table.callers == []
    assert not table.collecting


def test_without_the_fault_it_costs_nothing() -> None:
    table = counting()
    fault = table.fault(2)
    table.counts({1: 0, 2: 1, 3: 1})
    table.retract(fault)
    assert table.points == {1: 1, 2: 0, 3: 0}


def test_a_misplay_taken_back_is_told_no_more() -> None:
    table = called()
    table.retract(table.tap(2, "red-stop-1"))
    assert table.misplays == []


def test_taking_back_is_taken_back() -> None:
    table = counting()
    count = table.count(1, 0)
    table.counts({2: 1, 3: 2})
    back = table.retract(count)
    again = table.retract(back)
    assert table.points == {1: 1, 2: 0, 3: 0}
    table.retract(again)
    assert table.points == {1: 0, 2: 0, 3: 0}


# An independent scorer.

faulted = st.lists(st.tuples(st.integers(1, 6), st.sampled_from(["unsorted", "dropped"])), max_size=6, unique=True)


stops = st.permutations([*STOPS, "special-stop-1", "special-stop-2"])


@given(data=st.data(), seats=st.integers(2, 6), cumulative=st.booleans())
@settings(max_examples=60, deadline=None)
def test_any_counts_and_faults_are_scored_like_this(data: st.DataObject, seats: int, cumulative: bool) -> None:
    table = collecting(*range(1, seats + 1), cumulative=cumulative)
    expected = dict.fromkeys(table.seats, 0)
    most = 17 // seats
    for stop in data.draw(stops):
        counts = {seat: data.draw(st.integers(0, most)) for seat in table.seats}
        faults = [(seat, fault) for seat, fault in data.draw(faulted) if seat <= seats]
        fewest = min(counts.values())
        for seat, count in counts.items():
            expected[seat] += count == fewest
        for seat, fault in faults:
            expected[seat] += cumulative or fault == "dropped" or counts[seat] != fewest

        table.call(1, stop)
        for seat, fault in faults:
            table.fault(seat, fault)
        colour = stop.split("-")[0].replace("special", "green")
        for seat, count in counts.items():
            if data.draw(st.booleans()):
                table.count(seat, count)
            else:
                table.tap(seat, *(f"{colour}-{most * (seat - 1) + n}" for n in range(1, count + 1)))
                table.press(seat)
        assert (table.points, table.misplays) == (expected, [])
        if sum(expected.values()) >= 15:
            break
        assert not table.over
        table.press(1)
    assert table.over
    assert table.winners == [seat for seat in expected if expected[seat] == min(expected.values())]
