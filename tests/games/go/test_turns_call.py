"""Where the table tracks turns: the row colour, the call at the end of one's own turn, the next round."""

from companion.kit.table_for_tests import cases
from tests.games.go.table import ROW, SEVENTEEN, THIRTYTWO, TWO, play_out, tracked


def test_the_row_card_newly_open_gives_the_row_colour() -> None:
    """ig-12."""
    table = tracked(1, 2, discard="V3", row="Y9")
    table.acts("!2: K8; 1: Y9; row: G7; !1: press; discard: Y9; 1: press; 1: G4 G5 Y2 Y3 Y8 Y10 O1 O4 O5 O6 O7 R2")
    table.acts("1: series best; 2: T1 T2 T3 T5 T6 T7 T8 T9 T10 B4 N4 Y1")
    assert table.points == {1: 1, 2: 0}


@cases(
    "row, acts",
    ("the new one is told after the discard", "O1", f"1: O1; discard: N1; row: {ROW}; 1: press"),
    ("or after the call", "O1", f"1: O1; discard: N1; 1: press; row: {ROW}"),
    ("a card taken is no more open", "G8", f"1: G8; row: {ROW}; discard: N1; 1: press"),
    ("it was not told at all", "", f"1: N1; discard: N1; 1: press; row: {ROW}"),
    ("kept", ROW, "1: O1; discard: N1; 2: B1; discard: N2; 3: T1; discard: N4; 1: O2; discard: N5; 1: press"),
    ("after the call nobody takes a card", ROW, f"1: N1; discard: N1; 1: press; 2: {THIRTYTWO}"),
)
def test_the_row_colour_is_asked_for_where_it_is_not_tracked(row: str, acts: str) -> None:
    table = tracked(row=row).acts(acts)
    assert not table.wants_row
    play_out(table).stands(points={1: 1, 2: 0, 3: 0}, misplays=[])


# The call.


@cases(
    "acts, answers",
    ("not before the first card is taken", "!1: press; !2: press; !3: press", {"takers": [1]}),
    ("nor before the discard", "1: N1; !1: press; !2: press; !3: press", {"wants_discard": True}),
    ("only who has just discarded", "1: N1; discard: N1", {"callers": [1]}),
    ("on the first turn", "1: N1; discard: N1; !2: press; !3: press; 1: press", {"unread": [1, 2, 3]}),
    ("not when the next has taken", "1: N1; discard: N1; 2: N2; !1: press; discard: N2", {"callers": [2]}),
    ("the discard's top is in no hand", "1: N1; discard: N1; 1: press; !2: N1", {"unread": [1, 2, 3]}),
)
def test_the_call(acts: str, answers: dict[str, object]) -> None:
    tracked().acts(acts).stands(**answers)


# The next round.


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


def test_the_card_that_ended_the_round_is_taken_only_when_something_else_has_happened() -> None:
    """Its reader may sense it once more; but it has been shuffled, and may come again."""
    table = tracked(1, 2, caller_series="auto").acts(f"1: N1; discard: N1; 1: press; 2: {THIRTYTWO}; 1: {TWO}; 1: R2")
    table.stands(points={1: 1, 2: 0}, takers=[1])
    table.acts("discard: V3; 1: R2; discard: R2")
    assert table.takers == [2]
