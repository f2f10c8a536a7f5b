"""The caller's series: what it may be, who tells it, and when."""

from typing import Any

import pytest
from msgspec import UNSET

from tests.games.go.table import (
    PERFECT,
    SEVENTEEN,
    THIRTYTWO,
    TWO,
    Table,
    called,
    cards,
    opened,
)


def settled(table: Table) -> Table:
    """The others' hands are read."""
    table.hands({2: THIRTYTWO, 3: SEVENTEEN})
    return table


def test_a_series_is_told_by_its_cards() -> None:
    table = opened()
    table.series(1, "O1 O2 O3 P4 O5 P6 P7 P9 P11")
    assert table.misplays == []
    assert settled(table).points == {1: 1, 2: 0, 3: 0}


def test_in_which_order_its_cards_are_told_makes_no_difference() -> None:
    one, other = opened(), opened()
    one.series(1, "O1 O2 O3 P4 O5 P6 P7 P9 P11")
    other.series(1, "P11 O5 O1 P9 P4 O3 P7 O2 P6")
    assert one.misplays == other.misplays == []
    assert settled(one).points == settled(other).points == {1: 1, 2: 0, 3: 0}


@pytest.mark.parametrize("series", ["", "R2", "O1", "P11", "O1 P4", "R2 O1", "O1 O2 O3 P4 O5 P6 P7 P9"])
def test_any_legal_series_may_be_told_however_bad(series: str) -> None:
    table = opened()
    table.series(1, series)
    assert table.misplays == []
    points = settled(table).points
    assert sum(gained or 0 for gained in points.values()) > 0


def test_an_empty_series_may_be_told() -> None:
    table = opened()
    table.series(1, "")
    assert table.misplays == []
    assert settled(table).points == {1: 0, 2: 1, 3: 1}


def test_the_judges_proposal_may_be_taken() -> None:
    table = opened()
    table.series(1, "best")
    assert table.misplays == []
    assert settled(table).points == {1: 1, 2: 0, 3: 0}


# When.


@pytest.mark.parametrize("series", ["best", "", "O1"])
def test_before_his_twelve_cards_it_is_a_misplay(series: str) -> None:
    table = called()
    wrong = [table.series(1, series)]
    *most, last = TWO.split()
    table.tap(1, " ".join(most))
    wrong.append(table.series(1, series))
    table.tap(1, last)
    assert table.misplays == wrong
    table.series(1)
    assert settled(table).points == {1: 1, 2: 0, 3: 0}


def test_before_the_call_and_before_the_row_colour_it_is_a_misplay() -> None:
    table = Table()
    wrong = [table.series(1), table.series(1, "")]
    table.press(1)
    wrong += [table.series(1), table.series(1, "")]
    assert table.misplays == wrong


@pytest.mark.parametrize("hands_before", [0, 1, 2])
def test_it_is_told_at_any_time_after_his_twelve_cards(hands_before: int) -> None:
    table = opened()
    others = [(2, THIRTYTWO), (3, SEVENTEEN)]
    for seat, hand in others[:hands_before]:
        table.tap(seat, hand)
    table.series(1)
    for seat, hand in others[hands_before:]:
        table.tap(seat, hand)
    assert table.misplays == []
    assert table.points == {1: 1, 2: 0, 3: 0}


@pytest.mark.parametrize("again", ["best", "", "O1 O2", "O1 O2 O3 P4 O5 P6 P7 P9"])
def test_a_second_series_is_a_misplay(again: str) -> None:
    table = opened()
    table.series(1, "O1 O2 O3 P4 O5 P6 P7 P9")
    assert table.misplays == []
    wrong = table.series(1, again)
    assert table.misplays == [wrong]
    settled(table)
    wrong_too = table.series(1, again)
    assert table.misplays == [wrong, wrong_too]
    assert table.points == {1: 1, 2: 0, 3: 0}


def test_another_series_may_be_told_after_the_first_is_taken_back() -> None:
    table = opened()
    first = table.series(1, "")
    table.retract(first)
    table.series(1)
    assert settled(table).points == {1: 1, 2: 0, 3: 0}
    assert table.misplays == []


# Who.


@pytest.mark.parametrize("who", [2, 3, 5, "host"])
@pytest.mark.parametrize("series", ["best", "", "B1 B2"])
def test_only_the_caller_tells_a_series(who: int | str, series: str) -> None:
    table = settled(opened())
    assert table.series(who, series) in table.misplays
    assert table.points == {1: 0, 2: 0, 3: 0}
    table.series(1)
    assert table.points == {1: 1, 2: 0, 3: 0}


