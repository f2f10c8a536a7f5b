"""The call and the row colour, where turns are not tracked; the last cards; a void round."""

import pytest

from tests.games.go.table import (
    ALL_THREE,
    PROBE,
    ROW,
    SEVENTEEN,
    THIRTYTWO,
    TWO,
    Table,
    called,
    opened,
)

# The call.


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_whoever_presses_calls(seat: int) -> None:
    table = Table()
    assert table.callers == [1, 2, 3]
    others = [other for other in (1, 2, 3) if other != seat]
    table.round({seat: TWO, others[0]: THIRTYTWO, others[1]: SEVENTEEN})
    assert table.points[seat] == 1
    assert table.misplays == []


def test_nothing_before_a_call_is_needed_and_nothing_is_read() -> None:
    table = Table()
    assert table.unread == []
    table.call(2)
    assert table.unread == [1, 2, 3]


@pytest.mark.parametrize("card", ["O1", "K11", "gangster-1"])
@pytest.mark.parametrize("spot", [1, "centre", "row"])
def test_a_card_before_the_call_is_a_misplay(card: str, spot: int | str) -> None:
    table = Table()
    assert table.tap(spot, card) in table.misplays
    assert table.callers == [1, 2, 3]


def test_a_card_tapped_before_the_call_is_judged_anew_after_it() -> None:
    table = Table()
    wrong = [table.tap("row", ROW), table.tap(1, "O1")]
    table.round(ALL_THREE)
    assert table.misplays == wrong
    assert table.points == {1: 1, 2: 0, 3: 0}


@pytest.mark.parametrize("early", [*"12", "3"])
def test_after_the_call_nobody_else_calls(early: str) -> None:
    table = Table()
    table.press(2)
    table.press(int(early))
    table.tap("row", ROW)
    table.hands({2: TWO, 1: THIRTYTWO, 3: SEVENTEEN})
    table.series(2)
    assert table.points == {1: 0, 2: 1, 3: 0}


def test_whoever_called_earlier_on_the_tables_clock_learned_of_later_does_not_call() -> None:
    """A call is no race: it comes at the end of one's own turn."""
    table = Table()
    table.press(2, at=110.0)
    table.press(1, at=109.0)
    table.tap("row", ROW)
    table.tap(2, TWO)
    table.series(2)
    table.hands({1: THIRTYTWO, 3: SEVENTEEN})
    assert table.points == {1: 0, 2: 1, 3: 0}


def test_a_call_may_be_the_first_thing_to_happen() -> None:
    table = Table(1, 2)
    table.round({2: TWO, 1: THIRTYTWO})
    assert table.points == {1: 0, 2: 1}


# The row colour.


@pytest.mark.parametrize("spot", ["row", "centre"])
def test_the_open_row_card_is_tapped_at_row_or_centre(spot: str) -> None:
    table = Table()
    table.call(1, "R11", spot)
    table.hands({1: "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 O1 P1", 2: THIRTYTWO.replace("R7 R8", "N1 N2")})
    table.tap(3, "T1 T2 T5 V6 V7 V8 N9 N10 Y3 G2 O4 K7")
    table.series(1, "O1")
    assert table.points == {1: 1, 2: 0, 3: 0}
    assert table.misplays == []


@pytest.mark.parametrize("spot", [1, 2, "discard", "prison"])
def test_it_is_tapped_nowhere_else(spot: int | str) -> None:
    table = Table()
    table.press(1)
    table.tap(spot, "R11")
    assert table.wants_row


@pytest.mark.parametrize("spot", ["discard", "prison"])
def test_these_pads_know_no_row_card(spot: str) -> None:
    table = Table()
    table.press(1)
    assert table.tap(spot, "R11") in table.misplays


def test_a_hand_tapped_before_the_row_card_is_read_or_refused_but_not_lost_without_a_word() -> None:
    table = Table()
    table.press(1)
    table.tap(2, THIRTYTWO)
    refused = len(table.misplays)
    table.tap("row", ROW)
    assert (refused, table.unread) in ((0, [1, 3]), (12, [1, 2, 3]))
    table.hands(ALL_THREE)
    table.series(1)
    assert table.points == {1: 1, 2: 0, 3: 0}


@pytest.mark.parametrize("spot", ["row", "centre"])
def test_the_row_colour_is_told_once(spot: str) -> None:
    table = called()
    assert not table.wants_row
    assert table.tap(spot, "O11") in table.misplays
    table.hands(ALL_THREE)
    table.series(1)
    assert table.points == {1: 1, 2: 0, 3: 0}


def test_another_row_card_after_the_hands_is_a_misplay_too() -> None:
    table = opened()
    assert table.tap("row", "B11") in table.misplays
    table.series(1)
    assert table.tap("row", "G11") in table.misplays


def test_a_card_of_another_game_tells_no_colour() -> None:
    table = Table()
    table.press(1)
    wrong = [table.tap("row", "gangster-1"), table.tap("centre", "purple-1"), table.tap("row", "?", tag="04:11")]
    assert table.misplays == wrong
    assert table.wants_row


def test_each_round_has_its_own_row_colour() -> None:
    table = Table(1, 2)
    table.round({1: TWO, 2: THIRTYTWO})
    assert not table.wants_row
    table.press(1)
    assert table.wants_row
    table.tap("row", "O11")
    table.tap(1, "O1 O2 O3 O4 O5 O6 O7 O8 O9 O10 P1 R2")
    table.series(1, "P1")
    table.tap(2, THIRTYTWO)
    assert table.points == {1: 2, 2: 0}


def test_at_this_table_the_open_row_card_is_in_no_hand() -> None:
    table = called()
    assert table.tap(1, ROW) in table.misplays
    assert table.tap(2, ROW) in table.misplays


