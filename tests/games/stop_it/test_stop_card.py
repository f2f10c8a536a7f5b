"""Showing the stop card, and what is no stop card."""

import pytest

from tests.games.stop_it.table import COLOURS, SIX, Table, called, collecting, counting

ALL = [1, 2, 3]


@pytest.mark.parametrize("spot", [1, "centre"])
def test_the_caller_shows_the_stop_card_at_his_seat_or_at_the_centre(spot: int | str) -> None:
    table = called()
    table.tap(spot, "red-stop-1")
    assert table.uncounted == ALL
    assert table.misplays == []


@pytest.mark.parametrize("colour", COLOURS)
def test_every_colour_has_two_stop_cards(colour: str) -> None:
    table = called()
    table.tap(1, f"{colour}-stop-1")
    table.counts({1: 0, 2: 1, 3: 1})
    table.press(1)
    table.call(1, f"{colour}-stop-2")
    assert table.uncounted == ALL
    assert table.misplays == []


def test_there_are_two_special_stops() -> None:
    table = counting("special-stop-1")
    table.counts({1: 0, 2: 1, 3: 1})
    table.press(1)
    table.call(1, "special-stop-2")
    assert table.uncounted == ALL


def test_nobody_else_shows_the_stop_card() -> None:
    table = called()
    assert table.tap(2, "red-stop-1") in table.misplays
    assert table.callers == [1]


@pytest.mark.parametrize("pad", ["discard", "row", "prison"])
def test_no_other_central_pad_takes_a_card(pad: str) -> None:
    table = called()
    call = table.tap(pad, "red-stop-1")
    table.tap(1, "red-stop-1")
    count = table.tap(pad, "red-3")
    assert table.misplays == [call, count]


@pytest.mark.parametrize("card", ["red-1", "blue-17", "negative-1"])
def test_what_is_no_stop_card_does_not_stop(card: str) -> None:
    table = called()
    assert table.tap(1, card) in table.misplays
    assert table.callers == [1]


@pytest.mark.parametrize("spot", [1, 2, "centre"])
def test_a_stop_card_is_not_shown_while_nobody_called(spot: int | str) -> None:
    table = collecting()
    assert table.tap(spot, "red-stop-1") in table.misplays
    assert table.collecting


def test_a_stop_card_set_aside_does_not_stop_again() -> None:
    table = collecting()
    table.stop(1, {1: 0, 2: 1, 3: 1}, "red-stop-1")
    table.press(1)
    table.press(2)
    assert table.tap(2, "red-stop-1") in table.misplays
    assert table.callers == [2]
    table.tap(2, "red-stop-2")
    assert table.uncounted == ALL


def test_a_stop_card_refused_is_not_set_aside() -> None:
    table = called()
    table.tap(2, "red-stop-1")
    table.tap(1, "red-stop-1")
    assert table.uncounted == ALL


def test_another_stop_card_at_the_same_call_is_a_misplay() -> None:
    table = counting("red-stop-1")
    assert table.tap(1, "blue-stop-1") in table.misplays
    table.counts({1: 0, 2: 1, 3: 1})
    table.press(1)
    table.call(2, "blue-stop-1")
    assert table.uncounted == ALL


def test_a_stop_card_of_a_faster_rival_is_kept_for_later() -> None:
    table = collecting()
    table.press(1)
    table.press(2, after=0.1)
    late = table.tap(2, "blue-stop-1")
    table.tap(1, "red-stop-1")
    table.counts({1: 0, 2: 1, 3: 1})
    table.press(1)
    table.call(2, "blue-stop-1")
    assert table.misplays == [late]
    assert table.uncounted == ALL


# A dead heat.


def dead_heat() -> Table:
    table = collecting()
    table.press(1, at=110.0)
    table.press(2, at=110.0003)
    return table


@pytest.mark.parametrize("first", [1, 2])
def test_who_shows_a_stop_card_first_is_the_caller(first: int) -> None:
    table = dead_heat()
    table.tap(first, "red-stop-1")
    table.counts({1: 1, 2: 2, 3: 3})
    table.press(3 - first)
    assert not table.collecting
    table.press(first)
    assert table.collecting


def test_who_shows_a_stop_card_second_is_too_late() -> None:
    table = dead_heat()
    table.tap(2, "blue-stop-1")
    late = table.tap(1, "red-stop-1")
    assert table.misplays == [late]


def test_a_misplayed_card_shows_no_stop_card_first() -> None:
    table = dead_heat()
    wrong = table.tap(1, "red-7")
    table.tap(2, "blue-stop-1")
    assert table.misplays == [wrong]
    assert table.uncounted == ALL


def test_who_shouted_too_late_shows_nothing() -> None:
    table = dead_heat()
    table.press(3, at=110.0006)
    assert table.tap(3, "red-stop-1") in table.misplays
    assert table.callers == [1, 2]


def test_at_this_table_a_stop_card_at_the_centre_is_the_earliest_ones() -> None:
    table = dead_heat()
    table.tap("centre", "red-stop-1")
    table.counts({1: 1, 2: 2, 3: 3})
    table.press(1)
    assert table.collecting


# Cards that do not belong.


@pytest.mark.parametrize("card", ["gangster-3", "red-boss", "pink-4", "red-stop", "no-such-card", "red-18", ""])
def test_a_foreign_card_is_a_misplay_at_any_time(card: str) -> None:
    table = Table()
    wrong = [table.tap(1, card)]
    table.press(1)
    wrong.append(table.tap(1, card))
    table.press(1)
    wrong.append(table.tap(1, card))
    table.tap(1, "red-stop-1")
    wrong.append(table.tap(1, card))
    table.counts({1: 1, 2: 2, 3: 3})
    wrong.append(table.tap(1, card))
    assert table.misplays == wrong
    assert table.points == {1: 1, 2: 0, 3: 0}


def test_an_unknown_sticker_is_a_misplay() -> None:
    table = called()
    assert table.tap(1, "?", tag="04:A2:19") in table.misplays
    assert table.callers == [1]


def test_a_tap_at_an_empty_seat_is_a_misplay() -> None:
    table = called()
    assert table.tap(5, "red-stop-1") in table.misplays
    assert table.callers == [1]


def test_a_stop_card_of_a_colour_that_the_box_lacks_does_not_stop() -> None:
    table = called(colours=SIX)
    assert table.tap(1, "blue-stop-1") in table.misplays
    assert table.callers == [1]


def test_it_makes_no_difference_who_says_that_a_card_was_shown() -> None:
    table = called()
    table.tap(1, "red-stop-1", by="phone", tag="04:11")
    assert table.uncounted == ALL


def test_no_card_that_goes_away_changes_anything() -> None:
    table = called()
    table.lift(1, "red-stop-1")
    table.tap(1, "red-stop-1")
    for spot in (1, 6, "centre", "prison"):
        table.lift(spot, "red-stop-1")
    table.lift(1, "no-such-card")
    assert table.uncounted == ALL
    assert table.misplays == []
