"""Where the table tracks turns: whose turn it is, what is taken and what is thrown away."""

import pytest

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


@pytest.mark.parametrize(
    ("acts", "takers"),
    [
        pytest.param("1: N1; discard: N2", [2], id="neither the row card nor the first discard need be told"),
        pytest.param(f"row: {ROW}; discard: V3", [1], id="they may be told in either order"),
        pytest.param("1: N1; !1: N2", [], id="exactly one card is taken"),
        pytest.param(
            f"discard: V3; row: {ROW}; host: void; discard: G1; row: G2; 1: V3; discard: K11", [2], id="after void"
        ),
    ],
)
def test_a_round_begins(acts: str, takers: list[int]) -> None:
    assert Table(tracking="turns").acts(acts).takers == takers


@pytest.mark.parametrize(
    ("acts", "takers"),
    [
        pytest.param("!2: N1; !3: N1", [1], id="a card taken out of turn is a misplay"),
        pytest.param("1: V3; discard: N1; 2: N1; discard: N2", [3], id="the card last seen on the discard"),
        pytest.param(
            "1: Y9; row: G7; discard: N1; 2: G7; row: G8; discard: N2", [3], id="the card last seen on the row"
        ),
        pytest.param("1: N1; !1: N2; !2: N3; discard: N1", [2], id="one card a turn"),
        pytest.param(f"{ROUND}!1: V3; !1: N1; !1: N2; 1: N4", [], id="a card deeper in the discard is not taken"),
        pytest.param("!1: gangster-1; !1: red-17; !prison: O8", [1], id="nor a card of another game"),
        pytest.param(
            "1: N1; discard: N1; 2: N1; discard: N1; 3: Y9; row: G7; discard: Y9; 1: Y9; discard: Y9",
            [2],
            id="the one just taken too, wherever it came from",
        ),
        pytest.param("1: N1; discard: B5; !discard: B6; 2: B5; discard: N2", [3], id="nothing twice in a turn"),
        pytest.param(
            "!row: G7; 1: N1; discard: N1; !row: G7; 2: Y9; row: G7; !row: G8", [], id="one open row card at a time"
        ),
        pytest.param("1: N1; !discard: Y9; discard: N1", [2], id="what lies on the row is not thrown away"),
    ],
)
def test_a_turn(acts: str, takers: list[int]) -> None:
    assert tracked(discard="V3", row="Y9").acts(acts).takers == takers


def test_where_turns_are_not_tracked_nothing_is_taken_or_thrown_away() -> None:
    table = Table(tracking="calls").acts("!1: N1; !discard: N1; !row: Y9")
    assert table.callers == [1, 2, 3]


# The last row card.


@pytest.mark.parametrize(
    ("acts", "takers"),
    [
        pytest.param(
            "1: N1; discard: N1; 2: Y9; 2: last-row", [2], id="it voids the round at once and its taker begins"
        ),
        pytest.param("1: Y9; 1: last-row; !1: press", [1], id="nobody calls any more"),
        pytest.param(
            "1: N1; discard: N1; 2: Y9; !1: last-row; !3: last-row; !host: last-row; !5: last-row",
            [],
            id="by its taker",
        ),
        pytest.param("!1: last-row; 1: N1; !1: last-row", [], id="who took no row card took not the last"),
    ],
)
def test_the_last_row_card(acts: str, takers: list[int]) -> None:
    table = tracked(row="Y9").acts(acts)
    table.stands(takers=takers, points={1: 0, 2: 0, 3: 0})


# The last pile card.


@pytest.mark.parametrize(
    ("acts", "answers"),
    [
        pytest.param("1: N1; 1: last-pile", {"unread": []}, id="its taker does not call at once"),
        pytest.param(
            "1: N1; 1: last-pile; 1: last-pile; discard: N4", {"unread": [1, 2, 3]}, id="but by throwing away"
        ),
        pytest.param(
            "1: N1; 1: last-pile; !1: press; discard: N4", {"unread": [1, 2, 3]}, id="a press before is no call"
        ),
        pytest.param(
            f"1: N1; 1: last-pile; discard: N1; 1: press; 1: press; centre: {TWO}", {"unread": [2, 3]}, id="or claims"
        ),
        pytest.param(
            "1: N1; discard: N1; 1: last-pile", {"unread": [1, 2, 3]}, id="it may be said after the discard too"
        ),
        pytest.param(
            "1: N1; !2: last-pile; !3: last-pile; !host: last-pile; discard: N1", {"takers": [2]}, id="by its taker"
        ),
        pytest.param("!1: last-pile", {"takers": [1]}, id="who took no card took not the last"),
        pytest.param("1: V3; !1: last-pile; discard: N1", {"takers": [2]}, id="nor from the discard"),
    ],
)
def test_the_last_pile_card(acts: str, answers: dict[str, list[int]]) -> None:
    tracked(discard="V3", row="Y9").acts(acts).stands(**answers)


# A void round.
