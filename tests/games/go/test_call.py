"""The call and the row colour, where turns are not tracked; the last cards; a void round."""

from collections.abc import Callable

import pytest

from companion.kit.table_for_tests import cases
from tests.games.go.table import ROW, SEVENTEEN, THIRTYTWO, TWO, Table, called, opened

Begin = Callable[[], Table]
THEN = f"row: {ROW}; 1: {TWO}; 2: {THIRTYTWO}; 3: {SEVENTEEN}; 1: series best"


@pytest.mark.parametrize("seat", [1, 2, 3])
@pytest.mark.parametrize("word", ["press", "last-pile"])
def test_whoever_presses_or_took_the_last_pile_card_calls(seat: int, word: str) -> None:
    table = Table()
    table.stands(callers=[1, 2, 3], unread=[])
    table.acts(f"{seat}: {word}; row: {ROW}")
    assert table.unread == [1, 2, 3]
    other_seats = [other for other in (1, 2, 3) if other != seat]
    table.hands({seat: TWO, other_seats[0]: THIRTYTWO, other_seats[1]: SEVENTEEN})
    table.series(seat)
    assert table.points == {seat: 1, other_seats[0]: 0, other_seats[1]: 0}


@pytest.mark.parametrize("card", ["O1", "K11", "gangster-1"])
@pytest.mark.parametrize("spot", [1, "centre", "row"])
def test_a_card_before_the_call_is_a_misplay(card: str, spot: int | str) -> None:
    assert Table().acts(f"!{spot}: {card}").callers == [1, 2, 3]


@cases(
    "begin, acts",
    ("a card before it is judged anew after it", Table, f"!row: {ROW}; !1: O1; 1: press; {THEN}"),
    ("after the call nobody else calls", Table, f"1: press; 2: press; 3: press; 1: press; {THEN}"),
    ("the caller's last pile card changes nothing", Table, f"1: press; 1: last-pile; {THEN}"),
    ("hands may be tapped before the row card", Table, f"1: press; 2: {THIRTYTWO}; {THEN}"),
    ("these pads know no row card", Table, f"1: press; !discard: R11; !prison: R11; {THEN}"),
    ("no card of another game has a colour", Table, f"1: press; !row: gangster-1; !centre: purple-1; {THEN}"),
    ("the row colour is told once", called, f"!row: O11; !centre: O11; {THEN}"),
    ("but anew in every round", opened, f"!row: B11; {THEN}; 1: press; row: O11"),
    ("the open row card is in no hand", called, f"!1: {ROW}; !2: {ROW}; {THEN}"),
    ("no last card after it", called, f"!2: last-pile; !3: last-pile; !1: last-row; !2: last-row; {THEN}"),
    ("only the host says void", opened, f"!1: void; !2: void; !3: void; {THEN}"),
    ("the last row card voids the round", Table, f"2: last-row; 1: press; {THEN}"),
    ("the host took no card", Table, f"!host: last-pile; !host: last-row; !5: last-pile; 1: press; {THEN}"),
    ("void in the middle of a hand", called, f"1: claim O1 O2 O3; host: void; 1: press; {THEN}"),
    ("void after the series", opened, f"1: series best; 3: claim T1 T2; host: void; 1: press; {THEN}"),
)
def test_the_round_goes_on(begin: Begin, acts: str) -> None:
    assert begin().acts(acts).points == {1: 1, 2: 0, 3: 0}


def test_whoever_called_earlier_on_the_tables_clock_learned_of_later_does_not_call() -> None:
    """A call is no race: it comes at the end of one's own turn."""
    table = Table()
    table.press(2, at=110.0)
    table.press(1, at=109.0)
    table.acts(f"row: {ROW}; 2: {TWO}; 2: series best; 1: {THIRTYTWO}; 3: {SEVENTEEN}")
    assert table.points == {1: 0, 2: 1, 3: 0}


# A round that cannot be mended.


def test_a_void_round_scores_nothing_and_forgets_all_that_was_read() -> None:
    table = opened().acts(f"1: series best; 2: {THIRTYTWO}; host: void")
    table.stands(points={1: 0, 2: 0, 3: 0}, unread=[], callers=[1, 2, 3])
    table.acts(f"2: press; row: O11; 1: {THIRTYTWO}; 2: {TWO}; 3: {SEVENTEEN}; 2: series P4 P6 P7 P9 P11")
    assert sum(points or 0 for points in table.points.values()) > 0
