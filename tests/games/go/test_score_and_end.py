"""Who gets the point, the perfect ¡Go!, and the end."""

import pytest

from companion.kit.table_for_tests import cases
from companion.words import Words
from tests.games.go.table import ALL_THREE, PERFECT, ROW, SEVENTEEN, THIRTYTWO, TWO, Table, called

FIVE = "O1 O2 O3 O4 O5 O6 O7 O8 O9 R5 K1 K2"
SERIES = "O1 O2 O3 O4 O5 O6 O7 O8 O9"
BO = "T1 T2 T3 T5 T6 T7 T8 T9 T10 V4 G{} K3"
CLEO = "B1 B2 B3 B5 B6 B7 B8 B9 B10 Y4 N{} K4"
"""Hands that leave what stands in the braces: 1 to 3 or 5 to 10."""
NOTHING_LEFT = "B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 K4"


@cases(
    "bo, cleo, points",
    ("the caller with least gets the point", 6, 7, (1, 0, 0)),
    ("so does who has as much", 5, 7, (0, 1, 0)),
    ("several may get it", 1, 2, (0, 1, 1)),
    ("a round gives at least one point", 10, 10, (1, 0, 0)),
)
def test_the_caller_has_five(bo: int, cleo: int, points: tuple[int, ...]) -> None:
    table = Table()
    table.round({1: FIVE, 2: BO.format(bo), 3: CLEO.format(cleo)}, SERIES)
    table.stands(points=dict(zip((1, 2, 3), points, strict=True)), misplays=[])


@cases(
    "bo, cleo, more",
    ("a tie is said", 5, 7, "A tie counts against the caller. Penalty points: Ana 5, Bo 5 and Cléo 7."),
    ("so is one beside less", 5, 2, "A tie counts against the caller. Penalty points: Cléo 2, Ana 5 and Bo 5."),
    (
        "where there is none, nothing",
        3,
        2,
        "Bo and Cléo had less than Ana’s 5. Penalty points: Cléo 2, Bo 3 and Ana 5.",
    ),
)
def test_the_news_begins_with_the_least_and_says_where_a_tie_decided(bo: int, cleo: int, more: str) -> None:
    table = Table()
    table.round({1: FIVE, 2: BO.format(bo), 3: CLEO.format(cleo)}, SERIES)
    ruling = next(verdict for verdict in table.match.verdicts if verdict.code == "scored-others")
    words = Words("go", "en", {1: "Ana", 2: "Bo", 3: "Cléo"})
    assert words.say("news-scored-others-more", ruling.facts) == more


@cases(
    "acts, last",
    ("last card", f"1: {TWO}; 1: series best; 2: {THIRTYTWO}; 3: {SEVENTEEN.removesuffix(' K7')}", "3: K7"),
    ("series", f"1: {TWO}; 2: {THIRTYTWO}; 3: {SEVENTEEN}", "1: series best"),
)
def test_nothing_is_scored_before_the_last_of_it(acts: str, last: str) -> None:
    table = called().acts(acts)
    assert table.points == {1: 0, 2: 0, 3: 0}
    assert table.acts(last).points == {1: 1, 2: 0, 3: 0}


def test_what_a_hand_would_have_left_without_the_callers_gaps_is_told_beside_what_it_has() -> None:
    """Bo alone keeps orange and blue; with Ana's gaps orange goes there, and blue and green are kept."""
    table = Table()
    ana = "O1 O2 O3 O8 O9 R1 Y1 K5 K6 K7 K8 K9"
    bo = "O4 O5 O6 O7 B8 B9 G1 G2 K1 K2 K3 K4"
    table.round({1: ana, 2: bo, 3: "T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 N6"})
    (scored,) = table.view["rounds"]
    assert scored["alone"] == {"2": 3, "3": 6}
    assert [scored["divisions"][seat]["penalty"] for seat in ("2", "3")] == [0, 6]


def test_points_add_up_over_the_rounds() -> None:
    table = Table()
    for hands in (ALL_THREE, {3: TWO, 1: THIRTYTWO, 2: SEVENTEEN}, ALL_THREE):
        table.round(hands)
    table.stands(points={1: 2, 2: 0, 3: 1}, misplays=[])


# A perfect ¡Go!.


def perfect() -> Table:
    """Just before its series is told; seat 3 has a point."""
    table = Table()
    table.round({3: TWO, 1: THIRTYTWO, 2: SEVENTEEN})
    return table.acts(f"1: press; row: {ROW}; 1: {PERFECT}")


@cases(
    "hands",
    ("nobody's hand is read", ""),
    ("one has nothing left either", f"2: {NOTHING_LEFT}; 3: V1 V2; "),
)
def test_a_perfect_go_ends_the_match_at_once_gives_no_point_and_looks_at_no_hand(hands: str) -> None:
    table = perfect().acts(hands)
    assert not table.over
    table.acts("1: series best; !2: N1")
    table.stands(over=True, winners=[1], points={1: 0, 2: 0, 3: 1})


def test_a_perfect_hand_is_not_perfect_with_another_series() -> None:
    table = perfect().acts(f"1: series O1 O2 O3 O4 O5 O6 P7 P8 P9; 2: {THIRTYTWO}; 3: {SEVENTEEN}")
    table.stands(over=False, points={1: 1, 2: 0, 3: 1})


def test_the_proposal_may_be_perfect_without_asking() -> None:
    *most, last = PERFECT.split()
    table = called(caller_series="auto").acts(f"1: {' '.join(most)}")
    assert not table.over
    assert table.acts(f"1: {last}").winners == [1]


# The end.


@pytest.mark.parametrize("options", [{}, {"target": 1}, {"target": 7}], ids=["four points", "one", "seven"])
def test_so_many_points_end_the_match_and_fewer_do_not(options: dict[str, int]) -> None:
    table = Table(**options)
    target = options.get("target", 4)
    for _ in range(target - 1):
        table.round(ALL_THREE)
    table.stands(over=False, winners=[])
    table.round(ALL_THREE)
    table.stands(over=True, winners=[1], points={1: target, 2: 0, 3: 0})
    assert table.match.verdicts[-1].code == "won"


def test_several_may_win_together_and_are_told_in_ascending_order() -> None:
    table = Table(6, 5, 2, target=1)
    table.round({5: FIVE, 6: BO.format(2), 2: CLEO.format(2)}, SERIES)
    table.stands(over=True, winners=[2, 6])
    assert table.match.verdicts[-1].code == "won-together"


def test_everything_after_the_end_is_a_misplay_but_a_card_that_goes_away() -> None:
    table = Table(target=1)
    table.round(ALL_THREE)
    table.acts(
        f"!1: press; !5: press; !row: {ROW}; !1: O8; !centre: gangster-1; !1: series best; !host: void; !1: last-pile"
    )
    table.lift(1, "O1")
    late = table.elapse("round")
    assert table.misplays[-1] == late
    assert table.points == {1: 1, 2: 0, 3: 0}
