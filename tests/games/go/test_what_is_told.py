"""What the judge tells of a misplay: why it is one, and who is told."""

from collections.abc import Callable

import pytest

from companion.game import NOBODY
from tests.games.go.table import ROW, TWO, Table, called, opened, tracked

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
        (called, "!2: K11", "is-row-card", NOBODY),
        (called, "2: B1; !3: B1", "read-elsewhere", NOBODY),
        (called, "!2: series best", "only-caller-tells-series", None),
        (called, "!1: series best", "series-before-hand", None),
        (pressed, f"1: {TWO}; !1: series best", "series-before-row", None),
        (pressed, f"1: {TWO}; !row: O1", "row-card-in-hand", None),
        (opened, "!2: O1", "in-callers-hand", NOBODY),
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
        (tracked, f"{THROWN}; 1: press; !2: N1", "on-the-discard", NOBODY),
    ],
)
def test_why_an_act_is_refused(begin: Begin, acts: str, code: str, to: int | None) -> None:
    misplay = begin().acts(acts).match.misplays[-1]
    assert (misplay.code, misplay.to) == (code, to)


@pytest.mark.parametrize(
    ("acts", "turn"),
    [
        ("", {"active": 1, "took": None, "card": None, "row": "grey-11", "row_left": 8, "discard": "violet-3"}),
        ("1: N1", {"took": "pile", "card": None, "row_left": 8, "may_call": None, "must_call": False}),
        ("1: V3", {"took": "discard", "card": "violet-3", "discard": None}),
        ("1: K11", {"took": "row", "card": "grey-11", "row": None, "row_left": 7}),
        (THROWN, {"active": 2, "took": None, "may_call": 1, "discard": "brown-1"}),
    ],
)
def test_what_everybody_sees_of_a_turn(acts: str, turn: dict[str, object]) -> None:
    assert turn.items() <= tracked().acts(acts).view["turn"].items()
