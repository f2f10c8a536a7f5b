"""Whether an assumption holds is decided by its number."""

import re
from pathlib import Path

import pytest

from companion.measuring.assumptions import ASSUMPTIONS, BY_NAME, Assumption, Basis, Section, bounds, read_figure

GUIDE = (Path(__file__).parents[2] / "hardware/README.md").read_text(encoding="utf-8")


def test_every_assumption_has_a_name_of_its_own_and_a_number() -> None:
    assert len(BY_NAME) == len(ASSUMPTIONS)
    assert all(re.search(r"\d", bounds(assumption)) for assumption in ASSUMPTIONS)


def test_they_stand_in_the_order_in_which_a_table_is_built() -> None:
    order = [[*Section].index(assumption.section) for assumption in ASSUMPTIONS]
    assert order == sorted(order)


@pytest.mark.parametrize(
    ("bound", "figure", "holds"),
    [
        ({"least": 90}, 90, True),
        ({"least": 90}, 89.9, False),
        ({"most": 0.15}, 0.15, True),
        ({"most": 0.15}, 0.16, False),
        ({"least": 4.75, "most": 5.25}, 5.3, False),
        ({"most": 0}, 1, False),
    ],
)
def test_a_bound_itself_still_holds(bound: dict[str, float], figure: float, holds: bool) -> None:
    assert Assumption("x", Section.READER, Basis.SHEET, **bound).holds_for(figure) is holds


@pytest.mark.parametrize(
    ("typed", "figure"),
    [
        *(("4.9", 4.9), ("4,9", 4.9), (" 12 ", 12.0), ("-3", -3.0)),
        *((word, None) for word in ("", "about 5", "5 V", "nan", "inf", "1e30", "1,000.5")),
    ],
)
def test_a_figure_is_one_number_with_a_point_or_a_comma(typed: str, figure: float | None) -> None:
    assert read_figure(typed) == figure


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("current-reader", "up to 150 mA"),
        ("reach-wood", "At most 8 mm of wood"),
        ("volts-reader", "4.75 to 5.25 V"),
        ("apart", "Antennas 10 cm apart or more"),
        ("speed-bus", "`speed = 500_000` should do"),
        ("polls-bus", "polled 12 times a second"),
    ],
)
def test_the_guide_assumes_the_same(name: str, sentence: str) -> None:
    assumption = BY_NAME[name]
    assert sentence in GUIDE
    number = next(bound for bound in (assumption.most, assumption.least) if bound not in (float("inf"), -float("inf")))
    assert any(
        number == pytest.approx(float(figure.replace("_", "")) / scale)
        for figure in re.findall(r"\d[\d_]*(?:\.\d+)?", sentence)
        for scale in (1, 1000)
    )
