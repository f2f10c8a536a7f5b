"""Where the table tracks turns: the last card of row and pile, a void round, what is taken back."""

import pytest

from tests.games.go.table import ROW, THIRTYTWO, TWO, Table, play_out, tracked

# The last row card.


def test_the_last_row_card_voids_the_round_at_once_and_its_taker_begins() -> None:
    table = tracked(row="Y9")
    table.turn(1, "N1", "N1")
    table.tap(2, "Y9")
    table.say(2, "last-row")
    assert table.misplays == []
    assert table.points == {1: 0, 2: 0, 3: 0}
    assert table.takers == [2]


def test_after_the_last_row_card_nobody_calls_any_more() -> None:
    table = tracked(row="Y9")
    table.tap(1, "Y9")
    table.say(1, "last-row")
    assert table.press(1) in table.misplays
    assert table.takers == [1]


@pytest.mark.parametrize("by", [1, 3, "host", 5])
def test_only_its_taker_says_so(by: int | str) -> None:
    table = tracked(row="Y9")
    table.turn(1, "N1", "N1")
    table.tap(2, "Y9")
    assert table.say(by, "last-row") in table.misplays
    table.tap("discard", "N2")
    assert table.takers == [3]


def test_whoever_took_no_row_card_took_not_the_last() -> None:
    table = tracked(row="Y9")
    wrong = [table.say(1, "last-row")]
    table.tap(1, "N1")
    wrong.append(table.say(1, "last-row"))
    assert table.misplays == wrong
    assert table.wants_discard


def test_ig_13_the_last_row_card() -> None:
    table = tracked(1, 2, discard="V3", row="Y9")
    table.turn(1, "T11", "T11")
    row = ["Y9", "N9", "V9", "R9", "G9", "Y8"]
    for number, card in enumerate(row):
        opened = [*row, "N8"][number + 1]
        table.turn(2 if number % 2 == 0 else 1, card, card, opened=opened)
    table.tap(2, "N8")
    table.say(2, "last-row")
    assert table.takers == [2]
    assert table.points == {1: 0, 2: 0}
    table.tap("discard", "R6")
    table.tap("row", ROW)
    table.turn(2, "V2", "V2")
    table.press(2)
    table.tap(2, TWO)
    table.series(2)
    table.tap(1, THIRTYTWO)
    assert table.points == {1: 0, 2: 1}


# The last pile card.


def test_who_took_the_last_pile_card_calls_by_his_discard() -> None:
    table = tracked()
    table.turn(1, "N1", "N1")
    table.tap(2, "N2")
    table.say(2, "last-pile")
    assert table.unread == []
    table.tap("discard", "N4")
    assert table.unread == [1, 2, 3]
    assert play_out(table, 2).points == {1: 0, 2: 1, 3: 0}
    assert table.misplays == []


def test_his_press_after_the_discard_says_the_same() -> None:
    table = tracked()
    table.tap(1, "N1")
    table.say(1, "last-pile")
    table.tap("discard", "N1")
    table.press(1)
    assert table.misplays == []
    assert table.unread == [1, 2, 3]
    assert play_out(table).points == {1: 1, 2: 0, 3: 0}


def test_his_next_press_claims_the_shared_reader() -> None:
    table = tracked()
    table.tap(1, "N1")
    table.say(1, "last-pile")
    table.tap("discard", "N1")
    table.press(1)
    table.press(1)
    table.tap("centre", TWO)
    assert table.unread == [2, 3]
    assert table.misplays == []


def test_his_press_before_the_discard_is_no_call_yet() -> None:
    table = tracked()
    table.tap(1, "N1")
    table.say(1, "last-pile")
    assert table.press(1) in table.misplays
    table.tap("discard", "N1")
    assert table.unread == [1, 2, 3]


def test_after_his_forced_call_nobody_takes_or_calls() -> None:
    table = tracked()
    table.tap(1, "N1")
    table.say(1, "last-pile")
    table.tap("discard", "N1")
    table.tap(2, THIRTYTWO)
    assert table.unread == [1, 3]
    assert play_out(table).points == {1: 1, 2: 0, 3: 0}


