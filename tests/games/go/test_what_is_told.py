"""What the judge tells of a misplay: why it is one, and who is told."""

from collections.abc import Callable

import pytest

from tests.games.go.table import ROW, SEVENTEEN, THIRTYTWO, TWO, Table, called, opened, tracked

Begin = Callable[[], Table]
THROWN = "1: N1; discard: N1"


def pressed() -> Table:
    """Somebody has called, the row card is not told."""
    return Table().acts("1: press")


@pytest.mark.parametrize(
    ("begin", "acts", "code", "to"),
    [
        (Table, "!1: O1", "nobody-called", 1),
        (Table, "!row: K11", "nobody-called", None),
        (Table, "!1: series best", "not-now-series", None),
        (Table, "!1: void", "only-host-voids", None),
        (Table, "!host: last-row", "only-taker-says", None),
        (Table, "!host: last-pile", "only-taker-says", None),
        (called, "!1: last-row", "not-now-last-row", None),
        (called, "!2: last-pile", "not-now-last-pile", None),
        (called, "!row: O11", "row-known", None),
        (called, "!centre: O1", "whose-card", None),
        (called, "!discard: O1", "wrong-pad-for-hands", None),
        (called, "!2: K11", "is-row-card", 2),
        (called, "2: B1; !3: B1", "read-elsewhere", 3),
        (called, "!2: series best", "only-caller-tells-series", None),
        (called, "!1: series best", "series-before-hand", None),
        (pressed, f"1: {TWO}; !1: series best", "series-before-row", None),
        (pressed, f"1: {TWO}; !row: O1", "row-card-in-hand", None),
        (opened, "!2: O1", "in-callers-hand", 2),
        (opened, "!1: N1", "hand-is-complete", 1),
        (opened, "1: series O1; !1: series O1", "series-is-told", None),
        (tracked, "!2: N1", "not-your-turn", 2),
        (tracked, "1: N1; !1: N2", "taken-already", 1),
        (tracked, f"{THROWN}; !2: V3", "not-the-top", 2),
        (tracked, "!discard: N1", "take-first", None),
        (tracked, f"1: N1; !discard: {ROW}", "lies-on-the-row", None),
        (tracked, "!row: N1", "row-known", None),
        (tracked, "!centre: N1", "wrong-pad-for-turns", None),
        (tracked, "!1: press", "take-before-call", None),
        (tracked, "1: N1; !1: press", "discard-before-call", None),
        (tracked, f"{THROWN}; !3: press", "not-your-call", None),
        (tracked, "1: N1; !1: last-row", "not-now-last-row", None),
        (tracked, "!1: last-pile", "not-now-last-pile", None),
        (tracked, "1: K11; !row: V3", "on-the-discard", None),
        (tracked, "1: V3; discard: N1; 2: N2; !discard: V3", "taken-by-other", None),
        (tracked, f"{THROWN}; 1: press; !2: N1", "on-the-discard", 2),
    ],
)
def test_why_an_act_is_refused(begin: Begin, acts: str, code: str, to: int | None) -> None:
    misplay = begin().acts(acts).match.misplays[-1]
    assert (misplay.code, misplay.to) == (code, to)


@pytest.mark.parametrize(
    ("begin", "acts", "codes"),
    [
        (Table, "1: press; row: K11", ["called", "row-card"]),
        (Table, "1: last-pile; centre: K11", ["called-last-pile", "row-card"]),
        (called, "2: press", ["called", "row-card", "reading"]),
        (pressed, "2: K11; row: K11", ["called", "row-card", "row-card-in-your-hand"]),
        (Table, "2: last-row; host: void", ["void-row", "void-host"]),
        (tracked, "1: K11; row: Y9; discard: N1", ["discard-open", "row-open", "took-row", "row-open", "discarded"]),
        (tracked, "1: V3; discard: N1; 2: N2", ["discard-open", "row-open", "took-discard", "discarded", "took-pile"]),
        (
            tracked,
            "1: N1; 1: last-pile; discard: N2",
            ["discard-open", "row-open", "took-pile", "must-call", "discarded", "called-last-pile"],
        ),
    ],
)
def test_what_is_ruled(begin: Begin, acts: str, codes: list[str]) -> None:
    assert [verdict.code for verdict in begin().acts(acts).match.verdicts] == codes


@pytest.mark.parametrize(("series", "code"), [("best", "scored-caller"), ("", "scored-others")])
def test_who_scored_is_told(series: str, code: str) -> None:
    table = opened().acts(f"1: series {series}; 2: {THIRTYTWO}; 3: {SEVENTEEN}")
    scored = table.match.verdicts[-1]
    assert scored.code == code
    assert scored.facts["seats"] == tuple(seat for seat, points in table.points.items() if points)


@pytest.mark.parametrize(
    ("acts", "turn"),
    [
        ("", {"active": 1, "took": None, "card": None, "row": "grey-11", "row_left": 8, "discard": "violet-3"}),
        ("1: N1", {"active": 1, "took": "pile", "card": None, "row_left": 8, "may_call": None, "must_call": False}),
        ("1: N1; 1: last-pile", {"must_call": True}),
        ("1: V3", {"took": "discard", "card": "violet-3", "discard": None}),
        ("1: K11", {"took": "row", "card": "grey-11", "row": None, "row_left": 7}),
        (THROWN, {"active": 2, "took": None, "may_call": 1, "discard": "brown-1"}),
    ],
)
def test_what_everybody_sees_of_a_turn(acts: str, turn: dict[str, object]) -> None:
    match = tracked().acts(acts).match
    seen = match.game.view(match.state, None)["turn"]
    assert {name: seen[name] for name in turn} == turn


@pytest.mark.parametrize(
    ("begin", "acts", "code", "seats"),
    [
        (Table, "1: press", "now-row", (1,)),
        (called, "2: B1", "now-hands", (1, 2, 3)),
        (opened, f"2: {THIRTYTWO}", "now-series-and-hands", (1, 3)),
        (opened, f"2: {THIRTYTWO}; 3: {SEVENTEEN}", "now-series", (1,)),
        (opened, "1: series best", "now-other-hands", (2, 3)),
        (tracked, "", "now-take", (1,)),
        (tracked, "1: N1", "now-discard", (1,)),
        (tracked, "1: N1; 1: last-pile", "now-discard-and-call", (1,)),
        (tracked, THROWN, "now-take-or-call", (2,)),
    ],
)
def test_what_the_table_waits_for(begin: Begin, acts: str, code: str, seats: tuple[int, ...]) -> None:
    match = begin().acts(acts).match
    now = match.game.now(match.state)
    assert now.code == code
    assert set(now.seats) == set(seats)
