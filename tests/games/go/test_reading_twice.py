"""Which tap is but another reading of a card that still lies there, and which is an act."""

from collections.abc import Callable

import pytest

from tests.games.go.table import ALL_THREE, ROW, SEVENTEEN, THIRTYTWO, TWO, Table, called, opened, tracked

Begin = Callable[[], Table]
MOST, LAST = THIRTYTWO.removesuffix(" K4"), "K4"


def pressed() -> Table:
    """Somebody has called, the row card is not told."""
    return Table().acts("1: press")


@pytest.mark.parametrize(
    ("begin", "acts", "unread"),
    [
        pytest.param(called, f"2: B1 B1 B1; 2: {MOST}", [1, 2, 3], id="a card read twice is in the hand once"),
        pytest.param(called, f"2: B1 B1 B1; 2: {MOST}; 2: {LAST}", [1, 3], id="and twelve make a hand"),
        pytest.param(
            called,
            f"2: B1; 1: {TWO}; 1: series best; !2: O1; 2: press; 2: B1; 2: {THIRTYTWO}",
            [3],
            id="whatever came between",
        ),
        pytest.param(
            opened, f"1: R2; 1: {TWO}; 1: series best; 1: O1", [2, 3], id="in a complete hand it is no thirteenth"
        ),
        pytest.param(
            called, f"2: press; 2: B1; centre: B1; centre: {MOST}; 2: {MOST}", [1, 2, 3], id="at seat and reader"
        ),
        pytest.param(
            called, f"2: claim {THIRTYTWO} K4 V11; 3: claim {SEVENTEEN}", [1], id="the last of a hand on the reader"
        ),
        pytest.param(
            called,
            f"2: claim {THIRTYTWO}; 3: press; centre: K4; centre: {SEVENTEEN}",
            [1],
            id="it is not the next player's",
        ),
        pytest.param(called, "2: B1; !3: B1; 2: B1", [1, 2, 3], id="a card in another hand does not move"),
        pytest.param(opened, "!2: O1; 2: B1; !2: O1", [2, 3], id="a misplay is judged anew after another tap"),
        pytest.param(opened, "!2: O1; !3: O1", [2, 3], id="and at another place"),
        pytest.param(
            opened, f"!2: O1; host: void; 1: press; row: {ROW}; 2: O1; !1: O1", [1, 2, 3], id="and in the next round"
        ),
        pytest.param(Table, f"!1: O1; 1: press; row: {ROW}; 1: {TWO}", [2, 3], id="and after the call"),
        pytest.param(
            pressed, f"row: {ROW}; centre: {ROW}; 1: claim {ROW} {TWO}", [2, 3], id="the row card at both pads"
        ),
        pytest.param(pressed, f"centre: {ROW}; row: {ROW}; row: {ROW}", [1, 2, 3], id="in either order"),
        pytest.param(
            called,
            "".join(f"{seat}: {hand}; " for seat, hand in ALL_THREE.items()) + "host: void",
            [],
            id="a void round",
        ),
    ],
)
def test_hands(begin: Begin, acts: str, unread: list[int]) -> None:
    table = begin().acts(acts)
    assert table.unread == unread


def test_after_a_void_round_the_same_hands_are_read_again() -> None:
    table = called()
    table.hands(ALL_THREE)
    table.void()
    table.call(1)
    table.hands(ALL_THREE)
    table.series(1)
    table.stands(points={1: 1, 2: 0, 3: 0}, misplays=[])


@pytest.mark.parametrize("target", [1, 4])
def test_the_card_that_ended_the_round_or_the_match_may_be_read_again(target: int) -> None:
    table = opened(target=target)
    table.acts(f"1: series best; 2: {THIRTYTWO}; 3: {SEVENTEEN}; 3: K7")
    assert table.over == (target == 1)


def test_a_card_of_the_last_round_is_no_reading_twice_in_the_next() -> None:
    table = Table()
    table.round(ALL_THREE)
    table.press(1)
    assert table.wants_row
    table.acts(f"row: {ROW}; 1: {TWO}; 1: series best; 2: {THIRTYTWO}; 3: {SEVENTEEN}")
    assert table.points == {1: 2, 2: 0, 3: 0}


# Turns.


@pytest.mark.parametrize(
    ("acts", "takers"),
    [
        pytest.param("1: N1 N1; discard: N2; 1: N1; 2: N4; 1: N1", [], id="a card taken"),
        pytest.param("1: N1; discard: N2; 2: N4; discard: N4; 3: N5; discard: N5; 1: N1", [1], id="drawn and kept"),
        pytest.param("1: N1; discard: N2 N2; 2: N4; discard: N2", [], id="a card discarded"),
        pytest.param("1: N1; discard: N2; 2: N4; discard: N4 N4 N4", [3], id="and not the next one"),
        pytest.param(
            "1: Y7; discard: Y7; 2: Y7; discard: Y7; 3: Y7; discard: Y7", [1], id="thrown back it is an act, ig-22"
        ),
        pytest.param("row: Y9; 1: Y9; row: G7 G7; discard: N1; row: G7; 2: G7", [], id="the open row card"),
        pytest.param("discard: V3; row: Y9; discard: V3", [1], id="the first card on the discard"),
    ],
)
def test_turns(acts: str, takers: list[int]) -> None:
    table = tracked(discard="V3", row="Y9").acts(acts)
    assert table.takers == takers


@pytest.mark.parametrize(
    "acts",
    [
        pytest.param(f"discard: N2; row: {ROW}", id="the top of the discard after the call"),
        pytest.param(f"1: O1; 1: {TWO.removeprefix('O1 ')}", id="a card drawn is read for the hand"),
    ],
)
def test_after_the_call(acts: str) -> None:
    tracked().acts(f"1: O1; discard: N2; 1: press; {acts}")


def test_the_card_that_ended_the_round_is_taken_only_when_something_else_has_happened() -> None:
    """Its reader may sense it once more; but it has been shuffled, and may come again."""
    table = tracked(1, 2, caller_series="auto").acts(f"1: N1; discard: N1; 1: press; 2: {THIRTYTWO}; 1: {TWO}; 1: R2")
    table.stands(points={1: 1, 2: 0}, takers=[1])
    table.acts("discard: V3; 1: R2; discard: R2")
    assert table.takers == [2]
