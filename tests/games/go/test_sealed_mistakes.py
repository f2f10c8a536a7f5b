"""What is wrong with a sealed card betrays it to nobody else."""

import pytest

from tests.games.go.sealing import Acts, nothing, seen, tapped
from tests.games.go.table import ROW, SEVENTEEN, THIRTYTWO, TWO, Table, opened

# What is wrong with a sealed card.


@pytest.mark.parametrize("wrong", ["gangster-1", "purple-1", "red-17", "O1", "O1 O2", ROW])
@pytest.mark.parametrize("seat", [2, 3])
def test_a_card_refused_is_not_seen_by_the_others(wrong: str, seat: int) -> None:
    assert seen(tapped(seat, wrong), but=seat) == seen(nothing, but=seat)


def test_a_thirteenth_card_is_not_seen_by_the_others() -> None:
    assert seen(tapped(2, THIRTYTWO), but=2) == seen(tapped(2, THIRTYTWO + " G11"), but=2)


def test_whose_a_thirteenth_card_is_nobody_knows() -> None:
    def thirteen(held: str) -> Acts:
        def acts(table: Table) -> None:
            table.tap(2, held)
            table.tap(1, "R9")
            table.tap(3, SEVENTEEN + " R9")

        return acts

    assert seen(thirteen("R9 B1"), but=2) == seen(thirteen("R8 B1"), but=2)


def test_a_card_in_another_hand_is_not_seen_by_third_parties() -> None:
    def meeting(held: str) -> Acts:
        def acts(table: Table) -> None:
            table.tap(2, held)
            table.tap(3, "B5 T1")

        return acts

    one, other = opened(), opened()
    meeting("B5")(one)
    meeting("B6")(other)
    for who in (None, 1, 4, 5, 6):
        assert one.sees(who) == other.sees(who)
    assert len(one.misplays) == 1


def test_on_the_shared_reader_a_card_in_another_hand_is_not_seen_by_third_parties() -> None:
    def meeting(held: str) -> Acts:
        def acts(table: Table) -> None:
            table.tap(2, held)
            table.claim(3, "B5 T1")

        return acts

    one, other = opened(), opened()
    meeting("B5")(one)
    meeting("B6")(other)
    for who in (None, 1, 4, 5, 6):
        assert one.sees(who) == other.sees(who)


def test_whoever_holds_a_card_is_not_told_that_it_was_read_elsewhere() -> None:
    def meeting(other: str) -> Acts:
        def acts(table: Table) -> None:
            table.tap(2, "B5")
            table.tap(3, other)

        return acts

    one, other = opened(), opened()
    meeting("B5")(one)
    meeting("B6")(other)
    assert one.sees(2) == other.sees(2)


def test_in_whose_hand_it_was_read_is_not_told() -> None:
    def begin() -> Table:
        return opened(TWO, 1, 2, 3, 4)

    def meeting(seat: int) -> Acts:
        def acts(table: Table) -> None:
            table.tap(seat, "B5")
            table.tap(3, "B5")

        return acts

    one, other = begin(), begin()
    meeting(2)(one)
    meeting(4)(other)
    for who in (None, 1, 3, 5, 6):
        assert one.sees(who) == other.sees(who)


def test_a_card_tapped_in_secret_makes_no_misplay_speak_again() -> None:
    def again(place: int | str, *between: str) -> Acts:
        def acts(table: Table) -> None:
            table.tap(place, "gangster-1")
            table.tap(2, " ".join(between))
            table.tap(place, "gangster-1")

        return acts

    for place in ("centre", 1, 3):
        assert seen(again(place, "B1"), but=2) == seen(again(place), but=2)


def test_a_card_before_the_call_is_not_seen_by_the_others() -> None:
    for seat in (1, 2):
        assert seen(tapped(seat, "B1"), Table, but=seat) == seen(tapped(seat, "B2"), Table, but=seat)
        assert seen(tapped(seat, "B1"), Table, but=seat) == seen(nothing, Table, but=seat)


def test_the_row_card_in_a_sealed_hand_is_not_seen_by_the_others() -> None:
    def row_in(hand: str) -> Acts:
        def acts(table: Table) -> None:
            table.press(1)
            table.tap(2, hand)
            table.tap("row", ROW)

        return acts

    assert seen(row_in("B1 K11"), Table, but=2) == seen(row_in("B1 K10"), Table, but=2)


def test_who_reads_on_the_shared_reader_betrays_no_card() -> None:
    def claims(hand: str, his: str) -> Acts:
        def acts(table: Table) -> None:
            table.claim(2, hand)
            table.press(3)
            table.tap("centre", his)

        return acts

    one, other = opened(), opened()
    claims("B1 B2 B3", "T1")(one)
    claims("R5 B2", "T1 T2 T2 V6")(other)
    for who in (None, 1, 4, 5, 6):
        assert one.sees(who) == other.sees(who)
