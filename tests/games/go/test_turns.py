"""Where the table tracks turns: take, discard, the row card newly open, the call at the end of one's own turn."""

import pytest

from tests.games.go.table import (
    ALL_THREE,
    PERFECT,
    ROW,
    SEVENTEEN,
    THIRTYTWO,
    TWO,
    Table,
    tracked,
)


def play_out(table: Table, caller: int = 1) -> Table:
    """Read three hands that give the caller the point, and his series."""
    others = [seat for seat in table.seats if seat != caller]
    table.hands(dict(zip((caller, *others), (TWO, THIRTYTWO, SEVENTEEN), strict=False)))
    table.series(caller)
    return table


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


@pytest.mark.parametrize("card", ["N1", "G11", "K9", "V4"])
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


# The row.


def test_the_row_card_newly_open_gives_the_row_colour() -> None:
    """ig-12."""
    table = tracked(1, 2, discard="V3", row="Y9")
    wrong = [table.tap(2, "K8")]
    table.tap(1, "Y9")
    table.tap("row", "G7")
    wrong.append(table.press(1))
    table.tap("discard", "Y9")
    table.press(1)
    table.tap(1, "G4 G5 Y2 Y3 Y8 Y10 O1 O4 O5 O6 O7 R2")
    table.series(1)
    table.tap(2, "T1 T2 T3 T5 T6 T7 T8 T9 T10 B4 N4 Y1")
    assert table.points == {1: 1, 2: 0}
    assert table.misplays == wrong


def test_the_new_row_card_may_be_told_after_the_discard() -> None:
    table = tracked(row="Y9")
    table.tap(1, "Y9")
    table.tap("discard", "N1")
    table.tap("row", ROW)
    table.press(1)
    assert table.misplays == []
    assert not table.wants_row
    assert play_out(table).points == {1: 1, 2: 0, 3: 0}


def test_where_the_row_is_tracked_its_colour_is_not_asked_for() -> None:
    table = tracked(row=ROW)
    table.turn(1, "N1", "N1")
    table.press(1)
    assert not table.wants_row
    assert table.unread == [1, 2, 3]
    assert play_out(table).points == {1: 1, 2: 0, 3: 0}
    assert table.misplays == []


@pytest.mark.parametrize("spot", ["row", "centre"])
def test_where_the_row_was_not_told_its_colour_is_asked_for_after_the_call(spot: str) -> None:
    table = Table(tracking="turns")
    table.turn(1, "N1", "N1")
    table.press(1)
    assert table.wants_row
    table.tap(spot, ROW)
    assert play_out(table).points == {1: 1, 2: 0, 3: 0}
    assert table.misplays == []


@pytest.mark.parametrize("spot", ["row", "centre"])
def test_a_new_row_card_not_told_is_told_after_the_call(spot: str) -> None:
    table = tracked(row="Y9")
    table.tap(1, "Y9")
    table.tap("discard", "N1")
    table.press(1)
    assert table.wants_row
    table.tap(spot, ROW)
    assert play_out(table).points == {1: 1, 2: 0, 3: 0}
    assert table.misplays == []


def test_a_row_card_is_told_only_when_one_is_newly_open() -> None:
    table = tracked(row="Y9")
    assert not table.wants_row
    wrong = [table.tap("row", "G7")]
    table.turn(1, "N1", "N1")
    wrong.append(table.tap("row", "G7"))
    assert table.misplays == wrong
    table.tap(2, "Y9")
    assert table.wants_row
    table.tap("row", "G7")
    assert not table.wants_row
    wrong.append(table.tap("row", "G8"))
    assert table.misplays == wrong


def test_a_card_taken_from_the_row_is_no_more_open() -> None:
    table = tracked(row="Y9")
    table.turn(1, "Y9", "N1", opened=ROW)
    table.turn(2, "N2", "N2")
    table.press(2)
    assert play_out(table, 2).points == {1: 0, 2: 1, 3: 0}
    assert table.misplays == []


# The call.


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_nobody_calls_before_the_first_card_is_taken(seat: int) -> None:
    table = tracked()
    assert table.press(seat) in table.misplays
    assert table.takers == [1]


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_nobody_calls_before_the_discard(seat: int) -> None:
    table = tracked()
    table.tap(1, "N1")
    assert table.press(seat) in table.misplays
    assert table.wants_discard


def test_only_whoever_has_just_discarded_calls() -> None:
    table = tracked()
    table.turn(1, "N1", "N1")
    assert table.callers == [1]
    wrong = [table.press(2), table.press(3)]
    table.press(1)
    assert table.misplays == wrong
    assert play_out(table).points == {1: 1, 2: 0, 3: 0}


