"""How a hand is divided: the row's colour goes, a series goes, a card may be added to the caller's, the rest counts."""

import pytest

from tests.games.go.table import BOX, SEVENTEEN, THIRTYTWO, TWO, Table, penalty

SERIES = "O1 O2 P3 O4 P5 O6 P7 O9 P11"
"""A caller's series in which 8 and 10 are free."""
ORANGE = "O1 O2 O3 O4 O5 O6 O7 O8"
NONE = "G1 G2 G3 G4 G5 G6 G7 G8"
"""A caller's series that helps no hand of these tests: green is kept out of them."""
NINE = "O1 O2 O3 O4 O5 O6 O7 O8 O9"


@pytest.mark.parametrize(
    ("row", "hand", "left"),
    [
        pytest.param("K11", "K1 K2 K3 K4 K5 K6 K7 K8 K10 R5 B6 V7", 5, id="the row's colour is eliminated"),
        pytest.param("K11", "K2 K3 K4 K5 K6 K7 K8 K10 R3 R6 B6 V7", 6, id="whichever card of it"),
        pytest.param("K1", "K2 K3 K4 K5 K6 K7 K8 K10 R3 R6 B6 V7", 6, id="is open"),
        pytest.param("R9", "K2 K3 K4 K5 K6 K7 K8 K10 R3 R6 B6 V7", 13, id="another colour is"),
        pytest.param("K11", "B1 B2 B3 B4 B5 B6 T6 T7 T8 T9 T10 R4", 10, id="blue and lightblue are two colours"),
        pytest.param("B11", "B1 B2 B3 B4 B5 B6 T6 T7 T8 T9 T10 R4", 1, id="blue goes"),
        pytest.param("T11", "B1 B2 B3 B4 B5 B6 T6 T7 T8 T9 T10 R4", 4, id="lightblue goes"),
        pytest.param("K11", "R1 R2 R3 R4 B5 B6 B7 B8 N9 N10 N11 K1", 10, id="a series is of two colours at most"),
        pytest.param("K11", "R1 R2 R3 R4 B5 B6 B7 B8 B9 B10 B11 K1", 1, id="of two it is complete"),
        pytest.param("K11", "R7 B7 N7 V7 T7 K1 K2 K3 K4 K5 K6 K7", 28, id="a series holds each value once"),
        pytest.param("K11", "R2 R11 B5 V3 K1 K2 K3 K4 K5 K6 K7 K8", 3, id="a series need not be complete"),
        pytest.param("K11", "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 N4", 4, id="it may be of one colour"),
        pytest.param(
            "K11", "R1 R2 R3 R4 B1 B2 B3 B4 N11 V10 K1 K2", 20, id="the best colours need not have most cards"
        ),
    ],
)
def test_the_own_series(row: str, hand: str, left: int) -> None:
    assert penalty(hand, NONE, row=row) == left


@pytest.mark.parametrize(
    ("hand", "left"),
    [
        pytest.param("P1 P2 O3 P4 O5 P6 O7 P9 O11 R2 K1 K2", 2, id="the own series may be of the caller's colours"),
        pytest.param("O8 R1 R2 R3 B4 B5 N6 K1 K2 K3 K4 K5", 6, id="a free value of the caller's colours is added"),
        pytest.param("Y8 R1 R2 R3 B4 B5 N6 K1 K2 K3 K4 K5", 12, id="of another colour it is not"),
        pytest.param("O8 P10 R1 R2 R3 B4 B5 N6 K1 K2 K3 K4", 6, id="both colours may be added to"),
        pytest.param("T1 T2 T4 T5 T6 N7 N8 N9 N10 O3 V1 K4", 4, id="a value the caller holds is not added, ig-24"),
        pytest.param("T1 T2 T4 T5 T6 N7 N8 N9 N10 P9 V1 K4", 10, id="whichever of the colours"),
        pytest.param("T1 T2 T4 T5 T6 N7 N8 N9 N10 O11 V1 K4", 12, id="holds it"),
        pytest.param("O10 P10 R1 R2 R3 R4 B5 B6 B7 B8 K1 K2", 10, id="one player adds a value once"),
        pytest.param(
            "O10 P10 P1 P2 O3 P4 P8 P9 P6 V3 V7 K7", 3, id="of two, one is added, one in the own series, ig-03"
        ),
        pytest.param(
            "O10 P10 R1 R2 R3 R4 R5 N6 N7 N8 K1 K2", 10, id="where the own series has no such colour one is left"
        ),
        pytest.param(
            "O8 O10 R8 R10 B1 B2 B3 K1 K2 K3 K4 K5", 1, id="adding pays where the own series would take it too"
        ),
    ],
)
def test_adding_to_the_callers_series(hand: str, left: int) -> None:
    assert penalty(hand, SERIES) == left


