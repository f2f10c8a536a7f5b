"""An agent takes a colour: with his first Action card, or beforehand."""

import json
from typing import Any

import pytest

from companion.judge import record
from tests.games.stop_me_go.table import Table, card, colours, five, laying

# The first Action card at a seat.


def test_the_first_action_card_at_a_seat_gives_its_colour_and_is_laid() -> None:
    table = laying()
    table.tap(1, "violet-go-2")
    wrong = table.tap(1, "red-go-1")
    table.tap(2, "red-stop")
    table.tap(3, "blue-go-1")
    assert table.misplays == [wrong]
    assert 2 in table.awaited


def test_the_first_card_may_be_a_stop() -> None:
    table = laying()
    table.lay(1, "stop")
    assert table.unlaid == [2, 3]
    assert table.misplays == []


def test_a_colour_may_be_taken_before_the_first_gangster() -> None:
    table = Table()
    for seat in table.seats:
        table.tap(seat, card(seat, 1))
    assert table.misplays == []
    table.gangster(8)
    assert table.unlaid == [1, 2, 3]


def test_the_card_that_gave_the_colour_may_be_laid_on_the_first_gangster() -> None:
    table = Table()
    table.tap(1, card(1, 1))
    table.gangster(8)
    table.lay(1, 1)
    assert table.unlaid == [2, 3]
    assert table.misplays == []


def test_the_card_that_gave_the_colour_may_be_read_twice() -> None:
    table = Table()
    table.tap(1, card(1, 1), card(1, 1))
    assert table.misplays == []


def test_nothing_else_is_laid_before_the_first_gangster() -> None:
    table = Table()
    table.tap(1, card(1, 1))
    wrong = table.tap(1, card(1, 2))
    assert table.misplays == [wrong]


def test_a_colour_is_taken_by_one_agent_only() -> None:
    table = laying()
    table.lay(1, 1)
    wrong = [table.tap(2, card(1, 2)), table.tap(2, card(1, "stop"))]
    assert table.misplays == wrong
    assert table.unlaid == [2, 3]


def test_a_colour_refused_leaves_the_choice() -> None:
    table = laying()
    table.lay(1, 1)
    wrong = table.tap(2, card(1, 2))
    table.tap(2, "violet-go-1")
    table.tap(3, card(3, 1))
    assert table.misplays == [wrong]
    assert 2 in table.awaited


def test_a_colour_stays_for_the_whole_match() -> None:
    table = Table()
    table.rounds(1)
    table.gangster(8)
    wrong = table.tap(1, "violet-go-1")
    table.lay(1, 1)
    assert table.misplays == [wrong]
    assert table.unlaid == [2, 3]


def test_a_colour_taken_back_is_free_again() -> None:
    table = Table()
    table.retract(table.tap(1, "violet-go-1"))
    table.tap(2, "violet-go-1")
    table.tap(1, "red-go-1")
    assert table.misplays == []


def test_a_card_at_the_centre_gives_nobody_a_colour() -> None:
    table = laying()
    table.lay(1, 1)
    wrong = table.tap("centre", card(2, 1))
    assert table.misplays == [wrong]
    assert table.unlaid == [2, 3]


def test_whoever_has_a_colour_may_go_on_at_the_centre() -> None:
    table = Table()
    table.misdeed(8)
    table.gangster(2)
    for seat in table.seats:
        table.lay(seat, 2, "centre")
    assert table.misplays == []
    assert 3 in table.awaited


@pytest.mark.parametrize("seats", [(1, 2), (2, 5), (1, 2, 3, 4, 5, 6)])
def test_every_number_of_agents_from_two_to_six_finds_a_colour(seats: tuple[int, ...]) -> None:
    table = Table(*seats)
    table.misdeed(8)
    assert table.misplays == []
    assert 2 in table.awaited


# Beforehand: a table with only a centre pad.


def at_the_centre() -> Table:
    table = Table(colours=colours(1, 2, 3))
    table.gangster(8)
    return table


def test_with_colours_given_one_pad_is_enough() -> None:
    table = at_the_centre()
    table.lay(2, "stop", "centre")
    assert table.unlaid == [1, 3]
    table.lay(3, 1, "centre")
    table.lay(1, 1, "centre")
    for number in (2, 5, 3):
        table.gangster(number)
        for seat in (3, 1, 2):
            table.lay(seat, table.hand(seat)[0].rpartition("-")[2], "centre")
    table.flip(4)
    table.token("centre")
    assert 8 in table.awaited
    assert table.misplays == []


