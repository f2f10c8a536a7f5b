"""The hands: twelve cards at each seat, or on one shared reader, each to whoever pressed for it."""

import itertools
from collections.abc import Callable

import pytest

from tests.games.go.table import ALL_THREE, PROBE, ROW, SEVENTEEN, THIRTYTWO, TWO, Table, called, opened

Begin = Callable[[], Table]


def pressed() -> Table:
    """Somebody has called, the row card is not told."""
    return Table().acts("1: press")


@pytest.mark.parametrize("order", [*itertools.permutations((1, 2, 3))])
def test_the_hands_may_be_tapped_in_any_order(order: tuple[int, ...]) -> None:
    table = called()
    table.hands({seat: ALL_THREE[seat] for seat in order})
    table.series(1)
    table.stands(points={1: 1, 2: 0, 3: 0}, misplays=[])


def test_all_may_tap_at_the_same_time() -> None:
    table = called()
    for cards in zip(*(hand.split() for hand in ALL_THREE.values()), strict=True):
        for seat, card in zip(ALL_THREE, cards, strict=True):
            table.tap(seat, card)
    table.series(1)
    table.stands(points={1: 1, 2: 0, 3: 0}, misplays=[])


def test_a_hand_is_read_when_its_twelve_are_in() -> None:
    table = called()
    for number, card in enumerate(THIRTYTWO.split(), 1):
        table.tap(2, card)
        assert table.unread == ([1, 2, 3] if number < 12 else [1, 3])


MOST = THIRTYTWO.removesuffix(" K4")


@pytest.mark.parametrize(
    ("begin", "acts", "unread"),
    [
        pytest.param(
            opened, f"!1: R3; 2: {THIRTYTWO}; !2: B11", [3], id="a thirteenth card is a misplay, ig-17-thirteen"
        ),
        pytest.param(opened, f"!1: R4; 2: {THIRTYTWO}; 3: {SEVENTEEN}", [], id="and belongs to whoever holds it"),
        pytest.param(opened, f"2: {THIRTYTWO}; !3: Y9; 3: {SEVENTEEN}", [], id="the same card at two seats, ig-18"),
        pytest.param(opened, f"!2: O1; 2: {MOST}", [2, 3], id="a card of the caller's hand is in no other"),
        pytest.param(called, "2: B1 B2 B3; !1: B2; !3: B2", [1, 2, 3], id="nor is one of an incomplete hand"),
        pytest.param(
            called, f"2: {MOST}; !2: red-boss; !2: pink-12; !2: Pink-1", [1, 2, 3], id="a card of no deck is in none"
        ),
        pytest.param(called, "!4: G11; 2: G11", [1, 2, 3], id="nor one at an empty seat"),
        pytest.param(called, f"2: press; !prison: {MOST}; !discard: {MOST}", [1, 2, 3], id="nor one at another pad"),
        pytest.param(
            called, f"1: claim {TWO}; 3: claim {SEVENTEEN}; 2: claim {THIRTYTWO}", [], id="one shared reader, ig-01"
        ),
        pytest.param(called, "!centre: O1", [1, 2, 3], id="the call claims no cards"),
        pytest.param(called, f"1: press; centre: {TWO}", [2, 3], id="the caller presses again for their hand"),
        pytest.param(
            pressed, f"2: press; centre: {ROW}; centre: {THIRTYTWO}", [1, 3], id="the first there is the row card"
        ),
        pytest.param(
            called, f"1: claim {TWO}; !centre: B1", [2, 3], id="after the twelfth nobody has claimed the next"
        ),
        pytest.param(
            called, f"2: claim B1 B1 B2 B1; centre: {THIRTYTWO}; !centre: N1", [1, 3], id="read twice is one of twelve"
        ),
        pytest.param(
            called, f"2: press; !centre: gangster-1; centre: {THIRTYTWO}", [1, 3], id="a misplay is none of them"
        ),
        pytest.param(
            called, f"2: B1 B2 B3 G4; 2: claim {THIRTYTWO}; !centre: N1", [1, 3], id="seat and reader make one hand"
        ),
        pytest.param(
            called, f"2: claim B1 B2; 3: claim {SEVENTEEN}; !centre: N1", [1, 2], id="another press takes it over"
        ),
        pytest.param(called, f"2: claim B1 B2; 3: claim T1; 2: claim {THIRTYTWO}", [1, 3], id="and back again"),
        pytest.param(
            called, f"2: claim B1 B2; 2: press; centre: {THIRTYTWO}; !centre: N1", [1, 3], id="twelve, not more"
        ),
        pytest.param(
            opened, f"2: claim B1 B2; 1: press; centre: {THIRTYTWO}", [3], id="a complete hand claims nothing"
        ),
        pytest.param(called, f"!5: press; !centre: {PROBE}", [1, 2, 3], id="an empty seat claims nothing"),
        pytest.param(
            called,
            f"2: claim B1; host: void; 1: press; centre: {ROW}; !centre: B4",
            [1, 2, 3],
            id="it ends with the round",
        ),
        pytest.param(called, "2: press; !centre: K11", [1, 2, 3], id="the row card is told on the shared reader too"),
        pytest.param(pressed, f"centre: {ROW}; 2: claim B1 {ROW}", [1, 2, 3], id="that read it there may again"),
    ],
)
def test_what_is_read(begin: Begin, acts: str, unread: list[int]) -> None:
    assert begin().acts(acts).unread == unread


def test_while_one_taps_on_the_shared_reader_another_may_tap_at_their_seat() -> None:
    table = called()
    table.press(2)
    for mine, theirs in zip(THIRTYTWO.split(), SEVENTEEN.split(), strict=True):
        assert table.claimed
        table.acts(f"centre: {mine}; 3: {theirs}")
    table.stands(unread=[1], claimed=False)


def test_a_card_read_at_the_wrong_seat_is_put_right_by_taking_it_back() -> None:
    table = called()
    mistaken = table.tap(1, "B2")
    table.acts("!2: B2")
    table.retract(mistaken)
    assert table.misplays == []
    table.hands(ALL_THREE)
    table.series(1)
    table.stands(points={1: 1, 2: 0, 3: 0}, misplays=[])


def test_without_the_press_the_cards_are_nobodys() -> None:
    table = called()
    press = table.press(2)
    table.acts("centre: B1 B2")
    table.retract(press)
    table.stands(misplays=[press + 1, press + 2], unread=[1, 2, 3])


def test_who_enters_it_makes_no_difference() -> None:
    table = called()
    table.tap(2, THIRTYTWO, by="phone")
    table.press(3)
    table.tap("centre", SEVENTEEN, by="phone", tag="04:11")
    table.stands(unread=[1], misplays=[])
