"""Where the table tracks turns: the row colour, the call at the end of one's own turn, the next round."""

import random

import pytest
from msgspec.structs import replace

from companion.judge.match import judge
from tests.games.go.table import PERFECT, ROW, SEVENTEEN, THIRTYTWO, TWO, play_out, tracked


def test_the_row_card_newly_open_gives_the_row_colour() -> None:
    """ig-12."""
    table = tracked(1, 2, discard="V3", row="Y9")
    table.acts("!2: K8; 1: Y9; row: G7; !1: press; discard: Y9; 1: press; 1: G4 G5 Y2 Y3 Y8 Y10 O1 O4 O5 O6 O7 R2")
    table.acts("1: series best; 2: T1 T2 T3 T5 T6 T7 T8 T9 T10 B4 N4 Y1")
    assert table.points == {1: 1, 2: 0}


@pytest.mark.parametrize(
    ("row", "acts"),
    [
        pytest.param(ROW, "1: N1; discard: N1; 1: press", id="it is known"),
        pytest.param("O1", f"1: O1; discard: N1; row: {ROW}; 1: press", id="the new one is told after the discard"),
        pytest.param("O1", f"1: O1; discard: N1; 1: press; row: {ROW}", id="or after the call"),
        pytest.param("O1", f"1: O1; discard: N1; 1: press; centre: {ROW}", id="or at the centre"),
        pytest.param("G8", f"1: G8; row: {ROW}; discard: N1; 1: press", id="a card taken is no more open"),
        pytest.param("", f"1: N1; discard: N1; 1: press; row: {ROW}", id="it was not told at all"),
        pytest.param("", f"1: N1; discard: N1; 1: press; centre: {ROW}", id="nor tapped at its pad"),
        pytest.param(
            ROW, "1: O1; discard: N1; 2: B1; discard: N2; 3: T1; discard: N4; 1: O2; discard: N5; 1: press", id="kept"
        ),
        pytest.param(ROW, f"1: N1; discard: N1; 1: press; 2: {THIRTYTWO}", id="after the call nobody takes a card"),
    ],
)
def test_the_row_colour_is_asked_for_where_it_is_not_tracked(row: str, acts: str) -> None:
    table = tracked(row=row).acts(acts)
    assert not table.wants_row
    play_out(table).stands(points={1: 1, 2: 0, 3: 0}, misplays=[])


@pytest.mark.parametrize("acts", ["1: N1; discard: N1; 1: press", "1: O1; discard: N1; 1: press"])
def test_while_the_row_card_is_not_told_it_is_asked_for(acts: str) -> None:
    assert tracked(row="O1" if "O1" in acts else "").acts(acts).wants_row


# The call.


@pytest.mark.parametrize(
    ("acts", "answers"),
    [
        pytest.param("!1: press; !2: press; !3: press", {"takers": [1]}, id="not before the first card is taken"),
        pytest.param("1: N1; !1: press; !2: press; !3: press", {"wants_discard": True}, id="nor before the discard"),
        pytest.param("1: N1; discard: N1", {"callers": [1]}, id="only who has just discarded"),
        pytest.param(
            "1: N1; discard: N1; !2: press; !3: press; 1: press", {"unread": [1, 2, 3]}, id="on the first turn"
        ),
        pytest.param(
            "1: N1; discard: N1; 2: N2; !1: press; discard: N2", {"callers": [2]}, id="not when the next has taken"
        ),
        pytest.param(
            "1: N1; discard: N1; 1: press; !2: N1", {"unread": [1, 2, 3]}, id="the discard's top is in no hand"
        ),
        pytest.param(
            f"1: N1; discard: N1; 2: N2; discard: N2; 2: press; 2: {PERFECT}; 2: series best",
            {"winners": [2]},
            id="it may be perfect",
        ),
        pytest.param(
            f"1: N1; discard: N1; 1: press; 1: claim {TWO}; 2: claim {THIRTYTWO}; 3: claim {SEVENTEEN}; 1: series best",
            {"points": {1: 1, 2: 0, 3: 0}},
            id="hands are read on a shared reader too",
        ),
    ],
)
def test_the_call(acts: str, answers: dict[str, object]) -> None:
    tracked().acts(acts).stands(**answers)


def test_nothing_hangs_on_the_clock() -> None:
    table = tracked(1, 2).acts(f"1: N1; discard: N1; 2: N1; !1: press; discard: N1; 2: press; 1: claim {THIRTYTWO}")
    table.acts(f"2: {TWO}; 2: series best; !1: press")
    chance = random.Random(1)
    shaken = judge([replace(event, at=round(chance.uniform(0, 500), 6)) for event in table.match.events])
    assert shaken.outcome == table.match.outcome
    assert shaken.verdicts == table.match.verdicts


def test_a_row_card_taken_and_kept_is_in_its_takers_hand_only() -> None:
    tracked(row="Y9").acts(f"1: Y9; row: {ROW}; discard: N1; 1: press; !2: Y9; 1: Y9")


# The next round.


def test_ig_22_the_caller_begins_the_next_round() -> None:
    table = tracked(2, 3, 5, target=2)
    hands = f"3: {TWO}; 2: {THIRTYTWO}; 5: {SEVENTEEN}; 3: series best"
    table.acts(f"2: Y7; discard: Y7; 3: Y7; discard: Y7; 3: press; {hands}")
    table.stands(points={2: 0, 3: 1, 5: 0}, takers=[3])
    table.acts(f"discard: V3; row: {ROW}; !2: T4; 3: Y7; discard: Y7; 3: press; {hands}")
    table.stands(over=True, winners=[3])


def test_the_caller_begins_the_next_round_also_if_others_scored_and_again_if_it_is_void() -> None:
    table = tracked().acts("1: N1; discard: N1; 2: N1; discard: N1; 2: press")
    table.hands({2: THIRTYTWO, 1: TWO, 3: SEVENTEEN})
    table.series(2)
    table.stands(points={1: 1, 2: 0, 3: 1}, takers=[2])
    table.acts(f"row: {ROW}; 2: N1; discard: N1; 3: N2; discard: N2; 3: press; 3: O1 O2; host: void")
    table.stands(points={1: 1, 2: 0, 3: 1}, takers=[2])


def test_a_new_round_knows_nothing_of_the_old_cards() -> None:
    table = tracked(discard="V3", row=ROW).acts("1: N1; discard: N1; 1: press")
    play_out(table).stands(wants_row=True, wants_discard=True)
    table.acts("discard: O1; row: R2; 1: K11; discard: V3; 2: N1; discard: T1; 2: press")
    table.hands({1: THIRTYTWO, 2: "O2 O3 O4 O5 O6 O7 P8 P9 P10 P11 N1 V7", 3: "G7 G8 G9 G10 G11 Y1 Y2 Y3 Y4 Y5 B9 N7"})
    table.series(2)
    table.stands(points={1: 1, 2: 1, 3: 0}, misplays=[])
