"""Where the table tracks turns: the open row card, the call at the end of one's own turn, the next round."""

import pytest

from tests.games.go.table import ALL_THREE, PERFECT, ROW, SEVENTEEN, THIRTYTWO, TWO, Table, play_out, tracked

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
    table = tracked(row="O1")
    table.tap(1, "O1")
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
    table = tracked(row="O1")
    table.tap(1, "O1")
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
    table.tap("row", "R2")
    table.turn(1, "K11", "V3")
    table.turn(2, "N1", "T1")
    table.press(2)
    assert table.misplays == []
    table.hands({1: THIRTYTWO, 2: "O2 O3 O4 O5 O6 O7 P8 P9 P10 P11 N1 V7", 3: "G7 G8 G9 G10 G11 Y1 Y2 Y3 Y4 Y5 B9 N7"})
    assert table.misplays == []
    table.series(2)
    assert table.points == {1: 1, 2: 1, 3: 0}


def test_a_row_card_taken_and_kept_is_in_its_takers_hand_only() -> None:
    table = tracked(row="Y9")
    table.turn(1, "Y9", "N1", opened=ROW)
    table.press(1)
    wrong = table.tap(2, "Y9")
    table.tap(1, "Y9")
    assert table.misplays == [wrong]