# What.


@pytest.mark.parametrize(
    "series",
    [
        "O2 R2",
        "O1 O1",
        "K10 O1",
        "K3",
        "K11",
        "B1 O1",
        "B1",
        "O4",
        "O1 P4 R2",
        "O1 O2 O3 P4 O5 P6 P7 P9 P11 R2",
        "O1 gangster-1",
        "O1 O1 O2",
        "O1 orange",
        "O1 orange-12",
        "best best",
        TWO,
    ],
)
def test_a_series_that_cannot_be_is_a_misplay(series: str) -> None:
    table = opened()
    assert table.series(1, series) in table.misplays
    table.series(1)
    assert settled(table).points == {1: 1, 2: 0, 3: 0}


@pytest.mark.parametrize(
    "value",
    [
        UNSET,
        None,
        True,
        False,
        0,
        1,
        1.0,
        10**40,
        "",
        "Best",
        "best ",
        "worst",
        "orange-1",
        {},
        {"best": True},
        {"orange-1": 1},
        [None],
        [1],
        [True],
        [1.5],
        [10**40],
        ["best"],
        [""],
        [[]],
        [["orange-1"]],
        [{}],
        [{"card": "orange-1"}],
        ["orange-1", None],
        ["orange-1", 2],
        ["orange-1", ["orange-2"]],
        ["orange-1"] * 12,
        ["orange-1"] * 10_000,
        ["?"],
        ["ORANGE-1"],
        [" orange-1"],
    ],
    ids=lambda value: repr(value)[:40],
)
def test_what_is_no_series_is_a_misplay(value: Any) -> None:
    table = opened()
    wrong = table.say(1, "series", value)
    assert table.misplays == [wrong]
    assert table.match.misplays[0].code != "judge-failed"
    table.series(1)
    assert settled(table).points == {1: 1, 2: 0, 3: 0}


def test_ig_19_series_that_cannot_be() -> None:
    table = called(1, 2)
    wrong = [table.series(1)]
    table.tap(1, TWO)
    wrong += [
        table.series(1, "O2 R2"),
        table.series(1, "K10 O1"),
        table.series(1, "B1 O1"),
        table.series(1, "O1 P4 R2"),
        table.series(2),
    ]
    table.series(1, "O1 O2 O3 P4 O5 P6 P7 P9")
    wrong.append(table.series(1, "O1 O2 O3 P4 O5 P6 P7 P9 P11"))
    table.tap(2, "B1 B2 B3 B4 B5 B6 B7 B8 B9 R3 R4 R5")
    assert table.misplays == wrong
    assert table.points == {1: 0, 2: 1}


# Without asking.


def test_the_proposal_may_be_taken_without_asking() -> None:
    table = opened(caller_series="auto")
    assert settled(table).points == {1: 1, 2: 0, 3: 0}
    assert table.misplays == []


def test_ig_07_without_asking_the_worse_series_is_not_to_be_had() -> None:
    table = called(1, 2, caller_series="auto")
    table.tap(1, "O1 P2 O3 O4 O5 O6 O7 O8 O9 O10 R3 K1")
    wrong = table.series(1, "O1 O3 O4 O5 O6 O7 O8 O9 O10")
    table.tap(2, "T1 T2 T3 T4 T5 N6 N7 N8 N9 P11 K2 K3")
    assert table.misplays == [wrong]
    assert table.points == {1: 0, 2: 1}


def test_without_asking_the_hand_read_last_may_be_the_callers() -> None:
    table = called(caller_series="auto")
    settled(table)
    table.tap(1, TWO)
    assert table.points == {1: 1, 2: 0, 3: 0}


def test_asked_the_proposal_is_not_taken() -> None:
    for options in ({}, {"caller_series": "caller"}):
        table = settled(opened(**options))
        assert table.points == {1: 0, 2: 0, 3: 0}
    table = opened(PERFECT)
    assert not table.over


def test_the_proposal_is_the_same_as_its_cards_told() -> None:
    one, other = settled(opened()), settled(opened())
    one.series(1)
    other.say(1, "series", cards("O1 O2 O3 P4 O5 P6 P7 P9 P11"))
    assert one.points == other.points