@pytest.mark.parametrize(
    ("hand", "beside", "row", "left"),
    [
        pytest.param("O10 R1 R2 B3 B4 N5 K1 K2 K3 K4 K5 K6", ORANGE, "K11", 3, id="a series of one colour is added to"),
        pytest.param("P10 R1 R2 B3 B4 N5 K1 K2 K3 K4 K5 K6", ORANGE, "K11", 8, id="in that colour only"),
        pytest.param("O10 O9 P9 R8 R7 V6 V5 K1 K2 K3 K4 K5", "", "K11", 20, id="an empty one by nobody"),
        pytest.param("O10 O9 P9 R8 R7 V6 V5 K1 K2 K3 K4 K5", "O1", "K11", 9, id="one card is enough"),
        pytest.param(
            "P8 P10 R1 R2 R3 B4 B5 N6 K1 K2 K3 K4", "O1 O2 O4 O6 O9", "P11", 15, id="the row's colour is gone before"
        ),
        pytest.param(THIRTYTWO, "O1 O2 O3 P4 O5 P6 P7 P9 P11", "K11", 32, id="ig-01, the second"),
        pytest.param(SEVENTEEN, "O1 O2 O3 P4 O5 P6 P7 P9 P11", "K11", 17, id="ig-01, the third"),
        pytest.param("T1 T2 T3 T4 T5 N6 N7 N8 N9 B11 K2 K3", f"{NINE} P10", "K11", 11, id="ig-06, the second"),
        pytest.param("V1 V2 V3 V4 G6 G7 G8 G9 R8 R9 K4 K5", f"{NINE} P10", "K11", 17, id="ig-06, the third"),
        pytest.param("T1 T2 T3 T4 T5 N6 N7 N8 N9 P11 V7 K3", NINE, "K11", 18, id="ig-23"),
    ],
)
def test_beside_other_series(hand: str, beside: str, row: str, left: int) -> None:
    assert penalty(hand, beside, row=row) == left


def test_what_two_players_add_is_no_concern_of_each_other() -> None:
    """An orange 8 and a pink 8 may both be added, and so may both tens."""
    table = Table()
    table.round(
        {
            1: "O1 O2 P3 O4 P5 O6 P7 O9 P11 R1 R3 K1",
            2: "O8 T1 T2 T4 T5 B6 B7 B9 B10 N1 N2 K2",
            3: "P8 G1 G2 G4 G5 Y6 Y7 Y9 Y10 V1 V2 K3",
        }
    )
    assert table.points == {1: 0, 2: 1, 3: 1}


# The caller: against one other, who wins?

ALMOST = "O8 O9 P1 P2 P3 P4 P5 P6 P7 N2 N3 K1"
EIGHTEEN = "R1 R2 R3 B4 B5 V9 K2 K3 K4 K5 K6 K7"
IG_03 = "O1 O2 P3 O4 P5 O6 P7 O9 P11 K1 K2 R3"
IG_07 = "O1 P2 O3 O4 O5 O6 O7 O8 O9 O10 R3 K1"
IG_23 = "O1 O2 O3 O4 O5 O6 O7 O8 O9 P9 P8 K1"
ONE_EACH = "O1 P1 R1 K1 K2 K3 K4 K5 K6 K7 K8 K10"
PINK_OR_VIOLET = "V5 V6 P5 P6 K1 K2 K3 K4 K5 K6 K7 K8"