def test_without_a_known_row_his_discard_is_the_call_and_the_row_card_is_asked_for() -> None:
    table = Table(tracking="turns")
    table.tap(1, "N1")
    table.say(1, "last-pile")
    table.tap("discard", "N1")
    assert table.wants_row
    table.tap("centre", ROW)
    assert play_out(table).points == {1: 1, 2: 0, 3: 0}


def test_at_this_table_it_may_be_said_after_the_discard_too() -> None:
    table = tracked()
    table.turn(1, "N1", "N1")
    table.say(1, "last-pile")
    assert table.misplays == []
    assert table.unread == [1, 2, 3]


@pytest.mark.parametrize("by", [2, 3, "host"])
def test_only_the_taker_says_it(by: int | str) -> None:
    table = tracked()
    table.tap(1, "N1")
    assert table.say(by, "last-pile") in table.misplays
    table.tap("discard", "N1")
    assert table.takers == [2]


def test_whoever_took_no_card_took_not_the_last_of_the_pile() -> None:
    table = tracked()
    assert table.say(1, "last-pile") in table.misplays
    assert table.takers == [1]


@pytest.mark.parametrize("card", ["V3", "Y9"])
def test_whoever_took_from_discard_or_row_took_not_the_last_of_the_pile(card: str) -> None:
    table = tracked(discard="V3", row="Y9")
    table.tap(1, card)
    assert table.say(1, "last-pile") in table.misplays
    table.tap("discard", "N1")
    assert table.takers == [2]


# A void round.


def test_a_void_round_is_begun_again_by_the_same_player() -> None:
    table = tracked(2, 3, 5)
    table.turn(2, "N1", "N1")
    table.tap(3, "N2")
    table.void()
    assert table.takers == [2]
    assert table.misplays == []


def test_a_later_void_round_is_begun_again_by_its_own_first_player() -> None:
    table = tracked()
    table.turn(1, "N1", "N1")
    table.turn(2, "N2", "N2")
    table.press(2)
    play_out(table, 2)
    table.tap("row", ROW)
    table.turn(2, "N1", "N1")
    table.turn(3, "N2", "N2")
    table.press(3)
    table.tap(3, "O1 O2")
    table.void()
    assert table.takers == [2]
    assert table.points == {1: 0, 2: 1, 3: 0}
    assert table.misplays == []


def test_a_void_round_before_any_call_at_a_table_that_tracks_turns() -> None:
    table = tracked()
    table.void()
    assert table.misplays == []
    assert table.takers == [1]
    table.tap("discard", "G1")
    table.tap("row", "G2")
    table.turn(1, "V3", "K11")
    assert table.takers == [2]
    assert table.misplays == []


# Taking back.


def test_a_take_taken_back_is_taken_anew() -> None:
    table = tracked()
    take = table.tap(1, "N1")
    table.retract(take)
    assert table.takers == [1]
    table.turn(1, "N2", "N1")
    assert table.takers == [2]
    assert table.misplays == []


def test_a_discard_taken_back_is_replaced() -> None:
    table = tracked()
    table.tap(1, "N1")
    discard = table.tap("discard", "N2")
    table.retract(discard)
    assert table.takers == []
    table.tap("discard", "N4")
    table.turn(2, "N4", "N4")
    assert table.misplays == []
    assert table.takers == [3]


def test_a_turn_taken_back_in_the_middle_leaves_the_next_out_of_turn() -> None:
    table = tracked()
    take = table.tap(1, "N1")
    discard = table.tap("discard", "N1")
    after = table.tap(2, "N2")
    table.retract(take)
    assert table.misplays == [discard, after]
    assert table.takers == [1]


def test_a_call_taken_back_lets_the_turns_go_on() -> None:
    table = tracked()
    table.turn(1, "N1", "N1")
    call = table.press(1)
    table.retract(call)
    assert table.takers == [2]
    table.turn(2, "N2", "N2")
    assert table.callers == [2]
    assert table.misplays == []
