"""The hands: twelve cards at each seat, or on one shared reader, each to whoever pressed for it."""

import itertools
from collections.abc import Callable

import pytest

from companion.kit.table_for_tests import cases
from tests.games.go.table import ALL_THREE, ROW, SEVENTEEN, THIRTYTWO, TWO, Table, called, opened

Begin = Callable[[], Table]


def pressed() -> Table:
    """Somebody has called, the row card is not told."""
    return Table().acts("1: press")


@pytest.mark.parametrize("order", [*itertools.permutations((1, 2, 3))])
def test_the_hands_may_be_tapped_in_any_order(order: tuple[int, ...]) -> None:
    table = called()
    table.hands({seat: ALL_THREE[seat] for seat in order})
    table.series(1)
    table.stands(points={1: 1, 2: 0, 3: 0}, misplays=[])


MOST = THIRTYTWO.removesuffix(" K4")


@cases(
    "begin, acts, unread",
    ("a thirteenth card is a misplay, ig-17-thirteen", opened, f"!1: R3; 2: {THIRTYTWO}; !2: B11", [3]),
    ("and belongs to whoever holds it", opened, f"!1: R4; 2: {THIRTYTWO}; 3: {SEVENTEEN}", []),
    ("the same card at two seats, ig-18", opened, f"2: {THIRTYTWO}; !3: Y9; 3: {SEVENTEEN}", []),
    ("a card of the caller's hand is in no other", opened, f"!2: O1; 2: {MOST}", [2, 3]),
    ("nor is one of an incomplete hand", called, "2: B1 B2 B3; !1: B2; !3: B2", [1, 2, 3]),
    ("nor one at another pad", called, f"2: press; !prison: {MOST}; !discard: {MOST}", [1, 2, 3]),
    ("the call claims no cards", called, "!centre: O1", [1, 2, 3]),
    ("the caller presses again for their hand", called, f"1: press; centre: {TWO}", [2, 3]),
    ("the first there is the row card", pressed, f"2: press; centre: {ROW}; centre: {THIRTYTWO}", [1, 3]),
    ("after the twelfth nobody has claimed the next", called, f"1: claim {TWO}; !centre: B1", [2, 3]),
    ("read twice is one of twelve", called, f"2: claim B1 B1 B2 B1; centre: {THIRTYTWO}; !centre: N1", [1, 3]),
    ("another press takes it over", called, f"2: claim B1 B2; 3: claim {SEVENTEEN}; !centre: N1", [1, 2]),
    ("a complete hand claims nothing", opened, f"2: claim B1 B2; 1: press; centre: {THIRTYTWO}", [3]),
    ("it ends with the round", called, f"2: claim B1; host: void; 1: press; centre: {ROW}; !centre: B4", [1, 2, 3]),
    ("the row card may be read twice there", pressed, f"centre: {ROW}; 2: claim B1 {ROW}", [1, 2, 3]),
    ("so may the caller's open hand", opened, f"centre: {TWO}; !centre: N1", [2, 3]),
    ("one card at seat and reader is one", called, f"2: claim B1; 2: B1 {MOST}", [1, 2, 3]),
    (
        "read again it is not the next one's",
        called,
        f"2: claim {THIRTYTWO}; 3: press; centre: K4; centre: {SEVENTEEN}",
        [1],
    ),
    ("in the next round anew", opened, f"!2: O1; host: void; 1: press; row: {ROW}; 2: O1; !1: O1", [1, 2, 3]),
)
def test_what_is_read(begin: Begin, acts: str, unread: list[int]) -> None:
    assert begin().acts(acts).unread == unread
