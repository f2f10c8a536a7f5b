"""Showing the stop card, and what is no stop card."""

from collections.abc import Callable

import pytest

from companion.kit.table_for_tests import Spot, cases
from tests.games.stop_it.table import SIX, Table, called, collecting, counting

Act = Callable[[Table], object]
ALL = [1, 2, 3]


@pytest.mark.parametrize("spot", [1, "centre"])
def test_the_caller_shows_the_stop_card_at_their_seat_or_at_the_centre(spot: Spot) -> None:
    table = called()
    table.tap(spot, "red-stop-1")
    assert (table.verdict, table.uncounted) == ("stop-shown card=red-stop-1 seat=1", ALL)


@cases(
    "act, verdict",
    ("another one's", lambda t: t.tap(2, "red-stop-1"), "only-caller-shows seat=2 seats=(1,)"),
    ("at another pad", lambda t: t.tap("discard", "red-stop-1"), "wrong-pad card=red-stop-1"),
    ("a card of a colour", lambda t: t.tap(1, "red-1"), "not-a-stop card=red-1 seats=(1,) →1"),
    ("of a colour that the box lacks", lambda t: t.tap(1, "blue-stop-1"), "not-in-this-box card=blue-stop-1 →1"),
    ("at an empty seat", lambda t: t.tap(5, "red-stop-1"), "empty-seat number=5"),
)
def test_what_does_not_stop(act: Act, verdict: str) -> None:
    table = called(colours=SIX)
    act(table)
    assert (table.verdict, table.callers) == (verdict, [1])


def test_a_stop_card_stays_set_aside_to_the_end() -> None:
    table = counting("red-stop-1")
    table.counts(0, 1, 1)
    table.press(1)
    table.stop(1, 0, 1, 1, card="blue-stop-1")
    table.press(1)
    table.call(1, "red-stop-1")
    assert table.verdict == "stop-used card=red-stop-1"


@cases(
    "act",
    ("another one's", lambda t: (t.press(1), t.tap(2, "blue-stop-1"), t.tap(1, "red-stop-1"))),
    ("a second one", lambda t: (t.press(1), t.tap(1, "red-stop-1", "blue-stop-1"))),
    ("one too soon", lambda t: (t.tap(2, "blue-stop-1"), t.press(1), t.tap(1, "red-stop-1"))),
)
def test_a_stop_card_refused_is_kept_for_later(act: Act) -> None:
    table = collecting()
    act(table)
    table.counts(0, 1, 1)
    table.press(1)
    table.call(2, "blue-stop-1")
    assert (len(table.misplays), table.uncounted) == (1, ALL)


# A dead heat, and a shout before others.


def dead_heat() -> Table:
    """Seat 1 shouted 0.3 ms before seat 2, within the window, and 1 ms before seat 3."""
    table = collecting()
    for seat, at in ((1, 110.0), (2, 110.0003), (3, 110.001)):
        table.press(seat, at=at)
    return table


@cases(
    "spot, caller, verdict",
    ("the first", 1, 1, "stop-shown-in-dead-heat card=red-stop-1 seat=1 other=2 margin=300 sure=500"),
    ("the second", 2, 2, "stop-shown-in-dead-heat card=red-stop-1 seat=2 other=1 margin=-300 sure=500"),
    (
        "at the centre the earliest",
        "centre",
        1,
        "stop-shown-between card=red-stop-1 seat=1 other=2 margin=300 sure=500",
    ),
)
def test_in_a_dead_heat_who_shows_a_stop_card_first_is_the_caller(spot: Spot, caller: int, verdict: str) -> None:
    table = dead_heat()
    table.tap(spot, "red-stop-1")
    assert (table.verdict, table.view["caller"]) == (verdict, caller)
    table.tap(3 - caller, "blue-stop-1")
    assert table.verdict == f"stops-do-not-count card=blue-stop-1 →{3 - caller}"


def test_who_shouted_before_the_others_by_more_shows_it_first() -> None:
    table = called()
    table.press(3, after=0.0182)
    table.tap(1, "red-stop-1")
    assert table.verdict == "stop-shown-first card=red-stop-1 seat=1 other=3 margin=18200 sure=500"
