"""Whose hand stands out on the table of ¡Go!, in which order hands are counted, and what is offered to try."""

from typing import Any

from companion.games.go.cards_to_try import cards_to_try
from companion.games.go.table_laid_out import lay_out_round, lay_out_table

TURN = {"active": 3, "took": None, "row": "red-1", "discard": "blue-2", "may_call": 1, "seen": [], "row_left": 4}
CALL = {
    "caller": 3,
    "row": "red-1",
    "division": None,
    "series": None,
    "hand": None,
    "complete": [],
    "colour": "red",
    "seen": [],
}


def table(**how: Any) -> dict[str, Any]:
    return {"turn": None, "call": None, "rounds": [], "first": 1, "now": {"seats": (3,)}, **how}


def test_the_caller_is_shown_first() -> None:
    places = lay_out_table(table(call=CALL), (1, 2, 3), None, {}).places
    assert [place.seat for place in places] == [3, 1, 2]
    assert [place.role for place in places] == ["is-caller", "", ""]


def test_a_discard_comes_from_the_hand_of_whoever_may_call() -> None:
    assert lay_out_table(table(turn=TURN), (1, 2, 3), None, {}).discard_from == 1
    assert lay_out_table(table(turn={**TURN, "took": "row"}), (1, 2, 3), None, {}).discard_from is None


def test_where_hands_are_closed_the_active_player_is_named() -> None:
    places = lay_out_table(table(turn=TURN), (1, 2, 3), None, {}).places
    assert [place.role for place in places] == ["", "", "is-active"]


def test_the_row_lies_open_where_its_cards_are_known() -> None:
    sees = {"row": ["green-5", "red-1"]}
    assert lay_out_table(table(turn=TURN), (1, 3), None, sees).lying_row == ["green-5", "red-1"]
    assert list(lay_out_table(table(turn=TURN), (1, 3), None, {}).lying_row) == []


def test_hands_are_counted_from_the_best_and_shown_after_the_callers() -> None:
    divisions = {
        "1": {"penalty": 30, "additions": [], "series": []},
        "2": {"penalty": 9, "additions": ["red-4"], "series": []},
        "3": {"penalty": 12, "additions": [], "series": []},
    }
    entry = {
        "caller": 3,
        "divisions": divisions,
        "points": {"1": 0, "2": 1, "3": 0},
        "perfect": False,
        "alone": {"1": 30, "2": 13},
    }
    hands = lay_out_round(entry, (1, 2, 3)).hands
    assert [(hand.seat, hand.nth) for hand in hands] == [(3, 1), (1, 3), (2, 2)]
    assert [(hand.values_added, hand.saved) for hand in hands] == [((), 0), ((), 0), (("4",), 4)]


def test_no_card_is_offered_in_two_hands() -> None:
    hands = cards_to_try(table(call=CALL), (1, 2, 3), 7).hands
    cards = [card for hand in hands.values() for card in hand]
    assert len(cards) == len(set(cards)) == 36
    assert "red-1" not in cards
