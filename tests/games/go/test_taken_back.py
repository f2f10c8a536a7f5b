"""Taking an event back: it counts as never having happened, and everything after it is judged again."""

import pytest

from tests.games.go.table import (
    ALL_THREE,
    PERFECT,
    ROW,
    SEVENTEEN,
    THIRTYTWO,
    TWO,
    Table,
    called,
    opened,
)


def scored() -> tuple[Table, dict[str, int]]:
    """A whole round that seat 1 has called and won; and the seqs of what happened."""
    table = Table()
    seqs = {"call": table.press(1), "row": table.tap("row", ROW), "mine": table.tap(1, TWO), "series": table.series(1)}
    seqs |= {"his": table.tap(2, THIRTYTWO), "hers": table.tap(3, SEVENTEEN)}
    assert table.points == {1: 1, 2: 0, 3: 0}
    return table, seqs


@pytest.mark.parametrize("what", ["call", "row", "mine", "series", "his", "hers"])
def test_without_any_of_it_nothing_is_scored_and_with_it_again_it_is(what: str) -> None:
    table, seqs = scored()
    back = table.retract(seqs[what])
    assert table.points == {1: 0, 2: 0, 3: 0}
    table.retract(back)
    assert table.points == {1: 1, 2: 0, 3: 0}
    assert table.misplays == []


def test_a_card_of_a_hand_is_replaced() -> None:
    table, seqs = scored()
    table.retract(seqs["hers"])
    assert table.unread == [3]
    table.tap(3, "K8")
    assert table.points == {1: 1, 2: 0, 3: 0}
    assert table.misplays == []


def test_a_card_of_the_callers_hand_taken_back_takes_the_series_with_it() -> None:
    table, seqs = scored()
    table.retract(seqs["mine"])
    assert table.misplays == [seqs["series"]]
    assert table.unread == [1]
    table.tap(1, "R4")
    assert table.misplays[-1] == table.match.events[-1].seq
    table.tap(1, "R3")
    table.series(1)
    assert table.points == {1: 1, 2: 0, 3: 0}


def test_another_series_is_told_instead() -> None:
    table, seqs = scored()
    table.retract(seqs["series"])
    table.series(1, "")
    assert table.points == {1: 0, 2: 1, 3: 1}
    assert table.misplays == []


def test_another_row_card_is_told_instead() -> None:
    table = opened()
    row = 3
    table.retract(row)
    assert table.wants_row
    table.tap("row", "O11")
    table.series(1, "P4 P6 P7 P9 P11")
    assert table.misplays == []
    table.hands({2: THIRTYTWO, 3: SEVENTEEN})
    assert sum(points or 0 for points in table.points.values()) == 1


def test_without_the_call_the_next_press_calls() -> None:
    table = Table()
    call = table.press(1)
    table.press(2)
    table.retract(call)
    table.tap("row", ROW)
    table.hands({2: TWO, 1: THIRTYTWO, 3: SEVENTEEN})
    table.series(2)
    assert table.points == {1: 0, 2: 1, 3: 0}


def test_without_the_call_all_that_came_after_it_is_a_misplay() -> None:
    table = Table()
    call = table.press(1)
    row = table.tap("row", ROW)
    card = table.tap(1, "O1")
    series = table.series(1)
    table.retract(call)
    assert table.misplays == [row, card, series]
    assert table.callers == [1, 2, 3]


def test_a_misplay_may_be_taken_back() -> None:
    table = called()
    before = table.seen()
    wrong = table.series(2)
    assert table.misplays == [wrong]
    table.retract(wrong)
    assert table.misplays == []
    assert table.seen() == before


def test_on_the_shared_reader_a_card_is_replaced() -> None:
    table = called()
    table.claim(2, "B1 B2")
    mistaken = table.tap("centre", "G11")
    table.retract(mistaken)
    table.tap("centre", THIRTYTWO.removeprefix("B1 B2 "))
    assert table.unread == [1, 3]
    assert table.misplays == []


def test_on_the_shared_reader_a_card_taken_back_after_the_next_press_is_tapped_after_another_press() -> None:
    table = called()
    last = table.claim(2, THIRTYTWO)
    table.claim(3, "T1 T2")
    table.retract(last)
    assert table.unread == [1, 2, 3]
    table.claim(2, "K5")
    assert table.unread == [1, 3]
    table.claim(3, SEVENTEEN.removeprefix("T1 T2 "))
    assert table.unread == [1]
    assert table.misplays == []


def test_a_perfect_go_taken_back_opens_the_match_again() -> None:
    table = called()
    table.tap(1, PERFECT)
    series = table.series(1)
    assert table.over
    table.retract(series)
    assert not table.over
    assert table.winners == []


def test_a_retraction_in_an_earlier_round_is_judged_through_all_later_ones() -> None:
    table = Table()
    void = table.say(2, "last-row")
    table.call(1)
    table.tap(1, TWO)
    table.series(1)
    table.hands({2: THIRTYTWO, 3: SEVENTEEN})
    table.round(ALL_THREE)
    table.retract(void)
    assert table.points == {1: 2, 2: 0, 3: 0}
    table.retract(3)
    assert table.misplays != []
    assert table.points != {1: 2, 2: 0, 3: 0}


def test_taking_back_is_taken_back_as_often_as_one_likes() -> None:
    table, seqs = scored()
    back = table.retract(seqs["series"])
    for number in range(4):
        back = table.retract(back)
        assert table.points[1] == (number + 1) % 2
