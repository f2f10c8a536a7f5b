"""The caller's series: what it may be, who tells it, and when."""

import pytest

from companion.game import Ruling
from tests.games.go.table import PERFECT, SEVENTEEN, THIRTYTWO, TWO, Table, called, opened

BEST = "O1 O2 O3 P4 O5 P6 P7 P9 P11"
OTHERS = f"2: {THIRTYTWO}; 3: {SEVENTEEN}"
WON = {1: 1, 2: 0, 3: 0}


@pytest.mark.parametrize(
    "series", ["best", BEST, "P11 O5 O1 P9 P4 O3 P7 O2 P6"], ids=["proposal", "cards", "any order"]
)
def test_a_series_is_told_by_its_cards_or_is_the_judges_proposal(series: str) -> None:
    assert opened().acts(f"1: series {series}; {OTHERS}").points == WON


@pytest.mark.parametrize("series", ["", "R2", "O1", "P11", "O1 P4", "R2 O1", "O1 O2 O3 P4 O5 P6 P7 P9"])
def test_any_legal_series_may_be_told_however_bad(series: str) -> None:
    table = opened().acts(f"1: series {series}; {OTHERS}")
    assert sum(gained or 0 for gained in table.points.values()) > 0
    assert series or table.points == {1: 0, 2: 1, 3: 1}


@pytest.mark.parametrize("series", ["best", "", "O1"])
@pytest.mark.parametrize(
    "acts", ["", "1: press", "1: press; row: K11", f"1: press; row: K11; 1: {TWO.removesuffix(' R2')}"]
)
def test_it_is_told_after_the_call_the_row_colour_and_the_twelve_cards(acts: str, series: str) -> None:
    Table().acts(acts).acts(f"!1: series {series}")


@pytest.mark.parametrize(
    "acts",
    [f"1: series best; {OTHERS}", f"2: {THIRTYTWO}; 1: series best; 3: {SEVENTEEN}", f"{OTHERS}; 1: series best"],
    ids=["before", "between", "after"],
)
def test_it_is_told_at_any_time_after_them(acts: str) -> None:
    assert opened().acts(acts).points == WON


@pytest.mark.parametrize("speaker", [2, 3, 5, "host"])
@pytest.mark.parametrize("series", ["best", "", "B1 B2"])
def test_only_the_caller_tells_a_series(speaker: int | str, series: str) -> None:
    assert opened().acts(f"{OTHERS}; !{speaker}: series {series}; 1: series best").points == WON


@pytest.mark.parametrize(
    ("series", "why"),
    [
        ("O2 R2", "series-value-twice"),
        ("O1 O1", "series-card-twice"),
        ("O1 O1 O2", "series-card-twice"),
        ("K10 O1", "series-row-colour"),
        ("K3", "series-row-colour"),
        ("K11", "series-not-in-hand"),
        ("B1 O1", "series-not-in-hand"),
        ("O4", "series-not-in-hand"),
        ("O1 P4 R2", "series-colours"),
        ("O1 O2 O3 P4 O5 P6 P7 P9 P11 R2", "series-value-twice"),
        ("O1 gangster-1", "series-is-cards"),
        ("O1 orange-12", "series-is-cards"),
        ("best best", "series-is-cards"),
        (TWO, "series-row-colour"),
    ],
)
def test_a_series_that_cannot_be_is_a_misplay(series: str, why: str) -> None:
    table = opened().acts(f"!1: series {series}")
    assert table.match.misplays[0].code == why
    assert table.acts(f"1: series best; {OTHERS}").points == WON


# Without asking.


@pytest.mark.parametrize("acts", [f"1: {TWO}; {OTHERS}", f"{OTHERS}; 1: {TWO}"], ids=["first", "last"])
def test_the_proposal_may_be_taken_without_asking(acts: str) -> None:
    assert called(caller_series="auto").acts(acts).points == WON


@pytest.mark.parametrize("options", [{}, {"caller_series": "caller"}])
def test_asked_the_proposal_is_not_taken(options: dict[str, str]) -> None:
    assert opened(**options).acts(OTHERS).points == {1: 0, 2: 0, 3: 0}
    assert not opened(PERFECT, **options).over


# A card of the caller's that another hand had first.

TWO_BUT_RED = TWO.removesuffix(" R2")
FIRST_WITH_RED = THIRTYTWO.replace("Y9", "R2")


def short_of_red(series: str) -> Table:
    """The red 2 of the caller, read in seat 2's hand before, has left it once all hands were in."""
    return called().acts(f"2: {FIRST_WITH_RED}; !1: R2; 1: {TWO_BUT_RED} {series}; 3: {SEVENTEEN}")


def penalties(table: Table) -> list[object]:
    return [verdict.facts["penalty"] for verdict in table.match.public if verdict.code.startswith("series-")]


@pytest.mark.parametrize("series", ["; 1: series best", f"; 1: series {BEST}"], ids=["best", "card by card"])
def test_a_series_stands_when_a_card_outside_it_leaves_the_hand(series: str) -> None:
    table = short_of_red(series)
    assert table.unread == [1]
    assert table.acts("1: R3").points == WON
    assert penalties(table) == [2, 3]


def test_best_is_the_best_of_the_hand_as_it_turns_out() -> None:
    """The missing orange 8 joins the series that the judge proposed, and leaves nothing over: a perfect call."""
    assert short_of_red("; 1: series best").acts("1: O8").over


def test_a_series_told_card_by_card_takes_in_no_other_card() -> None:
    table = short_of_red(f"; 1: series {BEST}").acts("1: O8")
    assert penalties(table) == [2, 8]


def test_a_series_is_told_again_if_a_card_of_it_leaves_the_hand() -> None:
    table = called().acts(f"2: {FIRST_WITH_RED.replace('R2', 'O1')}; !1: O1; 1: {TWO.removeprefix('O1 ')}")
    table.acts(f"1: series {BEST}; 3: {SEVENTEEN}; 1: O8")
    assert table.points == {1: 0, 2: 0, 3: 0}
    table.acts("1: series best")
    assert sum(gained or 0 for gained in table.points.values()) > 0


def test_what_is_scored_rests_on_the_series_that_still_stands() -> None:
    table = short_of_red("; 1: series best")
    series_said = table.match.events[-13].seq
    scored = next(verdict for verdict in table.acts("1: R3").match.public if verdict.code.startswith("scored"))
    assert isinstance(scored, Ruling)
    assert series_said in scored.events
