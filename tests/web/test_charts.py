"""What stands at a line's end in a chart."""

import pytest

from companion.access import player_looks
from companion.game import Chart
from companion.web.render.charts import LETTER, WIDTH, drawn
from companion.web.render.words import PageWords


@pytest.mark.parametrize(
    "lines",
    [
        ("Bo",),
        ("Bartholomew",),
        ("Benjamin-Oliver",),
        ("Maximilian-", "Emmanuel"),
        ("Ana Maria", "della Croce"),
        ("Wolfeschlege", "lsteinhausen"),
    ],
)
def test_a_name_stands_whole_beside_its_line(lines: tuple[str, ...]) -> None:
    name = (" " if " " in lines[0] else "").join(lines)
    chart = Chart("points", "lines", ({"number": 0}, {"number": 1}), {1: (0, 3), 3: (0, 4)})
    faces = {seat: player_looks.of_seat(seat) for seat in (1, 3)}
    drawing = drawn(chart, PageWords("kartel", "en", {1: name, 3: "Ana"}), faces)
    line = drawing.lines[0]
    assert line.name == lines
    assert all(mark.x <= drawing.right for mark in line.marks)
    assert drawing.right + 19 + max(map(len, lines)) * LETTER <= WIDTH
