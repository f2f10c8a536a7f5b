"""Starting, shouting first, shouting falsely."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from companion.games.stop_it.colours_in_box import Box, wanted
from companion.games.stop_it.state import Options
from companion.kit.table_for_tests import cases
from tests.games.stop_it.table import Table, called, collecting, false_called, last_calls, scored

Act = Callable[[Table], object]
Presses = list[tuple[int, float]]
SHOUT = 110.0
TIE = 0.02


def shouted(*presses: tuple[int, float], **options: Any) -> Table:
    """Presses of these seats, so many seconds after an instant, in the order in which the table learns of them."""
    table = collecting(1, 2, 3, 4, **{"tie_window": TIE, **options})
    for seat, delay in presses:
        table.press(seat, at=round(SHOUT + delay, 6))
    return table


# The start.


def restarted() -> Table:
    table = scored()
    table.press(1)
    return table


def restarted_after_a_false_call() -> Table:
    table = false_called()
    table.press(1)
    return table


def after_a_last_call() -> Table:
    table = last_calls()
    table.stop(2, 1, 1, 1)
    return table


@pytest.mark.parametrize(("delay", "heard"), [(-0.01, False), (0.499999, False), (0.5, True), (0.500001, True)])
@pytest.mark.parametrize("begin", [collecting, restarted, restarted_after_a_false_call, after_a_last_call])
def test_no_shout_is_heard_for_half_a_second_after_any_start(
    begin: Callable[[], Table], delay: float, heard: bool
) -> None:
    table = begin()
    table.press(2, after=delay)
    assert table.callers == ([2] if heard else [])
    assert table.verdict == ("shouted seat=2 sure=500" if heard else "")


# Who shouted first.


@cases(
    "presses, callers, verdict",
    ("a shout", [(2, 0)], [2], "shouted seat=2 sure=20000"),
    ("the first again", [(1, 0), (2, 0.5), (1, 1.5)], [1], ""),
    ("learned of second", [(2, 0.1), (1, 0)], [1], "shouted-earlier seat=1 sure=20000 other=2 margin=100000"),
    ("beyond it", [(1, 0), (2, 0.020001)], [1], "shouted-later seat=2 sure=20000 other=1 margin=20001"),
    ("three", [(2, 0.01), (3, 0.015), (1, 0)], [1, 2, 3], "dead-heat seats=(1, 2, 3) margin=15000 window=20000"),
    ("their earlier", [(1, 0.01), (2, 0.025), (1, 0)], [1], "shouted-earlier seat=1 sure=20000 other=2 margin=25000"),
    ("from the first", [(3, 0.03), (2, 0.015), (1, 0)], [1, 2], "dead-heat seats=(1, 2) margin=15000 window=20000"),
    ("with oneself", [(1, 0), (1, 0.01)], [1], ""),
)
def test_the_earliest_shout_calls_or_a_dead_heat_with_it(presses: Presses, callers: list[int], verdict: str) -> None:
    table = shouted(*presses)
    assert (table.callers, table.verdict, table.misplays) == (callers, verdict, [])


@cases(
    "apart, callers, options",
    ("half a millisecond", 0.0005, [1, 2], {}),
    ("more", 0.000501, [1], {}),
    ("the next", 0.000001, [1], {"tie_window": 0}),
)
def test_the_tie_window_is_half_a_millisecond_or_as_chosen(apart: float, callers: list[int], options: Any) -> None:
    table = collecting(**options)
    table.press(1, at=SHOUT)
    table.press(2, at=SHOUT + apart)
    assert table.callers == callers


def test_nobody_knows_how_sure_a_shout_entered_by_hand_is() -> None:
    table = called()
    table.press(2, by="phone")
    assert table.verdict == "shouted-later seat=2 sure=None other=1 margin=2000000"


@cases(
    "act, waits",
    ("a stop card is shown", lambda t: t.tap(2, "red-stop-1"), "counting"),
    ("no stop is said", lambda t: t.say(2, "no-stop"), "restart"),
)
def test_an_earlier_press_changes_nothing_once(act: Act, waits: str) -> None:
    table = shouted((2, 0.0))
    act(table)
    table.press(1, at=SHOUT - 0.1)
    assert (table.verdict, table.waits, table.view["caller"]) == ("", waits, 2)


# A false call.


@cases(
    "option, points, verdict",
    ("void", {}, (0, 0, 0), "false-call seat=1"),
    ("a point, if the table chose that", {"false_call": "penalty"}, (1, 0, 0), "false-call-penalty seat=1"),
)
def test_a_false_call_costs_no_card(option: dict[str, str], points: tuple[int, ...], verdict: str) -> None:
    table = false_called(**option)
    assert (table.verdict, table.scores, table.waits, table.view["caller"]) == (verdict, points, "restart", 1)


@cases(
    "act, verdict",
    ("one who has not shouted", lambda t: t.say(3, "no-stop"), "only-caller-says-no-stop seats=(1,)"),
    ("one who shouted later", lambda t: t.say(2, "no-stop"), "only-caller-says-no-stop seats=(1,)"),
    ("the host", lambda t: t.say("host", "no-stop"), "only-caller-says-no-stop seats=(1,)"),
)
def test_only_the_caller_says_that_there_is_no_stop(act: Act, verdict: str) -> None:
    table = shouted((1, 0.0), (2, 0.5), false_call="penalty")
    act(table)
    assert table.verdict == verdict


def test_a_false_call_is_the_first_shouters_however_many_shouted() -> None:
    table = shouted((1, 0.0), (2, 0.5), false_call="penalty")
    table.say(1, "no-stop")
    assert table.verdict == "false-call-penalty seat=1"


# A dead heat in which one has nothing to show.


def withdrew(**options: Any) -> Table:
    """Seats 1 and 2 were in a dead heat, seat 1 had no stop card."""
    table = shouted((1, 0.0), (2, 0.01), **options)
    table.say(1, "no-stop")
    return table


def test_at_this_table_one_of_a_dead_heat_may_withdraw() -> None:
    table = withdrew(false_call="penalty")
    assert (table.verdict, table.callers) == ("withdrew seat=1 seats=(2,)", [2])
    assert table.scores == (0, 0, 0, 0)


def test_at_this_table_a_dead_heat_without_any_stop_card_is_the_false_call_of_the_earliest() -> None:
    table = withdrew(false_call="penalty")
    table.say(2, "no-stop")
    assert (table.verdict, table.scores) == ("false-call-penalty seat=1", (1, 0, 0, 0))
    table.press(1)
    assert table.waits == "collecting"


@cases(
    "act, verdict",
    ("they show no card", lambda t: t.tap(1, "red-stop-1"), "only-caller-shows seat=1 seats=(2,)"),
)
def test_at_this_table_whoever_withdrew_is_out_of_this_call(act: Act, verdict: str) -> None:
    table = withdrew()
    act(table)
    assert (table.verdict, table.callers) == (verdict, [2])


# Options.


@pytest.mark.parametrize("colours", [["pink"], [], ["red", "red"]])
@pytest.mark.parametrize("box_type", [Options, Box])
def test_a_box_holds_some_colours_each_once(box_type: type[msgspec.Struct], colours: list[str]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"colours": colours}, box_type)


def test_a_box_of_one_colour_has_its_nineteen_cards_and_the_seventeen_without() -> None:
    assert len(wanted(Box(colours=("red",)))) == 19 + 17
