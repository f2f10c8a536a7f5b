"""The hands: twelve cards at each seat, or on one shared reader, each to whoever pressed for it."""

import itertools

import pytest

from tests.games.go.table import ALL_THREE, PROBE, ROW, SEVENTEEN, THIRTYTWO, TWO, Table, called, opened

# At the seats.


def test_all_may_tap_at_the_same_time() -> None:
    table = called()
    for cards in zip(*(hand.split() for hand in ALL_THREE.values()), strict=True):
        for seat, card in zip(ALL_THREE, cards, strict=True):
            table.tap(seat, card)
    table.series(1)
    assert table.points == {1: 1, 2: 0, 3: 0}
    assert table.misplays == []


@pytest.mark.parametrize("order", list(itertools.permutations((1, 2, 3))))
def test_the_hands_may_be_tapped_in_any_order(order: tuple[int, ...]) -> None:
    table = called()
    table.hands({seat: ALL_THREE[seat] for seat in order})
    table.series(1)
    assert table.points == {1: 1, 2: 0, 3: 0}
    assert table.misplays == []


def test_a_hand_is_read_when_its_twelve_are_in() -> None:
    table = called()
    for number, card in enumerate(THIRTYTWO.split(), 1):
        table.tap(2, card)
        assert table.unread == ([1, 2, 3] if number < 12 else [1, 3])


def test_a_thirteenth_card_is_a_misplay_and_the_twelve_count() -> None:
    """ig-17-thirteen."""
    table = opened()
    wrong = table.tap(1, "R3")
    table.tap(2, THIRTYTWO)
    wrong_too = table.tap(2, "B11")
    table.series(1)
    table.tap(3, SEVENTEEN)
    assert table.misplays == [wrong, wrong_too]
    assert table.points == {1: 1, 2: 0, 3: 0}


def test_a_thirteenth_card_belongs_to_whoever_holds_it() -> None:
    table = opened()
    wrong = table.tap(1, "R4")
    table.hands({2: THIRTYTWO, 3: SEVENTEEN})
    table.series(1)
    assert table.misplays == [wrong]
    assert table.points == {1: 1, 2: 0, 3: 0}


def test_ig_18_the_same_card_at_two_seats() -> None:
    table = opened()
    table.series(1)
    table.tap(2, THIRTYTWO)
    wrong = table.tap(3, "Y9")
    assert table.unread == [3]
    table.tap(3, SEVENTEEN)
    assert table.misplays == [wrong]
    assert table.points == {1: 1, 2: 0, 3: 0}


def test_a_card_of_the_callers_hand_is_in_no_other() -> None:
    table = opened()
    assert table.tap(2, "O1") in table.misplays
    table.tap(2, THIRTYTWO.removesuffix(" K4"))
    assert table.unread == [2, 3]


def test_a_card_of_an_incomplete_hand_is_in_no_other() -> None:
    table = called()
    table.tap(2, "B1 B2 B3")
    wrong = [table.tap(1, "B2"), table.tap(3, "B2")]
    assert table.misplays == wrong
    table.hands(ALL_THREE)
    table.series(1)
    assert table.misplays == wrong
    assert table.points == {1: 1, 2: 0, 3: 0}


def test_a_card_read_at_the_wrong_seat_is_put_right_by_taking_it_back() -> None:
    table = called()
    mistaken = table.tap(1, "B2")
    wrong = table.tap(2, "B2")
    assert table.misplays == [wrong]
    table.retract(mistaken)
    assert table.misplays == []
    table.hands(ALL_THREE)
    table.series(1)
    assert table.points == {1: 1, 2: 0, 3: 0}
    assert table.misplays == []


@pytest.mark.parametrize("card", ["red-boss", "gangster-1", "red-17", "negative-1", "pink-12", "pink-0", "Pink-1"])
def test_a_card_that_is_not_of_go_is_in_no_hand(card: str) -> None:
    table = called()
    table.tap(2, THIRTYTWO.removesuffix(" K4"))
    assert table.tap(2, card) in table.misplays
    assert table.unread == [1, 2, 3]


def test_a_card_at_an_empty_seat_is_in_no_hand() -> None:
    table = called()
    assert table.tap(4, "G11") in table.misplays
    table.tap(2, "G11")
    assert len(table.misplays) == 1


@pytest.mark.parametrize("spot", ["discard", "prison"])
def test_a_card_at_another_pad_is_in_no_hand(spot: str) -> None:
    table = called()
    table.press(2)
    table.tap(spot, THIRTYTWO)
    assert table.unread == [1, 2, 3]
    table.tap("centre", THIRTYTWO)
    assert table.unread == [1, 3]


# On one shared reader.


def test_ig_01_one_shared_reader() -> None:
    table = called(1, 2, 3)
    table.claim(1, TWO)
    table.claim(3, SEVENTEEN)
    table.claim(2, THIRTYTWO)
    table.series(1)
    assert table.misplays == []
    assert table.points == {1: 1, 2: 0, 3: 0}


def test_the_call_claims_no_cards() -> None:
    table = called()
    assert not table.claimed
    assert table.tap("centre", "O1") in table.misplays
    assert table.unread == [1, 2, 3]