@pytest.mark.parametrize(
    ("hand", "series", "other", "row", "won"),
    [
        pytest.param(
            *("O10 P10 O1 O2 O3 O4 O5 O6 O7 O8 O9 K1", "best", EIGHTEEN, "K11", False),
            id="the caller adds to no series",
        ),
        pytest.param(ALMOST, "best", EIGHTEEN, "K11", True, id="what the caller leaves out"),
        pytest.param(ALMOST, "O8 P1 P2 P3 P4 P5 P6 P7", EIGHTEEN, "K11", False, id="of the series counts"),
        pytest.param(
            ONE_EACH, "", "Y2 B2 R2 R3 R4 R5 R6 T10 T9 T8 T7 T1", "K11", True, id="an empty series leaves all"
        ),
        pytest.param(ONE_EACH, "", "Y2 B1 R2 R3 R4 R5 R6 T10 T9 T8 T7 T1", "K11", False, id="to the point"),
        pytest.param(IG_03, SERIES, "O10 P10 P1 P2 O3 P4 P8 P9 P6 V3 V7 K7", "K8", False, id="ig-03, a tie is lost"),
        pytest.param(IG_03, SERIES, "T1 T2 T4 T5 T6 N7 N8 N9 N10 O3 V1 K4", "K8", True, id="ig-24"),
        pytest.param(
            *(IG_07, "O1 O3 O4 O5 O6 O7 O8 O9 O10", "T1 T2 T3 T4 T5 N6 N7 N8 N9 P11 K2 K3", "K11", True),
            id="ig-07, a worse series wins",
        ),
        pytest.param(IG_07, "best", "T1 T2 T3 T4 T5 N6 N7 N8 N9 P11 K2 K3", "K11", False, id="ig-07, the best loses"),
        pytest.param(IG_23, "best", "T1 T2 T3 T4 T5 N6 N7 N8 N9 P11 V7 K3", "K11", True, id="ig-23, fewer colours"),
        pytest.param(IG_23, NINE, "T1 T2 T3 T4 T5 N6 N7 N8 N9 P11 V7 K3", "K11", True, id="ig-23, by its cards"),
        pytest.param(
            *(IG_23, "O1 O2 O3 O4 O5 O6 O7 P8 O9", "T1 T2 T3 T4 T5 N6 N7 N8 N9 P11 V7 K3", "K11", False),
            id="ig-23, two colours lose",
        ),
        pytest.param(
            *(PINK_OR_VIOLET, "best", "R1 R2 R3 R4 R5 R6 B7 B8 P9 N4 T3 G4", "K11", False),
            id="pink stands before violet",
        ),
        pytest.param(
            *(PINK_OR_VIOLET, "best", "R1 R2 R3 R4 R5 R6 B7 B8 V9 N4 T3 G4", "K11", True),
            id="so violet is not added to",
        ),
    ],
)
def test_the_caller(hand: str, series: str, other: str, row: str, won: bool) -> None:
    table = Table(1, 2)
    table.round({1: hand, 2: other}, series, row)
    table.stands(points={1: int(won), 2: int(not won)}, misplays=[])


def test_ig_01_a_plain_win() -> None:
    table = Table()
    table.round({1: TWO, 2: THIRTYTWO, 3: SEVENTEEN})
    table.stands(points={1: 1, 2: 0, 3: 0}, over=False)


@pytest.mark.parametrize(("series", "winner"), [(f"{NINE} P10", 1), (f"{NINE} B10", 2), ("best", 1)])
def test_ig_06_of_several_best_series_the_choice_decides(series: str, winner: int) -> None:
    table = Table()
    table.round(
        {1: f"{NINE} P10 B10 K1", 2: "T1 T2 T3 T4 T5 N6 N7 N8 N9 B11 K2 K3", 3: "V1 V2 V3 V4 G6 G7 G8 G9 R8 R9 K4 K5"},
        series,
    )
    assert table.points == {seat: int(seat == winner) for seat in (1, 2, 3)}


def test_every_card_of_the_box_may_be_in_a_hand() -> None:
    for first in range(0, 110, 24):
        two = (BOX[first:] + BOX[:first])[:25]
        table = Table(1, 2)
        table.call(1, two[24])
        table.tap(1, *two[:12])
        table.series(1)
        table.tap(2, *two[12:24])
        assert table.misplays == []
        assert table.over or sum(points or 0 for points in table.points.values()) == 1
