"""Starting, shouting first, shouting falsely."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.judge import record
from tests.games.stop_it.table import Table, called, collecting, counting

TIE = 0.02


def shouted(*presses: tuple[int, float], **options: object) -> tuple[Table, float]:
    """Presses of these seats, in the order of being learned of, so many seconds after an instant."""
    table = collecting(1, 2, 3, 4, tie_window=TIE, **options)
    shout = table.now + 5
    for seat, after in presses:
        table.press(seat, at=shout + after)
    return table, shout


# The first start.


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_anyone_starts(seat: int) -> None:
    table = Table()
    table.press(seat)
    assert table.collecting
    assert table.misplays == []


def test_an_empty_seat_starts_nothing() -> None:
    table = Table()
    assert table.press(4) in table.misplays
    assert not table.collecting


def test_nothing_but_a_press_starts() -> None:
    table = Table()
    wrong = [
        table.tap(1, "red-stop-1"),
        table.tap("centre", "red-1"),
        table.count(1, 3),
        table.fault(1),
        table.say(1, "no-stop"),
        table.elapse(),
    ]
    assert table.misplays == wrong
    assert not table.collecting


@pytest.mark.parametrize("again", [False, True], ids=["first start", "restart"])
def test_no_shout_is_heard_for_half_a_second_after_any_start(again: bool) -> None:
    table = counting() if again else Table()
    if again:
        table.counts({1: 1, 2: 2, 3: 3})
    table.press(1)
    table.press(2, after=0.499999)
    assert table.callers == []
    assert table.collecting
    assert table.misplays == []


def test_no_shout_is_heard_for_half_a_second_after_the_restart_that_follows_a_false_call() -> None:
    table = called()
    table.say(1, "no-stop")
    table.press(1)
    table.press(2, after=0.499999)
    assert table.collecting


def test_a_shout_is_heard_half_a_second_after_the_start() -> None:
    table = collecting()
    table.press(2, after=0.500001)
    assert table.callers == [2]


def test_this_table_hears_a_shout_exactly_half_a_second_after_the_start() -> None:
    table = collecting()
    table.press(2, after=0.5)
    assert table.callers == [2]


def test_a_press_from_before_the_start_learned_of_late_is_no_shout() -> None:
    table = collecting()
    table.press(2, after=-0.01)
    assert table.collecting
    assert table.misplays == []


@pytest.mark.parametrize("after_start", [-0.1, 0.0, 0.3])
def test_a_press_not_heard_as_a_shout_takes_the_call_from_nobody(after_start: float) -> None:
    table = collecting()
    start = table.now
    table.press(1, at=start + 5)
    table.press(2, at=start + after_start)
    assert table.callers == [1]


def test_a_press_not_heard_is_in_no_dead_heat() -> None:
    table = collecting(tie_window=0.2)
    start = table.now
    table.press(2, at=start + 0.45)
    table.press(1, at=start + 0.6)
    assert table.callers == [1]


def test_an_empty_seat_shouts_nothing() -> None:
    table = collecting()
    assert table.press(4) in table.misplays
    assert table.collecting


# Who shouted first.


def test_a_shout_makes_the_caller() -> None:
    table = collecting()
    table.press(2)
    assert table.callers == [2]


def test_later_shouts_change_nothing_and_are_no_misplays() -> None:
    table, _ = shouted((1, 0.0), (2, 0.5), (3, 1.0), (1, 1.5))
    assert table.callers == [1]
    assert table.misplays == []


def test_later_shouts_are_told() -> None:
    table, _ = shouted((1, 0.0))
    before = table.sees(None)
    table.press(2)
    assert table.sees(None) != before


def test_the_earliest_press_is_the_caller_also_when_learned_of_second() -> None:
    table, _ = shouted((2, 0.14), (1, 0.0))
    assert table.callers == [1]
    assert table.misplays == []


def test_the_earliest_press_is_the_caller_also_when_learned_of_last() -> None:
    table, _ = shouted((2, 0.14), (3, 0.3), (1, 0.0))
    assert table.callers == [1]


def test_an_earlier_press_changes_nothing_once_a_stop_card_is_shown() -> None:
    table, shout = shouted((2, 0.0))
    table.tap(2, "red-stop-1")
    table.press(1, at=shout - 0.1)
    table.counts({1: 1, 2: 2, 3: 3, 4: 4})
    table.press(2)
    assert table.collecting
    assert table.misplays == []


def test_an_earlier_press_changes_nothing_once_no_stop_is_said() -> None:
    table, shout = shouted((2, 0.0), false_call="penalty")
    table.say(2, "no-stop")
    table.press(1, at=shout - 0.1)
    table.press(2)
    assert table.points == {1: 0, 2: 1, 3: 0, 4: 0}
    assert table.collecting
    assert table.misplays == []


def test_an_earlier_press_still_counts_after_a_stop_card_was_refused() -> None:
    table, shout = shouted((1, 0.0))
    refused = table.tap(2, "red-stop-1")
    table.press(2, at=shout - 0.1)
    table.tap(2, "red-stop-1")
    assert table.misplays == [refused]
    assert table.uncounted == [1, 2, 3, 4]


def test_the_default_tie_window_is_half_a_millisecond() -> None:
    for apart, callers in ((0.0005, [1, 2]), (0.000501, [1])):
        table = collecting()
        table.press(1, at=110.0)
        table.press(2, at=110.0 + apart)
        assert table.callers == callers


def test_presses_within_the_tie_window_are_a_dead_heat_its_end_included() -> None:
    table, _ = shouted((1, 0.0), (2, TIE))
    assert table.callers == [1, 2]


def test_presses_beyond_the_tie_window_are_none() -> None:
    table, _ = shouted((1, 0.0), (2, TIE + 0.000001))
    assert table.callers == [1]


def test_without_a_tie_window_only_the_same_microsecond_ties() -> None:
    table = collecting(tie_window=0)
    for seat, at in ((1, 110.0), (2, 110.0), (3, 110.000001)):
        table.press(seat, at=at)
    assert table.callers == [1, 2]


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 2, 1), (2, 3, 1), (2, 1, 3)])
def test_the_tie_window_begins_at_the_earliest_press_whatever_was_learned_first(order: tuple[int, ...]) -> None:
    moments = {1: 0.0, 2: 0.015, 3: 0.03}
    table, _ = shouted(*((seat, moments[seat]) for seat in order))
    assert table.callers == [1, 2]


def test_the_earlier_of_two_presses_of_a_seat_begins_the_tie_window() -> None:
    table, _ = shouted((1, 0.01), (2, 0.025), (1, 0.0))
    assert table.callers == [1]


def test_a_seat_is_in_no_dead_heat_with_itself() -> None:
    table, _ = shouted((1, 0.0), (1, 0.01))
    table.say(1, "no-stop")
    table.press(1)
    assert table.collecting


# A false call.


def test_a_false_call_is_void() -> None:
    table = called()
    table.say(1, "no-stop")
    assert table.points == {1: 0, 2: 0, 3: 0}
    assert table.uncounted == table.callers == table.misplays == []


def test_a_false_call_may_cost_a_point() -> None:
    table = called(false_call="penalty")
    table.say(1, "no-stop")
    assert table.points == {1: 1, 2: 0, 3: 0}


@pytest.mark.parametrize("who", [2, "host"])
def test_only_the_caller_says_that_there_is_no_stop(who: int | str) -> None:
    table = called(false_call="penalty")
    assert table.say(who, "no-stop") in table.misplays
    assert table.callers == [1]


def test_whoever_shouted_later_cannot_say_that_there_is_no_stop() -> None:
    table, _ = shouted((1, 0.0), (2, 0.5))
    assert table.say(2, "no-stop") in table.misplays
    assert table.callers == [1]


def test_no_stop_without_a_call_is_a_misplay() -> None:
    table = collecting()
    running = table.say(1, "no-stop")
    table.call(1, "red-stop-1")
    shown = table.say(1, "no-stop")
    table.counts({1: 1, 2: 2, 3: 3})
    scored = table.say(1, "no-stop")
    assert table.misplays == [running, shown, scored]


def test_no_stop_twice_is_a_misplay() -> None:
    table = called(false_call="penalty")
    table.say(1, "no-stop")
    assert table.say(1, "no-stop") in table.misplays
    assert table.points == {1: 1, 2: 0, 3: 0}


def test_after_a_false_call_no_stop_card_is_taken() -> None:
    table = called()
    table.say(1, "no-stop")
    late = table.tap(1, "red-stop-1")
    assert table.misplays == [late]


def test_the_false_caller_restarts() -> None:
    table = called()
    table.say(1, "no-stop")
    table.press(2)
    assert not table.collecting
    table.press(1)
    assert table.collecting


def test_a_press_of_the_false_caller_from_before_he_said_so_restarts_nothing() -> None:
    table = called()
    table.say(1, "no-stop")
    table.press(1, after=-1)
    assert not table.collecting


def test_a_false_call_leaves_the_stop_cards_in_the_game() -> None:
    table = called()
    table.say(1, "no-stop")
    table.press(1)
    table.stop(1, {1: 0, 2: 1, 3: 1}, "red-stop-1")
    assert table.points == {1: 1, 2: 0, 3: 0}


# A dead heat in which one has nothing to show.


def test_at_this_table_one_of_a_dead_heat_may_withdraw() -> None:
    table, _ = shouted((1, 0.0), (2, 0.01), false_call="penalty")
    table.say(1, "no-stop")
    assert table.callers == [2]
    assert table.points == {1: 0, 2: 0, 3: 0, 4: 0}


def test_at_this_table_a_dead_heat_without_any_stop_card_is_the_false_call_of_the_earliest() -> None:
    table, _ = shouted((1, 0.0), (2, 0.01), false_call="penalty")
    table.say(2, "no-stop")
    table.say(1, "no-stop")
    assert table.points == {1: 1, 2: 0, 3: 0, 4: 0}
    table.press(1)
    assert table.collecting


def test_at_this_table_whoever_withdrew_is_out_of_this_call() -> None:
    table, _ = shouted((1, 0.0), (2, 0.01))
    table.say(1, "no-stop")
    wrong = [table.say(1, "no-stop"), table.tap(1, "red-stop-1")]
    assert table.misplays == wrong
    assert table.callers == [2]


def test_at_this_table_an_earlier_press_still_counts_after_one_withdrew() -> None:
    table, shout = shouted((1, 0.0), (2, 0.01))
    table.say(1, "no-stop")
    table.press(3, at=shout - 1)
    assert table.callers == [3]


def test_at_this_table_a_press_in_the_dead_heat_still_counts_after_one_withdrew() -> None:
    table, shout = shouted((1, 0.0), (2, 0.01))
    table.say(1, "no-stop")
    table.press(3, at=shout + TIE)
    table.press(4, at=shout + TIE + 0.001)
    assert table.callers == [2, 3]


def test_an_earlier_press_of_whoever_withdrew_leaves_a_way_on() -> None:
    table, shout = shouted((1, 0.0), (2, 0.01))
    table.say(1, "no-stop")
    table.press(1, at=shout - 0.015)
    assert not table.stuck


def test_an_earlier_press_of_whoever_withdrew_leaves_a_card_at_the_centre_judged() -> None:
    table, shout = shouted((1, 0.0), (2, 0.01))
    table.say(1, "no-stop")
    table.press(1, at=shout - 0.015)
    card = table.tap("centre", "red-stop-1")
    assert table.uncounted or card in table.misplays


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(0, 60)), min_size=2, max_size=8), st.data())
@settings(max_examples=100, deadline=None)
def test_whoever_presses_and_withdraws_there_is_a_way_on(presses: list[tuple[int, int]], data: st.DataObject) -> None:
    table, shout = shouted()
    for seat, after in presses:
        table.press(seat, at=round(shout + after / 1000, 6))
        if len(table.callers) > 1 and data.draw(st.booleans()):
            table.say(data.draw(st.sampled_from(table.callers)), "no-stop")
        assert not table.stuck


# Options.

PLAYERS = [{"seat": 1, "name": "Ana"}, {"seat": 2, "name": "Bo"}]
FIRST = {"seq": 1, "at": 0, "kind": "started", "game": "stop-it", "players": PLAYERS}


@pytest.mark.parametrize(
    "option",
    [
        {"tie_window": -0.001},
        {"tie_window": "20"},
        {"false_call": "double"},
        {"cumulative": 1},
        {"empty": "never"},
        {"colours": ["pink"]},
        {"colours": "red"},
        {"color": ["red"]},
    ],
)
def test_a_bad_option_damages_the_record(option: dict[str, object]) -> None:
    first = json.dumps({**FIRST, "options": option}).encode()
    with pytest.raises(record.Damaged):
        record.decode(first)


@pytest.mark.parametrize("option", [{"tie_window": 0}, {"colours": ["red"]}, {"empty": "last-calls"}])
def test_a_good_option_does_not(option: dict[str, object]) -> None:
    assert record.decode(json.dumps({**FIRST, "options": option}).encode())