def test_when_the_next_has_taken_it_is_too_late_to_call() -> None:
    table = tracked()
    table.turn(1, "N1", "N1")
    table.tap(2, "N2")
    assert table.press(1) in table.misplays
    table.tap("discard", "N2")
    assert table.callers == [2]


def test_a_call_on_the_very_first_turn() -> None:
    table = tracked()
    table.turn(1, "N1", "N1")
    table.press(1)
    assert table.unread == [1, 2, 3]


def test_after_the_call_nobody_takes_a_card() -> None:
    table = tracked()
    table.turn(1, "N1", "N1")
    table.press(1)
    table.tap(2, THIRTYTWO)
    assert table.unread == [1, 3]
    assert play_out(table).points == {1: 1, 2: 0, 3: 0}


def test_a_card_drawn_and_kept_is_one_of_the_hand() -> None:
    table = tracked()
    table.turn(1, "O1", "N1")
    table.turn(2, "B1", "N2")
    table.turn(3, "T1", "N4")
    table.turn(1, "O2", "N5")
    table.press(1)
    assert play_out(table).points == {1: 1, 2: 0, 3: 0}
    assert table.misplays == []


def test_a_shared_reader_reads_the_hands_here_too() -> None:
    table = tracked()
    table.turn(1, "N1", "N1")
    table.press(1)
    for seat, hand in ALL_THREE.items():
        table.claim(seat, hand)
    table.series(1)
    assert table.points == {1: 1, 2: 0, 3: 0}
    assert table.misplays == []


def test_a_perfect_go_at_a_table_that_tracks_turns() -> None:
    table = tracked()
    table.turn(1, "N1", "N1")
    table.turn(2, "N2", "N2")
    table.press(2)
    table.tap(2, PERFECT)
    table.series(2)
    assert table.winners == [2]


def test_at_this_table_the_top_of_the_discard_is_in_no_hand() -> None:
    table = tracked()
    table.turn(1, "N1", "N1")
    table.press(1)
    assert table.tap(2, "N1") in table.misplays


# The next round.


def test_ig_22_the_caller_begins_the_next_round() -> None:
    table = tracked(2, 3, 5, target=2)
    table.turn(2, "Y7", "Y7")
    table.turn(3, "Y7", "Y7")
    table.press(3)
    hands = {3: TWO, 2: THIRTYTWO, 5: SEVENTEEN}
    table.hands(hands)
    table.series(3)
    assert table.points == {2: 0, 3: 1, 5: 0}
    assert table.takers == [3]
    table.tap("discard", "V3")
    table.tap("row", ROW)
    wrong = table.tap(2, "T4")
    table.turn(3, "Y7", "Y7")
    table.press(3)
    table.hands(hands)
    table.series(3)
    assert (table.over, table.winners) == (True, [3])
    assert table.misplays == [wrong]


def test_the_caller_begins_the_next_round_also_if_others_scored() -> None:
    table = tracked()
    for seat in (1, 2):
        table.turn(seat, "N1", "N1")
    table.press(2)
    table.hands({2: THIRTYTWO, 1: TWO, 3: SEVENTEEN})
    table.series(2)
    assert table.points == {1: 1, 2: 0, 3: 1}
    assert table.takers == [2]


def test_a_new_round_knows_nothing_of_the_old_cards() -> None:
    table = tracked(discard="V3", row=ROW)
    table.turn(1, "N1", "N1")
    table.press(1)
    play_out(table)
    assert table.wants_row
    assert table.wants_discard
    table.tap("discard", "O1")
    table.tap("row", "B4")
    table.turn(1, "K11", "V3")
    table.turn(2, "N1", "T1")
    table.press(2)
    table.hands({2: PERFECT.replace("O1 ", "R1 "), 1: SEVENTEEN.replace("T1 ", "T3 "), 3: THIRTYTWO.replace("B3 ", "N3 ")})
    assert table.misplays[-1:] != []  # blue 4 is open in the row, and no card of a hand.
    assert len(table.misplays) == 0 or table.unread


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
    assert not table.claimed
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


# Where turns are not tracked.


def test_where_turns_are_not_tracked_nothing_is_taken_or_discarded() -> None:
    table = Table(tracking="calls")
    wrong = [table.tap(1, "N1"), table.tap("discard", "N1"), table.tap("row", "Y9")]
    assert table.misplays == wrong
    assert table.callers == [1, 2, 3]
