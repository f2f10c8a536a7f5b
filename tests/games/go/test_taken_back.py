"""Taking an event back: it counts as never having happened, and everything after it is judged again."""

import pytest

from tests.games.go.table import ALL_THREE, ROW, SEVENTEEN, THIRTYTWO, TWO, Table, called, opened, tracked


def scored() -> tuple[Table, dict[str, int]]:
    """A whole round that seat 1 has called and won; and the seqs of what happened."""
    table = Table()
    seqs = {"call": table.press(1), "row": table.tap("row", ROW), "mine": table.tap(1, TWO), "series": table.series(1)}
    seqs |= {"his": table.tap(2, THIRTYTWO), "hers": table.tap(3, SEVENTEEN)}
    return table, seqs


@pytest.mark.parametrize("what", ["call", "row", "mine", "series", "his", "hers"])
def test_without_any_of_it_nothing_is_scored_and_with_it_again_it_is(what: str) -> None:
    table, seqs = scored()
    back = table.retract(seqs[what])
    assert table.points == {1: 0, 2: 0, 3: 0}
    table.retract(back)
    table.stands(points={1: 1, 2: 0, 3: 0}, misplays=[])


def test_a_card_of_the_callers_hand_taken_back_takes_the_series_with_it() -> None:
    table, seqs = scored()
    table.retract(seqs["mine"])
    table.stands(misplays=[seqs["series"]], unread=[1])
    table.acts("!1: R4; 1: R3; 1: series best; 1: series best")
    assert table.points == {1: 1, 2: 0, 3: 0}


def test_another_series_is_told_instead() -> None:
    table, seqs = scored()
    table.retract(seqs["series"])
    table.series(1, "")
    table.stands(points={1: 0, 2: 1, 3: 1}, misplays=[])


def test_another_row_card_is_told_instead() -> None:
    table = opened()
    row = 3
    table.retract(row)
    assert table.wants_row
    table.acts("row: O11; 1: series P4 P6 P7 P9 P11")


def test_without_the_call_the_next_press_calls() -> None:
    table = Table()
    call = table.press(1)
    table.press(2)
    table.retract(call)
    table.tap("row", ROW)
    table.hands({2: TWO, 1: THIRTYTWO, 3: SEVENTEEN})
    table.series(2)
    assert table.points == {1: 0, 2: 1, 3: 0}


def test_of_a_card_read_twice_the_second_reading_stands_for_the_first() -> None:
    table = called()
    first = table.tap(3, "T1")
    table.tap(3, "T1")
    table.retract(first)
    table.tap(3, SEVENTEEN.removeprefix("T1 "))
    table.stands(unread=[1, 2], misplays=[])


def test_a_thirteenth_card_is_read_when_another_is_taken_back() -> None:
    table = called()
    table.tap(1, TWO.removesuffix(" R2"))
    mistaken = table.tap(1, "R9")
    table.tap(1, "R2")
    table.retract(mistaken)
    table.stands(unread=[2, 3], misplays=[])


def test_on_the_shared_reader_a_card_taken_back_after_the_next_press_is_tapped_after_another_press() -> None:
    table = called()
    last = table.claim(2, THIRTYTWO)
    table.claim(3, "T1 T2")
    table.retract(last)
    table.acts(f"2: claim K5; 3: claim {SEVENTEEN.removeprefix('T1 T2 ')}")
    assert table.unread == [1]


def test_a_retraction_in_an_earlier_round_is_judged_through_all_later_ones() -> None:
    table = Table()
    void = table.say(2, "last-row")
    table.round(ALL_THREE)
    table.round(ALL_THREE)
    table.retract(void)
    assert table.points == {1: 2, 2: 0, 3: 0}


def test_a_turn_taken_back_in_the_middle_leaves_the_next_out_of_turn() -> None:
    table = tracked()
    take = table.tap(1, "N1")
    later = [table.tap("discard", "N1"), table.tap(2, "N2")]
    table.retract(take)
    table.stands(misplays=later, takers=[1])


def test_a_call_taken_back_lets_the_turns_go_on() -> None:
    table = tracked().acts("1: N1; discard: N1")
    table.retract(table.press(1))
    table.acts("2: N2; discard: N2")
    assert table.callers == [2]