# The last pile card.


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_to_have_taken_the_last_pile_card_is_the_call(seat: int) -> None:
    table = Table()
    table.say(seat, "last-pile")
    assert table.wants_row
    table.tap("row", ROW)
    others = [other for other in (1, 2, 3) if other != seat]
    table.hands({seat: TWO, others[0]: THIRTYTWO, others[1]: SEVENTEEN})
    table.series(seat)
    assert table.points[seat] == 1
    assert table.misplays == []


def test_ig_14_the_last_pile_card() -> None:
    table = Table()
    table.say(2, "last-pile")
    table.tap("centre", ROW)
    table.hands({2: TWO.replace("K3", "K2"), 1: THIRTYTWO, 3: SEVENTEEN})
    table.series(2)
    assert table.points == {1: 0, 2: 1, 3: 0}
    assert table.misplays == []


def test_the_forced_call_may_be_perfect() -> None:
    table = Table()
    table.say(2, "last-pile")
    table.tap("row", ROW)
    table.tap(2, "O1 O2 O3 O4 O5 O6 P7 P8 P9 P10 K1 K2")
    table.series(2)
    assert table.winners == [2]


def test_the_host_took_no_card() -> None:
    table = Table()
    wrong = [table.say("host", "last-pile"), table.say("host", "last-row"), table.say(5, "last-pile")]
    assert table.misplays == wrong
    assert table.callers == [1, 2, 3]


@pytest.mark.parametrize(("word", "seat"), [("last-pile", 2), ("last-pile", 3), ("last-row", 1), ("last-row", 2)])
def test_after_the_call_nobody_takes_a_last_card(word: str, seat: int) -> None:
    for table in (called(), opened()):
        assert table.say(seat, word) in table.misplays
        assert table.unread


def test_after_his_call_the_callers_last_pile_card_changes_nothing() -> None:
    table = Table()
    table.press(1)
    table.say(1, "last-pile")
    assert table.wants_row
    table.tap("row", ROW)
    table.hands(ALL_THREE)
    table.series(1)
    assert table.points == {1: 1, 2: 0, 3: 0}


# The last row card.


def test_the_last_row_card_voids_the_round() -> None:
    table = Table()
    table.say(2, "last-row")
    assert table.misplays == []
    assert table.points == {1: 0, 2: 0, 3: 0}
    assert table.callers == [1, 2, 3]
    table.round(ALL_THREE)
    assert table.points == {1: 1, 2: 0, 3: 0}


def test_a_round_after_another_may_be_void() -> None:
    table = Table()
    for seat in (1, 1, 3, 2):
        table.say(seat, "last-row")
    assert table.misplays == []
    assert table.points == {1: 0, 2: 0, 3: 0}


# A round that cannot be mended.


@pytest.mark.parametrize("by", [1, 2, 3])
def test_only_the_host_says_void(by: int) -> None:
    table = opened()
    assert table.void(by) in table.misplays
    table.series(1)
    table.hands({2: THIRTYTWO, 3: SEVENTEEN})
    assert table.points == {1: 1, 2: 0, 3: 0}


def test_a_void_round_scores_nothing_and_the_next_begins() -> None:
    table = opened()
    table.series(1)
    table.tap(2, THIRTYTWO)
    table.void()
    assert table.points == {1: 0, 2: 0, 3: 0}
    assert table.unread == []
    assert table.callers == [1, 2, 3]
    assert table.misplays == []


def test_a_void_round_forgets_all_that_was_read() -> None:
    table = opened()
    table.tap(2, THIRTYTWO)
    table.void()
    table.call(2, "O11")
    assert table.unread == [1, 2, 3]
    table.tap(1, THIRTYTWO)
    table.tap(2, TWO)
    table.tap(3, SEVENTEEN)
    table.series(2, "P4 P6 P7 P9 P11")
    assert table.misplays == []
    assert sum(points or 0 for points in table.points.values()) > 0


@pytest.mark.parametrize("stage", range(5))
def test_a_round_may_be_void_at_any_time_after_the_call(stage: int) -> None:
    table = Table()
    table.press(1)
    if stage > 0:
        table.tap("centre", ROW)
    if stage > 1:
        table.claim(1, "O1 O2 O3")
    if stage > 2:
        table.tap("centre", TWO.removeprefix("O1 O2 O3 "))
        table.series(1)
    if stage > 3:
        table.claim(3, "T1 T2 T5")
    table.void()
    assert table.misplays == []
    table.round({3: TWO, 1: THIRTYTWO, 2: SEVENTEEN})
    assert table.points == {1: 0, 2: 0, 3: 1}
    assert table.misplays == []


def test_ig_17_a_twelfth_card_that_cannot_be_found() -> None:
    table = opened()
    table.series(1)
    table.tap(2, THIRTYTWO)
    table.tap(3, SEVENTEEN.removesuffix(" K7"))
    assert table.unread == [3]
    wrong = table.void(2)
    table.void()
    assert table.points == {1: 0, 2: 0, 3: 0}
    table.round({2: TWO, 1: THIRTYTWO, 3: SEVENTEEN})
    assert table.points == {1: 0, 2: 1, 3: 0}
    assert table.misplays == [wrong]


def test_a_void_round_can_be_taken_back() -> None:
    table = opened()
    table.series(1)
    table.tap(2, THIRTYTWO)
    void = table.void()
    table.retract(void)
    assert table.unread == [3]
    table.tap(3, SEVENTEEN)
    assert table.points == {1: 1, 2: 0, 3: 0}


def test_the_probe_is_in_no_hand() -> None:
    assert PROBE not in {card for hand in ALL_THREE.values() for card in hand.split()}
