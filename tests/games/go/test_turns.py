"""Where the table tracks turns: whose turn it is, what he takes and what he discards."""

import pytest

from tests.games.go.table import ROW, Table, tracked

# Whose turn it is.


def test_the_first_of_the_players_begins() -> None:
    assert tracked(1, 2, 3).takers == [1]
    assert tracked(5, 6, 2).takers == [5]


def test_the_turn_goes_round_clockwise() -> None:
    table = tracked(5, 6, 2)
    order = []
    for card in ("N1", "N2", "N3", "N4"):
        (seat,) = table.takers
        order.append(seat)
        table.turn(seat, card, card)
    assert order == [5, 6, 2, 5]
    assert table.misplays == []


def test_neither_the_open_row_card_nor_the_first_discard_need_be_told() -> None:
    table = Table(tracking="turns")
    assert table.takers == [1]
    table.turn(1, "N1", "N2")
    assert table.takers == [2]
    assert table.misplays == []


def test_they_may_be_told_in_either_order() -> None:
    table = Table(tracking="turns")
    table.tap("row", ROW)
    table.tap("discard", "V3")
    assert table.takers == [1]
    assert table.misplays == []


@pytest.mark.parametrize("seat", [2, 3])
def test_a_card_taken_out_of_turn_is_a_misplay(seat: int) -> None:
    table = tracked()
    wrong = table.tap(seat, "N1")
    assert table.misplays == [wrong]
    assert table.takers == [1]


def test_a_card_taken_out_of_turn_is_taken_when_his_turn_has_come() -> None:
    table = tracked()
    wrong = table.tap(2, "N2")
    table.turn(1, "N1", "N1")
    table.tap(2, "N2")
    assert table.takers == []
    table.tap("discard", "N2")
    assert table.takers == [3]
    assert table.misplays == [wrong]


# Take one card.


@pytest.mark.parametrize("card", ["N1", "G11", "K8", "V4"])
def test_a_card_of_the_draw_pile_is_taken(card: str) -> None:
    table = tracked()
    table.tap(1, card)
    assert table.takers == []
    assert table.wants_discard
    assert table.misplays == []


def test_the_card_last_seen_on_the_discard_is_taken() -> None:
    table = tracked(discard="V3")
    table.turn(1, "V3", "N1")
    table.turn(2, "N1", "N2")
    assert table.takers == [3]
    assert table.misplays == []


def test_the_card_last_seen_on_the_row_is_taken() -> None:
    table = tracked(row="Y9")
    table.turn(1, "Y9", "N1", opened="G7")
    table.turn(2, "G7", "N2", opened="G8")
    assert table.takers == [3]
    assert table.misplays == []


def test_exactly_one_card_is_taken() -> None:
    table = tracked()
    table.tap(1, "N1")
    wrong = [table.tap(1, "N2"), table.tap(2, "N3")]
    assert table.misplays == wrong
    table.tap("discard", "N1")
    assert table.takers == [2]


@pytest.mark.parametrize("buried", ["V3", "N1", "N2"])
def test_a_card_deeper_in_the_discard_is_not_taken(buried: str) -> None:
    table = tracked(discard="V3")
    for seat, card in ((1, "N1"), (2, "N2"), (3, "N4")):
        table.turn(seat, card, card)
    assert table.tap(1, buried) in table.misplays
    assert table.takers == [1]
    table.tap(1, "N4")
    assert table.takers == []


def test_the_cards_of_another_game_are_not_taken() -> None:
    table = tracked()
    wrong = [table.tap(1, "gangster-1"), table.tap(1, "red-17")]
    assert table.misplays == wrong
    assert table.takers == [1]


# Discard one card.


def test_a_card_is_discarded() -> None:
    table = tracked()
    table.tap(1, "N1")
    table.tap("discard", "B5")
    assert table.takers == [2]
    assert table.misplays == []


def test_the_card_just_taken_may_be_discarded_wherever_it_came_from() -> None:
    table = tracked(discard="V3", row="Y9")
    table.turn(1, "N1", "N1")
    table.turn(2, "N1", "N1")
    table.turn(3, "Y9", "Y9", opened="G7")
    table.turn(1, "Y9", "Y9")
    assert table.misplays == []
    assert table.takers == [2]


def test_nothing_is_discarded_before_a_card_is_taken() -> None:
    table = tracked()
    wrong = table.tap("discard", "B5")
    assert table.misplays == [wrong]
    assert table.takers == [1]
    table.turn(1, "N1", "B5")
    assert table.takers == [2]
    assert table.misplays == [wrong]


def test_nothing_is_discarded_twice_in_a_turn() -> None:
    table = tracked()
    table.turn(1, "N1", "B5")
    assert table.tap("discard", "B6") in table.misplays
    assert table.takers == [2]
    table.turn(2, "B5", "N2")
    assert table.takers == [3]


# Where turns are not tracked.


def test_where_turns_are_not_tracked_nothing_is_taken_or_discarded() -> None:
    table = Table(tracking="calls")
    wrong = [table.tap(1, "N1"), table.tap("discard", "N1"), table.tap("row", "Y9")]
    assert table.misplays == wrong
    assert table.callers == [1, 2, 3]