def test_the_caller_presses_again_for_his_hand() -> None:
    table = called()
    table.press(1)
    assert table.claimed
    table.tap("centre", TWO)
    assert table.unread == [2, 3]
    assert table.misplays == []


def test_the_first_card_on_the_shared_reader_after_the_call_is_the_row_card_whoever_pressed() -> None:
    for presser in (1, 2):
        table = Table()
        table.press(1)
        table.press(presser)
        table.tap("centre", ROW)
        assert not table.wants_row
        table.hands(ALL_THREE)
        table.series(1)
        assert table.points == {1: 1, 2: 0, 3: 0}


def test_after_the_twelfth_card_nobody_has_claimed_the_next() -> None:
    table = called()
    table.claim(1, TWO)
    assert not table.claimed
    assert table.tap("centre", "B1") in table.misplays
    assert table.unread == [2, 3]


def test_a_press_claims_the_next_twelve() -> None:
    table = called()
    table.press(2)
    for card in THIRTYTWO.split():
        assert table.claimed
        table.tap("centre", card)
    assert not table.claimed
    assert table.unread == [1, 3]


def test_a_card_read_twice_is_not_counted_among_the_twelve() -> None:
    table = called()
    table.claim(2, "B1 B1 B2 B1 B3 G4 G5 G6 R7 R8 Y9 Y10 V11 V11")
    assert table.claimed
    table.tap("centre", "K4")
    assert table.unread == [1, 3]
    assert table.misplays == []


def test_at_this_table_a_misplayed_card_is_not_counted_among_the_twelve() -> None:
    table = called()
    wrong = table.claim(2, "gangster-1")
    table.tap("centre", THIRTYTWO)
    assert table.unread == [1, 3]
    assert table.misplays == [wrong]


def test_cards_at_the_seat_and_on_the_shared_reader_make_one_hand() -> None:
    table = called()
    table.tap(2, "B1 B2 B3 G4 G5 G6")
    table.claim(2, "R7 R8 Y9 Y10 V11 K4")
    assert table.unread == [1, 3]
    assert not table.claimed
    assert table.misplays == []


def test_while_one_taps_on_the_shared_reader_another_may_tap_at_his_seat() -> None:
    table = called()
    table.press(2)
    for mine, his in zip(THIRTYTWO.split(), SEVENTEEN.split(), strict=True):
        table.tap("centre", mine)
        table.tap(3, his)
    assert table.unread == [1]
    assert table.misplays == []


def test_at_this_table_another_press_takes_the_shared_reader_over() -> None:
    table = called()
    table.claim(2, "B1 B2 B3")
    table.claim(3, SEVENTEEN)
    assert table.unread == [1, 2]
    table.claim(2, THIRTYTWO.removeprefix("B1 B2 B3 "))
    assert table.unread == [1]
    assert table.misplays == []


def test_a_second_press_of_the_same_seat_claims_nothing_more() -> None:
    table = called()
    table.claim(2, "B1 B2 B3")
    table.press(2)
    table.tap("centre", THIRTYTWO.removeprefix("B1 B2 B3 "))
    assert table.unread == [1, 3]
    assert not table.claimed


def test_at_this_table_the_press_of_a_seat_whose_twelve_are_in_claims_nothing() -> None:
    table = opened()
    table.claim(2, "B1 B2 B3")
    table.press(1)
    table.tap("centre", THIRTYTWO.removeprefix("B1 B2 B3 "))
    assert table.unread == [3]


def test_a_claimed_card_of_another_hand_is_a_misplay() -> None:
    table = called()
    table.tap(3, SEVENTEEN)
    wrong = table.claim(2, "T1")
    table.tap("centre", THIRTYTWO)
    assert table.misplays == [wrong]
    assert table.unread == [1]


def test_a_press_of_an_empty_seat_claims_nothing() -> None:
    table = called()
    wrong = [table.press(5), table.tap("centre", PROBE)]
    assert table.misplays == wrong


def test_a_claim_ends_with_the_round() -> None:
    table = called()
    table.claim(2, "B1 B2 B3")
    table.void()
    table.call(1, spot="centre")
    assert not table.claimed
    assert table.tap("centre", "B4") in table.misplays


def test_without_his_press_the_cards_are_nobodys() -> None:
    table = called()
    press = table.press(2)
    first = table.tap("centre", "B1")
    table.tap("centre", "B2")
    table.retract(press)
    assert table.misplays == [first, first + 1]
    assert table.unread == [1, 2, 3]


def test_who_enters_it_makes_no_difference() -> None:
    table = called()
    table.tap(2, THIRTYTWO, by="phone")
    table.press(3)
    table.tap("centre", SEVENTEEN, by="phone", tag="04:11")
    assert table.unread == [1]
    assert table.misplays == []


def test_the_row_card_in_a_hand_is_told_on_the_shared_reader_too() -> None:
    table = called(row="K1")
    table.press(2)
    assert table.tap("centre", "K1") in table.misplays


def test_the_row_card_that_the_shared_reader_has_read_may_be_read_there_again() -> None:
    table = Table()
    table.call(1, "K1", "centre")
    table.press(2)
    table.tap("centre", "K1")
    assert table.misplays == []
