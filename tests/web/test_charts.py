"""What stands at a line's end in a chart."""

import pytest
from playwright.sync_api import Page

from companion.access import player_looks
from companion.game import Chart
from companion.web.render.charts import WIDTH, drawn, scale
from companion.web.render.words import PageWords


@pytest.mark.parametrize(
    "lines",
    [
        ("Bo",),
        ("Bartholomew",),
        ("Grandmother",),
        ("Mohammad",),
        ("Benjamin-Oliver",),
        ("Maximilian-", "Emmanuel"),
        ("Ana Maria", "della Croce"),
        ("Wolfeschlege", "lsteinhausen"),
    ],
)
def test_a_name_stands_whole_beside_its_line(lines: tuple[str, ...], paper: Page) -> None:
    name = (" " if " " in lines[0] else "").join(lines)
    chart = Chart("points", "lines", ({"number": 0}, {"number": 1}), {1: (0, 3), 3: (0, 4)})
    faces = {seat: player_looks.of_seat(seat) for seat in (1, 3)}
    drawing = drawn(chart, PageWords("kartel", "en", {1: name, 3: "Ana"}), faces)
    line = drawing.lines[0]
    assert line.name == lines
    assert all(mark.x <= drawing.right for mark in line.marks)
    written = "".join(f'<text style="font: 12.5px system-ui">{line}</text>' for line in lines)
    paper.set_content(f"<svg>{written}</svg>")
    widths = paper.locator("text").evaluate_all("all => all.map((one) => one.getComputedTextLength())")
    assert drawing.right + 19 + max(widths) <= WIDTH


def test_figures_that_are_all_nought_have_an_axis() -> None:
    place, ticks = scale([0, 0])
    assert ticks[0] == 0
    assert place(0) > place(ticks[-1])
