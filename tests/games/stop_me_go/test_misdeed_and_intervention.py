"""A gangster is turned up, everybody lays one card on it."""

from collections.abc import Callable
from typing import Any

import pytest

from companion.kit.table_for_tests import Spot, cases
from tests.games.stop_me_go.table import GANGSTERS, Table, arrest, card, fled, laying, second

Act = Callable[[Table], object]


# Misdeed.


def test_any_gangster_may_come_first_and_all_ten_again_in_the_next_round() -> None:
    table = Table()
    assert table.awaited == list(GANGSTERS)
    table.gangster(8)
    assert table.verdict == "round-begins card=gangster-8 number=1"
    table = Table()
    table.rounds(1)
    assert table.awaited == list(GANGSTERS)
    table.gangster(8)
    assert (table.verdict, table.view["fled"]) == ("round-begins card=gangster-8 number=2", 0)


def test_the_next_gangster_comes_when_everybody_has_laid_in_any_order() -> None:
    table = laying()
    for seat, verdict in ((3, "laid seat=3"), (1, "laid seat=1"), (2, "all-laid seat=2")):
        assert table.awaited == []
        table.lay(seat, 1)
        assert table.verdict.endswith(verdict)
    assert table.awaited == [1, 2, 3, 4, 5, 6, 7, 9, 10]
    table.gangster(2)
    assert (table.verdict, table.unlaid) == ("turned-up card=gangster-2", [1, 2, 3])


# Intervention.


@pytest.mark.parametrize("spot", [1, "centre"])
@pytest.mark.parametrize("which", [1, "stop"])
def test_a_card_that_lies_on_an_older_gangster_is_not_laid(spot: Spot, which: int | str) -> None:
    table = Table()
    table.misdeed(8, *([1] if which == "stop" else []))
    table.gangster(2)
    table.tap(spot, card(1, which))
    assert (table.verdict, table.unlaid) == ("lies-already →1", [1, 2, 3])


def test_after_a_flight_the_cards_on_that_gangster_are_taken_back_and_no_others() -> None:
    table = fled()
    table.gangster(9)
    for which in (2, 3, 4):
        table.tap(1, card(1, which))
        assert table.verdict == "lies-already →1"
    table.lay(1, 1)
    table.lay(2, "stop")
    assert (table.unlaid, table.view["hands"]) == ([3], {"1": 1, "2": 1, "3": 2})


@pytest.mark.parametrize(("first", "other"), [(1, "centre"), ("centre", 1)])
@pytest.mark.parametrize("allow_change", [True, False])
def test_a_card_sensed_at_the_seat_and_at_the_centre_is_laid_once(first: Spot, other: Spot, allow_change: bool) -> None:
    table = second(allow_change=allow_change)
    table.lay(1, 2, first)
    table.tap(other, card(1, 2))
    assert (table.verdict, table.unlaid) == ("", [2, 3])


def test_the_cards_on_the_newest_gangster_may_be_read_again_when_all_have_laid() -> None:
    table = arrest({8: [], 2: [], 3: []})
    for seat, laid in table.lying[-1].items():
        table.tap(seat, laid)
        table.tap("centre", laid)
    assert (table.misplays, table.waits) == ([], "misdeed")


# Changes of mind.

TO_GO = False
TO_STOP = True


@cases(
    "taps, stops, options",
    ("STOP for GO", [(1, "stop"), (1, 1)], TO_GO, {}),
    ("GO for STOP", [(1, 1), (1, "stop")], TO_STOP, {}),
    ("again and again", [(1, 1), (1, "stop"), (1, 2), (1, 1)], TO_GO, {}),
    ("not without changes", [(1, "stop"), (1, 1)], TO_STOP, {"allow_change": False}),
)
def test_another_card_replaces_the_first(taps: list[tuple[Spot, int | str]], stops: bool, options: Any) -> None:
    table = laying(**options)
    for spot, which in taps:
        table.tap(spot, card(1, which))
    assert table.verdict == ("laid-already →nobody" if options else "")
    table.lay(2, 1)
    table.lay(3, 1)
    table.lying[0][1] = card(1, "stop" if stops else 1)
    table.misdeeds({2: [], 5: [], 4: []})
    table.flip()
    assert table.waits == ("round-end" if stops else "misdeed")


def test_a_card_that_was_replaced_is_back_in_the_hand_and_the_other_is_not() -> None:
    table = laying()
    table.lay(1, "stop")
    table.lay(1, 1)
    table.lay(2, 1)
    table.lay(3, 1)
    table.gangster(2)
    table.tap(1, card(1, 1))
    assert table.verdict == "lies-already →1"
    table.tap(1, card(1, "stop"))
    assert (table.verdict, table.unlaid) == ("laid seat=1", [2, 3])
