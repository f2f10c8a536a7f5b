"""The restart, the empty piles, the end, and taking things back."""

from collections.abc import Callable
from typing import Any

import pytest

from companion.game import Delay
from companion.games.stop_it.rules import delay
from tests.games.stop_it.table import Table, called, collecting, counting, ended, last_calls, scored
from tests.games.table import cases

Act = Callable[[Table], object]
Faults = list[tuple[int, str]]


# The restart.


@cases(
    "act, verdict, waits",
    ("the caller restarts", lambda t: t.press(1), "restarted seat=1", "collecting"),
    ("nobody else does", lambda t: t.press(3), "only-caller-restarts seat=1", "restart"),
    ("no press from before the count does", lambda t: t.press(1, after=-1), "", "restart"),
    ("no card is shown before it", lambda t: t.tap(1, "blue-stop-1"), "restart-first seat=1", "restart"),
)
def test_the_restart(act: Act, verdict: str, waits: str) -> None:
    table = scored()
    act(table)
    assert (table.verdict, table.waits) == (verdict, waits)


@pytest.mark.parametrize(("after", "restarts"), [(0.3, False), (0.499999, False), (0.5, True), (2.0, True)])
def test_at_this_table_a_nervous_second_press_after_the_count_does_not_restart(after: float, restarts: bool) -> None:
    table = counting()
    table.counts(None, 1, 1)
    table.press(1)
    assert table.waits == "restart"
    table.press(1, after=after)
    assert table.waits == ("collecting" if restarts else "restart")


def test_another_ones_nervous_press_is_told_who_restarts() -> None:
    table = counting()
    table.counts(1, None, 1)
    table.press(2)
    table.press(2, after=0.3)
    assert table.verdict == ""
    table.press(3, after=0.1)
    assert table.verdict == "only-caller-restarts seat=1"


# The piles are empty.


@pytest.mark.parametrize("who", [1, 2, "host"])
def test_anyone_says_that_the_piles_are_empty(who: int | str) -> None:
    table = collecting()
    table.say(who, "piles-empty")
    assert (table.verdict, table.waits, table.view["last_calls"]) == ("piles-empty", "last-calls", True)


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


def test_when_nobody_calls_any_more_the_fewest_points_win() -> None:
    table = last_calls()
    table.stop(2, 2, 0, 0)
    table.stop(2, 2, 2, 0)
    table.elapse()
    assert table.verdict == "nobody-calls; won seats=(1,) points=0"
    assert (table.over, table.winners, table.waits) == (True, [1], "over")


def test_without_any_stop_all_win() -> None:
    assert ended().verdict == "nobody-calls; won-together seats=(1, 2, 3) points=0"


def last_call() -> Table:
    table = last_calls()
    table.press(2)
    return table


@cases(
    "begin, what, verdict",
    ("before the last calls", collecting, "last-calls", "not-now-last-calls"),
    ("during a last call", last_call, "last-calls", "not-now-last-calls"),
    ("after the end", ended, "last-calls", "match-over"),
    ("another delay", last_calls, "restart", "unknown-word what=restart"),
)
def test_no_delay_runs_out(begin: Callable[[], Table], what: str, verdict: str) -> None:
    table = begin()
    table.elapse(what)
    assert table.verdict == verdict


def test_the_last_calls_run_out_when_nobody_has_shouted_for_ten_seconds() -> None:
    table = last_calls()
    assert delay(table.match.state) == Delay("last-calls", round(table.now * 1_000_000) + 10_000_000)
    table.press(2)
    assert delay(table.match.state) is None
    table.tap(2, "red-stop-1")
    table.counts(1, 1, 1)
    assert delay(table.match.state) == Delay("last-calls", round(table.now * 1_000_000) + 10_000_000)


def test_end_now_ends_at_once() -> None:
    table = collecting(empty="end-now")
    table.stop(1, 1, 0, 1)
    table.press(1)
    table.say(2, "piles-empty")
    assert table.verdict == "piles-empty-end; won-together seats=(1, 3) points=0"
    assert table.winners == [1, 3]


# The end.


def fourteen(*points: int, **options: str) -> Table:
    table = collecting(*range(1, len(points) + 1), **options)
    table.hand_out(*points)
    return table


def stops(*counts: int, faults: Faults | None = None) -> Act:
    def acts(table: Table) -> None:
        table.call(1)
        for seat, fault in faults or ():
            table.fault(seat, fault)
        table.counts(*counts)

    return acts


def false_call(table: Table) -> None:
    table.press(1)
    table.say(1, "no-stop")


def false_last_call(table: Table) -> None:
    table.say("host", "piles-empty")
    table.press(3)
    table.say(3, "no-stop")


PENALTY = {"false_call": "penalty"}


@cases(
    "given, act, points, winners, options",
    ("fourteen do not", (5, 5, 4), lambda t: None, (5, 5, 4), [], {}),
    ("the fifteenth does", (5, 5, 4), stops(1, 1, 0), (5, 5, 5), [1, 2, 3], {}),
    ("points owed count like cards", (4, 4, 3, 3), stops(0, 0, 1, 0, faults=[(4, "dropped")]), (5, 5, 3, 5), [3], {}),
    ("a fault may bring it", (5, 5, 3), stops(1, 1, 0, faults=[(1, "dropped")]), (6, 5, 4), [3], {}),
    ("a false call's penalty too", (5, 5, 4), false_call, (6, 5, 4), [3], PENALTY),
    ("also in the last calls", (5, 5, 4), false_last_call, (5, 5, 5), [1, 2, 3], PENALTY),
    ("a void one brings nothing", (5, 5, 4), false_call, (5, 5, 4), [], {}),
)
def test_the_fifteenth_negative_card_ends_the_match(
    given: tuple[int, ...], act: Act, points: tuple[int, ...], winners: list[int], options: Any
) -> None:
    table = fourteen(*given, **options)
    act(table)
    assert (table.scores, table.winners, table.over) == (points, winners, bool(winners))
    assert table.view["negatives_left"] == max(0, 15 - sum(points))


@cases(
    "act, verdict",
    ("a press", lambda t: t.press(1), "match-over"),
    ("one at an empty seat", lambda t: t.press(5), "match-over"),
    ("a word", lambda t: t.say("host", "piles-empty"), "match-over"),
    ("a card that is not this game's", lambda t: t.tap(1, "gangster-1"), "match-over"),
    ("a card that goes away", lambda t: t.lift(1, "red-stop-1"), ""),
)
def test_after_the_end(act: Act, verdict: str) -> None:
    table = ended()
    act(table)
    assert table.verdict == verdict


# Taking back.


def test_the_end_can_be_taken_back() -> None:
    table = last_calls()
    end = table.elapse()
    table.press(1)
    table.retract(end)
    assert (table.over, table.callers, table.misplays) == (False, [1], [])


def test_the_wrong_stop_card_is_replaced() -> None:
    table = called()
    table.retract(table.tap(1, "red-stop-1"))
    table.tap(1, "blue-stop-1")
    table.counts(0, 1, 1)
    table.press(1)
    table.call(2, "red-stop-1")
    assert (table.uncounted, table.misplays) == ([1, 2, 3], [])


def test_without_done_the_cards_tapped_stay() -> None:
    table = counting()
    table.tap(1, "red-1", "red-2")
    table.retract(table.press(1))
    assert table.uncounted == [1, 2, 3]
    table.tap(1, "red-3")
    table.press(1)
    table.counts(None, 2, 4)
    assert table.scores == (0, 1, 0)
