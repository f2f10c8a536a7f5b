"""The restart, the empty piles, and the end."""

from collections.abc import Callable
from typing import Any

import pytest

from companion.games.stop_it.rules import last_calls_due
from companion.kit.table_for_tests import cases
from tests.games.stop_it.table import Table, collecting, counting, false_called, last_calls, match_ended, scored

Act = Callable[[Table], object]


# The restart.


@pytest.mark.parametrize("begin", [scored, false_called])
@cases(
    "act, verdict, waits",
    ("the caller restarts", lambda t: t.press(1), "restarted seat=1", "collecting"),
    ("nobody else does", lambda t: t.press(3), "only-caller-restarts seat=1 →3", "restart"),
    ("no press from before does", lambda t: t.press(1, after=-1), "", "restart"),
    ("no card is shown before it", lambda t: t.tap(1, "blue-stop-1"), "restart-first seat=1", "restart"),
)
def test_the_restart_after_a_count_or_a_false_call(
    begin: Callable[[], Table], act: Act, verdict: str, waits: str
) -> None:
    table = begin()
    act(table)
    assert (table.verdict, table.waits) == (verdict, waits)


@pytest.mark.parametrize(("delay", "restarts"), [(0.3, False), (0.499999, False), (0.5, True), (2.0, True)])
def test_at_this_table_a_nervous_second_press_after_the_count_does_not_restart(delay: float, restarts: bool) -> None:
    table = counting()
    table.counts(None, 1, 1)
    table.press(1)
    assert table.waits == "restart"
    table.press(1, after=delay)
    assert table.waits == ("collecting" if restarts else "restart")


# The piles are empty.


def test_held_stops_may_still_be_called_and_no_restart_is_needed() -> None:
    table = last_calls()
    table.stop(2, 2, 1, 2, card="special-stop-2")
    assert (table.scores, table.waits) == ((0, 1, 0), "last-calls")
    table.stop(3, 0, 1, 1)
    assert (table.scores, table.misplays) == ((1, 1, 0), [])


@pytest.mark.parametrize(("false_call", "costs"), [("void", 0), ("penalty", 1)])
def test_after_a_false_last_call_no_restart_is_needed_either(false_call: str, costs: int) -> None:
    table = last_calls(false_call=false_call)
    table.press(2)
    table.say(2, "no-stop")
    assert (table.waits, table.scores) == ("last-calls", (0, costs, 0))


def test_without_any_stop_all_win() -> None:
    assert match_ended().verdict == "nobody-calls; won-together seats=(1, 2, 3) points=0"


def test_the_last_calls_run_out_when_nobody_has_shouted_for_ten_seconds() -> None:
    table = last_calls()
    assert last_calls_due(table.match.state) == round(table.now * 1_000_000) + 10_000_000
    table.press(2)
    assert last_calls_due(table.match.state) is None
    table.tap(2, "red-stop-1")
    table.counts(1, 1, 1)
    assert last_calls_due(table.match.state) == round(table.now * 1_000_000) + 10_000_000


# The end.

PENALTY = {"false_call": "penalty"}


@cases(
    "points_given, act, points, winners, options",
    ("the fifteenth does", (5, 5, 4), lambda t: t.stop(1, 1, 1, 0), (5, 5, 5), [1, 2, 3], {}),
    ("a fault's", (5, 5, 3), lambda t: (t.call(1), t.fault(1), t.counts(1, 1, 0)), (6, 5, 4), [3], {}),
    ("more owed", (5, 4, 4), lambda t: (t.call(1), t.fault(3), t.counts(0, 1, 0)), (6, 4, 6), [2], {}),
    ("a false call's", (5, 5, 4), lambda t: (t.press(1), t.say(1, "no-stop")), (6, 5, 4), [3], PENALTY),
    ("in a short match, the last in play", (2, 1, 1), lambda t: t.stop(1, 1, 1, 0), (2, 1, 2), [2], {"negatives": 5}),
)
def test_the_fifteenth_negative_card_ends_the_match(
    points_given: tuple[int, ...], act: Act, points: tuple[int, ...], winners: list[int], options: Any
) -> None:
    table = collecting(**options)
    table.hand_out(*points_given)
    act(table)
    assert (table.scores, table.winners, table.over) == (points, winners, bool(winners))
    left = options.get("negatives", 15) - sum(points)
    assert (table.view["negatives_left"], table.view["negatives_owed"]) == (max(0, left), max(0, -left))
