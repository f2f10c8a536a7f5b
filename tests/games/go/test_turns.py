"""Where the table tracks turns: whose turn it is, what is taken and what is thrown away."""

from companion.kit.table_for_tests import cases
from tests.games.go.table import ROW, TWO, Table, tracked

ROUND = "1: N1; discard: N1; 2: N2; discard: N2; 3: N4; discard: N4; "


def test_the_turn_goes_round_clockwise() -> None:
    table = tracked(5, 6, 2)
    order = []
    for card in ("N1", "N2", "N3", "N4"):
        (seat,) = table.takers
        order.append(seat)
        table.turn(seat, card, card)
    assert order == [5, 6, 2, 5]
    assert table.misplays == []


@cases(
    "acts, takers",
    ("neither the row card nor the first discard need be told", "1: N1; discard: N2", [2]),
    ("they may be told in either order", f"row: {ROW}; discard: V3", [1]),
    ("exactly one card is taken", "1: N1; !1: N2", []),
    ("after void", f"discard: V3; row: {ROW}; host: void; discard: G1; row: G2; 1: V3; discard: K11", [2]),
)
def test_a_round_begins(acts: str, takers: list[int]) -> None:
    assert Table(tracking="turns").acts(acts).takers == takers


@cases(
    "acts, takers",
    ("a card taken out of turn is a misplay", "!2: N1; !3: N1", [1]),
    ("the card last seen on the discard", "1: V3; discard: N1; 2: N1; discard: N2", [3]),
    ("the card last seen on the row", "1: Y9; row: G7; discard: N1; 2: G7; row: G8; discard: N2", [3]),
    ("one card a turn", "1: N1; !1: N2; !2: N3; discard: N1", [2]),
    ("a card deeper in the discard is not taken", f"{ROUND}!1: V3; !1: N1; !1: N2; 1: N4", []),
    ("nor a card of another game", "!1: gangster-1; !1: red-17; !prison: O8", [1]),
    (
        "the one just taken too, wherever it came from",
        "1: N1; discard: N1; 2: N1; discard: N1; 3: Y9; row: G7; discard: Y9; 1: Y9; discard: Y9",
        [2],
    ),
    ("nothing twice in a turn", "1: N1; discard: B5; !discard: B6; 2: B5; discard: N2", [3]),
    ("one open row card at a time", "!row: G7; 1: N1; discard: N1; !row: G7; 2: Y9; row: G7; !row: G8", []),
    ("what lies on the row is not thrown away", "1: N1; !discard: Y9; discard: N1", [2]),
)
def test_a_turn(acts: str, takers: list[int]) -> None:
    assert tracked(discard="V3", row="Y9").acts(acts).takers == takers


def test_where_turns_are_not_tracked_nothing_is_taken_or_thrown_away() -> None:
    table = Table(tracking="calls").acts("!1: N1; !discard: N1; !row: Y9")
    assert table.callers == [1, 2, 3]


# The last row card.


@cases(
    "acts, takers",
    ("it voids the round at once and its taker begins", "1: N1; discard: N1; 2: Y9; 2: last-row", [2]),
    ("nobody calls any more", "1: Y9; 1: last-row; !1: press", [1]),
    ("by its taker", "1: N1; discard: N1; 2: Y9; !1: last-row; !3: last-row; !host: last-row; !5: last-row", []),
    ("who took no row card took not the last", "!1: last-row; 1: N1; !1: last-row; discard: N1; !1: last-row", [2]),
    ("it is not taken while one lies open", "1: Y9; row: R4; !1: last-row; discard: Y9; !1: last-row", [2]),
    ("its taker may say so once it is discarded", "1: Y9; discard: Y9; 1: last-row", [1]),
)
def test_the_last_row_card(acts: str, takers: list[int]) -> None:
    table = tracked(row="Y9").acts(acts)
    table.stands(takers=takers, points={1: 0, 2: 0, 3: 0})


def test_ig_13_the_last_row_card() -> None:
    table = tracked(1, 2, discard="V3", row="Y9")
    table.turn(1, "T11", "T11")
    row = ["Y9", "N9", "V9", "R9", "G9", "Y8"]
    for number, card in enumerate(row):
        table.turn(2 - number % 2, card, card, opened=[*row, "N8"][number + 1])
    for act in ("2: N8", "2: last-row"):
        table.acts(act).stands(takers=[2], points={1: 0, 2: 0})


# The last pile card.


@cases(
    "acts, answers",
    ("its taker does not call at once", "1: N1; 1: last-pile", {"unread": []}),
    ("but by throwing away", "1: N1; 1: last-pile; 1: last-pile; discard: N4", {"unread": [1, 2, 3]}),
    ("a press before is no call", "1: N1; 1: last-pile; !1: press; discard: N4", {"unread": [1, 2, 3]}),
    ("or claims", f"1: N1; 1: last-pile; discard: N1; 1: press; 1: press; centre: {TWO}", {"unread": [2, 3]}),
    ("it may be said after the discard too", "1: N1; discard: N1; 1: last-pile", {"unread": [1, 2, 3]}),
    ("by its taker", "1: N1; !2: last-pile; !3: last-pile; !host: last-pile; discard: N1", {"takers": [2]}),
    ("who took no card took not the last", "!1: last-pile", {"takers": [1]}),
    ("nor from the discard", "1: V3; !1: last-pile; discard: N1", {"takers": [2]}),
)
def test_the_last_pile_card(acts: str, answers: dict[str, list[int]]) -> None:
    tracked(discard="V3", row="Y9").acts(acts).stands(**answers)
