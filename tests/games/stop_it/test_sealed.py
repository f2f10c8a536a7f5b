"""A player's count is seen by nobody until every player's count is in.

That two matches which differ in nothing else look the same is a law of every game; these are its examples.
"""

from collections.abc import Callable
from typing import Any

from companion.kit.table_for_tests import cases
from tests.games.stop_it.table import Table, cards, counting

Act = Callable[[Table], Any]


def nothing(table: Table) -> None:
    """Seat 2 has not counted."""


def views_after(act: Act, *observers: int | None) -> list[str]:
    table = counting()
    act(table)
    return [table.sees(observer) for observer in observers or (None, 1, 2, 3)]


def tapped(*numbers: int) -> Act:
    """Seat 2 taps these red cards and says done; all at the same time, however many they are."""
    return lambda table: (table.tap(2, *cards("red", numbers), after=0.1), table.press(2, at=150.0))


def recounted(first: int) -> Act:
    """The sum was wrong, and seat 1 takes its count back."""
    return lambda table: (wrong := table.count(1, first), table.counts(None, 6, 14), table.retract(wrong))


@cases(
    "act, other",
    ("a count told", lambda t: t.count(2, 3), lambda t: t.count(2, 17)),
    ("cards tapped", tapped(1, 2, 3), tapped()),
    ("whether told or tapped", lambda t: t.count(2, 2), tapped(1, 2)),
    ("and mended", recounted(9), recounted(12)),
    ("the last one", lambda t: t.retract(t.counts(1, 4, 3)), lambda t: t.retract(t.counts(9, 4, 3))),
)
def test_sealed_from_everybody(act: Act, other: Act) -> None:
    assert views_after(act) == views_after(other)


@cases(
    "act",
    ("a count refused", lambda t: t.count(2, 18)),
    ("a card of another colour", lambda t: t.tap(2, "yellow-7")),
    ("a stop card", lambda t: t.tap(2, "red-stop-2")),
    ("a foreign card", lambda t: t.tap(2, "gangster-1")),
)
def test_sealed_from_the_others(act: Act) -> None:
    assert views_after(act, None, 1, 3) == views_after(nothing, None, 1, 3)


@cases(
    "act, other",
    ("that one has counted", lambda t: t.count(2, 3), nothing),
    ("a fault", lambda t: t.fault(2), nothing),
    ("when all have counted", lambda t: t.counts(1, 2, 3), lambda t: t.counts(1, 2, 4)),
)
def test_open_to_everybody(act: Act, other: Act) -> None:
    assert all(this != that for this, that in zip(views_after(act), views_after(other), strict=True))


def test_whose_hand_a_card_lies_in_is_told_only_when_all_counts_are_in() -> None:
    def twice(held: str) -> Act:
        return lambda table: (table.tap(2, held), table.tap(1, "red-4"))

    assert views_after(twice("red-4")) == views_after(twice("red-5"))
    table = counting()
    twice("red-4")(table)
    table.counts(1, 1, 1)
    assert '"code": "in-another-hand"' in table.sees(None)


def test_it_is_told_then_also_where_something_was_taken_back_meanwhile() -> None:
    table = counting()
    table.tap(2, "red-4")
    table.tap(1, "red-4")
    for _ in range(20):  # so many that the match is judged again from between
        last = table.tap(2, "red-5")
    table.retract(last)
    table.counts(1, 1, 1)
    assert '"code": "in-another-hand"' in table.sees(None)