def test_with_colours_given_another_colour_is_a_misplay_at_once() -> None:
    table = Table(colours={"1": "violet"})
    wrong = table.tap(1, "red-go-1")
    table.gangster(8)
    table.tap(1, "violet-go-1")
    assert table.misplays == [wrong]
    assert table.unlaid == [2, 3]


def test_a_colour_given_to_one_is_nobody_elses() -> None:
    table = Table(colours={"1": "violet"})
    wrong = table.tap(2, "violet-go-1")
    table.tap(2, "red-go-1")
    assert table.misplays == [wrong]


def test_a_colour_of_nobody_at_the_centre_is_a_misplay() -> None:
    table = at_the_centre()
    wrong = [table.tap("centre", "violet-go-1"), table.tap("centre", "violet-stop")]
    assert table.misplays == wrong
    assert table.unlaid == [1, 2, 3]


def test_colours_may_be_given_to_some() -> None:
    table = Table(colours={"2": "violet"})
    table.gangster(8)
    table.tap("centre", "violet-go-1")
    table.tap(1, card(1, 1))
    table.tap(3, card(3, 1))
    assert table.misplays == []
    assert 2 in table.awaited


# Options.

PLAYERS = [{"seat": 1, "name": "Anna"}, {"seat": 2, "name": "Bruno"}]
FIRST = {"seq": 1, "at": 0, "kind": "started", "game": "stop-me-go", "players": PLAYERS}


@pytest.mark.parametrize(
    "option",
    [
        {"colours": {"1": "pink"}},
        {"colours": {"1": "red", "2": "red"}},
        {"colours": {"7": "red"}},
        {"colours": {"0": "red"}},
        {"colours": {"Anna": "red"}},
        {"colours": {"1": None}},
        {"colours": {"1": 1}},
        {"colours": ["red", "blue"]},
        {"colours": "red"},
        {"colours": None},
        {"allow_change": 1},
        {"allow_change": "true"},
        {"reshuffle": "never"},
        {"reshuffle": True},
        {"colors": {}},
    ],
)
def test_a_bad_option_damages_the_record(option: dict[str, Any]) -> None:
    with pytest.raises(record.Damaged):
        record.decode(json.dumps({**FIRST, "options": option}).encode())


@pytest.mark.parametrize(
    "option",
    [
        {},
        {"colours": {}},
        {"colours": {"2": "blue"}},
        {"colours": {"1": "violet", "2": "blue"}},
        {"allow_change": False},
        {"reshuffle": "lazy", "allow_change": True, "colours": {"1": "red"}},
        {"reshuffle": "eager"},
    ],
)
def test_a_good_option_does_not(option: dict[str, Any]) -> None:
    assert record.decode(json.dumps({**FIRST, "options": option}).encode())


# Cards.


@pytest.mark.parametrize("seat", [1, 2, 3, 4, 5, 6])
def test_every_colour_has_four_go_and_one_stop(seat: int) -> None:
    for each in five(seat):
        table = laying(1, 2, 3, 4, 5, 6)
        table.tap(seat, each)
        assert table.misplays == []
        assert seat not in table.unlaid


@pytest.mark.parametrize(
    "foreign",
    [
        "red-go-5",
        "red-go-0",
        "red-stop-1",
        "pink-go-1",
        "red-7",
        "gangster-0",
        "gangster-11",
        "token-4-1",
        "red-go",
        "",
    ],
)
def test_a_card_that_the_box_does_not_hold_is_a_misplay_at_any_time(foreign: str) -> None:
    table = Table()
    wrong = [table.tap("centre", foreign)]
    table.misdeed(8)
    wrong.append(table.tap("centre", foreign))
    table.misdeeds({2: [], 5: [], 3: [1]})
    wrong.append(table.tap("centre", foreign))
    table.flip()
    assert table.misplays == wrong


def test_an_unknown_sticker_is_a_misplay() -> None:
    table = laying()
    assert table.tap(1, "?", tag="04:A2:19") in table.misplays
    table.lay(1, 1)
    assert table.unlaid == [2, 3]


def test_a_card_at_an_empty_seat_is_a_misplay() -> None:
    table = laying()
    assert table.tap(5, card(5, 1)) in table.misplays
    assert table.tap(5, card(1, 1)) in table.misplays
    assert table.unlaid == [1, 2, 3]
