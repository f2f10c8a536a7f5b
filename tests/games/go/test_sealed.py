"""Hands are sealed: the caller's until his twelve are in, the others' until his series is told and all hands are in."""

import pytest

from tests.games.go.sealing import OTHER, Acts, Begin, nothing, seen, tapped
from tests.games.go.table import (
    ALL_THREE,
    EVERYBODY,
    PERFECT,
    SEVENTEEN,
    THIRTYTWO,
    TWENTYSIX,
    TWO,
    Table,
    called,
    cards,
    opened,
)

# The caller's hand.


@pytest.mark.parametrize("count", range(12))
def test_the_callers_hand_is_sealed_until_his_twelve_are_in(count: int) -> None:
    some = " ".join(TWO.split()[:count])
    others = " ".join(PERFECT.split()[1 : count + 1])
    fewer = " ".join(TWO.split()[: count // 2])
    assert seen(tapped(1, some), called, but=1) == seen(tapped(1, others), called, but=1)
    assert seen(tapped(1, some), called, but=1) == seen(tapped(1, fewer), called, but=1)


def test_the_callers_hand_is_public_when_his_twelve_are_in() -> None:
    table = opened()
    for who in EVERYBODY:
        assert all(f'"{card}"' in table.sees(who) for card in cards(TWO))
    assert opened(TWO).sees() != opened(PERFECT).sees()


def test_a_series_told_too_early_betrays_nothing_of_his_hand() -> None:
    def early(hand: str) -> Acts:
        def acts(table: Table) -> None:
            table.tap(1, hand)
            table.series(1, "O1")
            table.series(1)

        return acts

    assert seen(early("O1 O2 O3"), called, but=1) == seen(early("O2 K1"), called, but=1)


def test_on_the_shared_reader_his_hand_is_sealed_too() -> None:
    def claimed(hand: str) -> Acts:
        return lambda table: table.claim(1, hand)

    assert seen(claimed("O1 O2 O3"), called, but=1) == seen(claimed("O2 K1 K2 K3 R5"), called, but=1)


# The others' hands.


def just_called() -> Table:
    """The row card is not told yet."""
    table = Table()
    table.press(1)
    return table


def told() -> Table:
    """The caller has told his series."""
    table = opened()
    table.series(1)
    return table


@pytest.mark.parametrize("begin", [just_called, called, opened, told])
def test_how_many_cards_of_a_hand_are_read_is_not_seen(begin: Begin) -> None:
    assert seen(tapped(2, "B1 B2 B3"), begin, but=2) == seen(tapped(2, "B4 B5 N6 K4 K5"), begin, but=2)
    assert seen(tapped(2, "B1 B2 B3"), begin, but=2) == seen(nothing, begin, but=2)


def test_whose_cards_are_read_is_seen_by_nobody_else() -> None:
    one, other = opened(), opened()
    one.hands({2: "B1 B2", 3: "T1"})
    for who in (None, 1, 4, 5, 6):
        assert one.sees(who) == other.sees(who)


def test_a_complete_hand_is_sealed_until_the_series_is_locked() -> None:
    def all_read(hand: str) -> Acts:
        return lambda table: table.hands({2: hand, 3: SEVENTEEN})

    assert seen(all_read(THIRTYTWO), but=2) == seen(all_read(OTHER), but=2)
    assert seen(all_read(THIRTYTWO), but=2) != seen(tapped(3, SEVENTEEN), but=2)


def test_a_complete_hand_is_sealed_until_every_hand_is_complete() -> None:
    def one_missing(hand: str) -> Acts:
        def acts(table: Table) -> None:
            table.series(1)
            table.tap(2, hand)
            table.tap(3, SEVENTEEN.removesuffix(" K7"))

        return acts

    assert seen(one_missing(THIRTYTWO), but=2) == seen(one_missing(OTHER), but=2)


def test_the_caller_tells_his_series_before_he_may_know_another_hand() -> None:
    one, other = opened(), opened()
    one.hands({2: THIRTYTWO, 3: SEVENTEEN})
    other.hands({2: OTHER, 3: "T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 K7"})
    assert one.sees(1) == other.sees(1)


def test_when_the_series_is_locked_and_all_hands_are_in_they_are_seen() -> None:
    table = Table()
    table.round(ALL_THREE)
    for who in EVERYBODY:
        for hand in ALL_THREE.values():
            assert all(f'"{card}"' in table.sees(who) for card in cards(hand))


@pytest.mark.parametrize("locked", ["first", "last"])
def test_different_hands_make_different_views_then(locked: str) -> None:
    def acts(hand: str) -> Acts:
        def these(table: Table) -> None:
            if locked == "first":
                table.series(1)
            table.hands({3: SEVENTEEN, 2: hand})
            if locked == "last":
                table.series(1)

        return these

    for one, other in zip(seen(acts(THIRTYTWO)), seen(acts(OTHER)), strict=True):
        assert one != other


def test_no_other_seat_sees_a_sealed_card() -> None:
    table = opened()
    table.series(1)
    table.tap(2, THIRTYTWO)
    table.tap(3, "T1 T2 T5")
    for who in (None, 1, 4, 5, 6):
        assert not any(f'"{card}"' in table.sees(who) for card in cards(THIRTYTWO + " T1 T2 T5"))
    assert not any(f'"{card}"' in table.sees(2) for card in cards("T1 T2 T5"))
    assert not any(f'"{card}"' in table.sees(3) for card in cards(THIRTYTWO))


def test_a_perfect_go_opens_no_other_hand() -> None:
    def perfect(hand: str) -> Acts:
        def acts(table: Table) -> None:
            table.tap(2, hand)
            table.tap(3, "T1 T2")
            table.series(1)

        return acts

    def begin() -> Table:
        return opened(PERFECT)

    assert seen(perfect(THIRTYTWO), begin, but=2) == seen(perfect(OTHER), begin, but=2)


def test_at_four_the_hands_that_are_in_wait_for_the_last() -> None:
    def begin() -> Table:
        return called(1, 2, 3, 4)

    def acts(hand: str) -> Acts:
        def these(table: Table) -> None:
            table.hands({1: TWO, 2: hand, 3: SEVENTEEN})
            table.series(1)
            table.tap(4, "V1 V2 V3")

        return these

    assert seen(acts(THIRTYTWO), begin, but=2) == seen(acts(OTHER), begin, but=2)
    table = begin()
    acts(THIRTYTWO)(table)
    table.tap(4, TWENTYSIX)
    assert '"blue-3"' in table.sees()


# Taking back.


def test_a_card_taken_back_leaves_no_trace() -> None:
    def mended(table: Table) -> None:
        table.retract(table.tap(2, "B1"))

    assert seen(mended) == seen(nothing)


def test_taking_the_last_card_back_seals_the_hands_again() -> None:
    def reopened(hand: str) -> Acts:
        def acts(table: Table) -> None:
            table.series(1)
            table.tap(2, hand)
            table.retract(table.tap(3, SEVENTEEN))

        return acts

    assert seen(reopened(THIRTYTWO), but=2) == seen(reopened(OTHER), but=2)


def test_taking_the_series_back_seals_the_hands_again() -> None:
    def reopened(hand: str) -> Acts:
        def acts(table: Table) -> None:
            series = table.series(1)
            table.hands({2: hand, 3: SEVENTEEN})
            table.retract(series)

        return acts

    assert seen(reopened(THIRTYTWO), but=2) == seen(reopened(OTHER), but=2)


def test_taking_a_card_of_the_callers_back_seals_his_hand_again() -> None:
    def reopened(card: str) -> Acts:
        def acts(table: Table) -> None:
            table.tap(1, TWO.removeprefix("O1 ").removesuffix(" R2"))
            table.tap(1, card)
            table.retract(table.tap(1, "R2"))

        return acts

    assert seen(reopened("O1"), called, but=1) == seen(reopened("G8"), called, but=1)
