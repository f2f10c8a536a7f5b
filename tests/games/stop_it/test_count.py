"""Counting: told, tapped, and both."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import UNSET

from companion.kit.table_for_tests import cases
from tests.games.stop_it.table import COLOURS, SIX, Table, counting

Act = Callable[[Table], object]
RED = "red-stop-1"
SPECIAL = "special-stop-1"


# Told.


@cases(
    "value, verdict",
    ("none", 0, "counted seat=2"),
    ("all of a colour", 17, "counted seat=2"),
    ("more than all", 18, "count-impossible most=17 →2"),
    ("less than none", -1, "count-impossible most=17 →2"),
    ("half a card", 2.5, "count-is-a-number →2"),
    ("yes", True, "count-is-a-number →2"),
    ("nothing", UNSET, "count-is-a-number →2"),
)
def test_a_count_is_a_number_of_cards(value: Any, verdict: str) -> None:
    table = counting()
    table.count(2, value)
    assert table.verdict == verdict
    assert table.uncounted == ([1, 3] if verdict == "counted seat=2" else [1, 2, 3])


@cases(
    "stop, colours, most",
    ("of all colours", SPECIAL, COLOURS, 119),
    ("of six", SPECIAL, SIX, 102),
    ("of red", RED, COLOURS, 17),
    ("of red, where blue is missing", RED, SIX, 17),
)
def test_a_colour_has_seventeen_cards_and_a_special_stop_counts_all_colours(
    stop: str, colours: Sequence[str], most: int
) -> None:
    table = counting(stop, colours=list(colours))
    table.count(2, most + 1)
    assert table.verdict == f"count-impossible most={most} →2"
    table.counts(most - 5, 5)
    table.count(3, 1)
    assert (table.verdict, table.uncounted) == (f"counts-impossible most={most}", [3])
    table.count(3, 0)
    assert table.scores == (most == 5, 0, 1)


@cases(
    "act, verdict",
    ("a second time", lambda t: t.count(1, 2), "counted-already →1"),
    ("the host", lambda t: t.say("host", "count", 3), "only-players-count"),
    ("an empty seat", lambda t: t.count(5, 3), "empty-seat number=5"),
)
def test_every_player_counts_once_and_nobody_else(act: Act, verdict: str) -> None:
    table = counting()
    table.count(1, 5)
    act(table)
    assert (table.verdict, table.uncounted) == (verdict, [2, 3])


# Tapped.


def test_at_this_table_a_count_told_goes_before_the_cards_tapped() -> None:
    table = counting()
    table.tap(1, "red-1", "red-2")
    table.counts(5, 4, 4)
    assert (table.scores, table.misplays) == ((0, 1, 1), [])


@cases(
    "delay, done",
    ("before it, learned of late", -1.0, False),
    ("in its first second", 0.999999, False),
    ("a second later", 1.0, True),
)
def test_a_press_says_done_from_a_second_after_the_stop_card(delay: float, done: bool) -> None:
    table = counting()
    shown_at = table.now
    table.tap(2, "red-1")
    table.press(2, at=shown_at + delay)
    assert table.uncounted == ([1, 3] if done else [1, 2, 3])
    assert table.verdict == ("counted seat=2" if done else "")


@cases(
    "stop, spot, card, verdict",
    ("another colour", RED, 2, "yellow-7", "other-colour card=yellow-7 colour=red →2"),
    ("a colour that the box lacks", SPECIAL, 2, "blue-7", "not-in-this-box card=blue-7 →2"),
    ("a stop card", RED, 2, "red-stop-2", "stops-do-not-count card=red-stop-2 →2"),
    ("a stop card at a special stop", SPECIAL, 2, "red-stop-1", "stops-do-not-count card=red-stop-1 →2"),
    ("the stop card that was shown", RED, 2, RED, "stop-shown-already card=red-stop-1 →2"),
    ("a negative card", RED, 2, "negative-3", "negative-is-counted card=negative-3 →2"),
    ("at the centre", RED, "centre", "red-3", "count-at-your-seat card=red-3"),
    ("from another hand", RED, 2, "red-17", "in-another-hand card=red-17 seats=(1, 2) afterwards"),
    ("after one said done", RED, 3, "red-3", "counted-already →3"),
)
def test_no_card_is_counted(stop: str, spot: int | str, card: str, verdict: str) -> None:
    table = counting(stop, colours=SIX)
    table.tap(1, "red-17")
    table.count(3, 1)
    table.tap(spot, card)
    assert table.verdict == verdict
    table.press(2)
    table.press(1)
    assert table.view["rounds"][0]["counts"] == {"1": 1, "2": 0, "3": 1}


# The sum.


def test_the_sum_is_checked_when_the_last_count_comes_in_and_that_one_is_told_anew() -> None:
    table = counting()
    table.counts(17, 17)
    assert table.misplays == []
    last = table.count(3, 0)
    assert (table.verdict, table.misplays, table.scores) == ("counts-impossible most=17", [last], (0, 0, 0))
    table.tap(3, "red-1")
    assert (table.press(3) in table.misplays, table.uncounted) == (True, [3])
