"""A void round opens nothing; what is drawn from the pile is sealed."""

import pytest

from tests.games.go.sealing import OTHER, Acts, nothing, seen, tapped
from tests.games.go.table import ALL_THREE, THIRTYTWO, Table, called, cards, opened, tracked

# A void round.


@pytest.mark.parametrize("complete", [True, False])
def test_a_void_round_opens_no_hand(complete: bool) -> None:
    def void(hand: str) -> Acts:
        def acts(table: Table) -> None:
            table.series(1)
            table.tap(2, hand if complete else hand.removesuffix(" K4"))
            table.void()

        return acts

    assert seen(void(THIRTYTWO), but=2) == seen(void(OTHER), but=2)
    table = opened()
    void(THIRTYTWO)(table)
    for who in (None, 1, 3, 4):
        assert not any(f'"{card}"' in table.sees(who) for card in cards(THIRTYTWO))


def test_a_void_round_does_not_open_an_incomplete_hand_of_the_caller() -> None:
    def void(hand: str) -> Acts:
        def acts(table: Table) -> None:
            table.tap(1, hand)
            table.void()

        return acts

    assert seen(void("O1 O2 O3"), called, but=1) == seen(void("K1 R5"), called, but=1)


def test_after_a_void_round_the_next_one_opens_nothing_of_it() -> None:
    def both(hand: str) -> Acts:
        def acts(table: Table) -> None:
            table.tap(2, hand)
            table.void()
            table.round(ALL_THREE)

        return acts

    assert seen(both("B1 B2"), but=2) == seen(both("G7 G8 G9"), but=2)


# Turns.


def test_a_card_of_the_draw_pile_is_sealed() -> None:
    assert seen(tapped(1, "B5"), tracked, but=1) == seen(tapped(1, "G7"), tracked, but=1)


def test_a_card_kept_is_sealed_for_the_whole_round() -> None:
    def kept(card: str) -> Acts:
        def acts(table: Table) -> None:
            table.turn(1, card, "N1")
            table.turn(2, "N2", "N2")
            table.turn(3, "N4", "N4")
            table.turn(1, "N5", "N5")
            table.press(1)
            table.tap(1, "O1 O2")

        return acts

    assert seen(kept("O1"), tracked, but=1) == seen(kept("G7"), tracked, but=1)


def test_what_is_taken_from_discard_or_row_is_seen() -> None:
    table = tracked(discard="V3", row="Y9")
    assert '"violet-3"' in table.sees()
    assert '"yellow-9"' in table.sees()
    table.tap(1, "N1")
    table.tap("discard", "B5")
    assert '"blue-5"' in table.sees(3)


def test_a_card_out_of_turn_is_not_seen_by_the_others() -> None:
    assert seen(tapped(2, "K8"), tracked, but=2) == seen(tapped(2, "B8"), tracked, but=2)
    assert seen(tapped(2, "K8"), tracked, but=2) == seen(nothing, tracked, but=2)


def test_a_second_card_taken_is_not_seen_by_the_others() -> None:
    assert seen(tapped(1, "N1 N2"), tracked, but=1) == seen(tapped(1, "N1"), tracked, but=1)


def meeting(mine: str, his: str) -> Table:
    """Seat 1 has drawn and kept a card, seat 2 draws another, or the same."""
    table = tracked()
    table.turn(1, mine, "N1")
    table.tap(2, his)
    return table


def test_no_judgement_rests_on_what_another_has_drawn() -> None:
    one, other = meeting("B5", "B5"), meeting("G7", "B5")
    for who in (None, 2, 3, 4):
        assert one.sees(who) == other.sees(who)


def test_whoever_drew_a_card_is_not_told_that_another_draws_it() -> None:
    assert meeting("B5", "B5").sees(1) == meeting("B5", "B6").sees(1)


def test_what_another_has_drawn_does_not_hinder_a_discard_or_a_row_card() -> None:
    def acts(drawn: str) -> Acts:
        def these(table: Table) -> None:
            table.turn(1, drawn, "N1")
            table.tap(2, "Y9")
            table.tap("row", "G8")
            table.tap("discard", "B5")

        return these

    def begin() -> Table:
        return tracked(row="Y9")

    for drawn in ("B5", "G8"):
        assert seen(acts(drawn), begin, but=1) == seen(acts("R5"), begin, but=1)


def test_a_void_round_opens_no_drawn_card() -> None:
    def void(card: str) -> Acts:
        def acts(table: Table) -> None:
            table.turn(1, card, "N1")
            table.void()

        return acts

    assert seen(void("B5"), tracked, but=1) == seen(void("G7"), tracked, but=1)
