"""CSV that a spreadsheet opens in either language, and that can do no harm there."""

import csv
import io
from itertools import pairwise

import pytest

from companion.game import Chart
from companion.history import spreadsheet
from companion.history.standings import Result, Seated, Standing
from companion.words import Words

NASTY = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "＝1", 'Bo "the", ;Great', "Cléo"]


def read(data: bytes, delimiter: str = ",") -> list[dict[str, str]]:
    assert data.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=delimiter))


@pytest.mark.parametrize(("language", "delimiter", "mean"), [("en", ",", "1.5"), ("fr", ";", "1,5")])
def test_each_language_has_its_own_separator_and_decimal_sign(language: str, delimiter: str, mean: str) -> None:
    (line,) = read(spreadsheet.standings([("go", [Standing("Cléo", 2, 1, 1.5, None)])], language), delimiter)
    assert line == {"game": "go", "name": "Cléo", "played": "2", "won": "1", "place": mean, "best": ""}


@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_name_is_a_formula(language: str) -> None:
    people = tuple(Seated(seat, name, -3, 1) for seat, name in enumerate(NASTY, 1))
    lines = read(
        spreadsheet.results([Result(1, "", False, "go", people, True, 60)], language), ";" if language == "fr" else ","
    )
    assert [line["name"].removeprefix("'") for line in lines] == NASTY
    assert [line["name"][0] == "'" for line in lines] == [True] * 6 + [False] * 2
    assert {line["points"] for line in lines} == {"-3"}  # a number, not a text


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("name", ["a;=1+1", "a,=1+1", "a; =1+1", "a;;@x", "=1;-1"])
def test_no_name_is_a_formula_in_the_other_languages_spreadsheet_either(language: str, name: str) -> None:
    """It parts cells at another sign, and so within the name."""
    data = spreadsheet.results([Result(1, "", False, "go", (Seated(1, name, 3, 1),), True, 60)], language).decode(
        "utf-8-sig"
    )
    for between in ",;\t":
        cells = [cell for line in csv.reader(io.StringIO(data), delimiter=between) for cell in line]
        assert not [cell for cell in cells if cell.lstrip().startswith(("=", "-", "@"))]


def test_a_match_that_cannot_be_read_has_a_line() -> None:
    (line,) = read(spreadsheet.results([Result(3, "2026-11-20T20:00:00", True, "damaged")], "en"))
    assert (line["match"], line["evening"], line["name"], line["simulated"], line["over"]) == (
        *("3", "2026-11-20", "", "1", "0"),
    )


def test_spans_of_time_are_in_seconds() -> None:
    chart = Chart("margins", "dots", ({"number": 1}, {"number": 2}), {1: (18_200, None)}, "microseconds")
    lines = read(spreadsheet.figures([chart], Words("stop-it", "en", {1: "Ana"})))
    assert [(line["column"], line["value"], line["unit"]) for line in lines] == [
        ("stop 1", "0.0182", "s"),
        ("stop 2", "", "s"),
    ]


def test_every_line_has_every_column() -> None:
    data = spreadsheet.results([Result(1, "", False, "go"), Result(2, "", False, "go", (Seated(1, "A", 1, 1),))], "en")
    lengths = [len(line) for line in csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""))]
    assert all(length == other for length, other in pairwise(lengths))
