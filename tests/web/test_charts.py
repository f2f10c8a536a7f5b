"""What stands at a line's end in a chart."""

import pytest

from companion.access import player_looks
from companion.game import Chart
from companion.web.render.charts import LETTER, WIDTH, drawn
from companion.web.render.words import PageWords


@pytest.mark.parametrize("name", ["Bo", "Bartholomew", "Benjamin-Oliver"])
def test_a_name_stands_whole_beside_its_line(name: str) -> None:
    chart = Chart("points", "lines", ({"number": 0}, {"number": 1}), {1: (0, 3), 3: (0, 4)})
    faces = {seat: player_looks.of_seat(seat) for seat in (1, 3)}
    drawing = drawn(chart, PageWords("kartel", "en", {1: name, 3: "Ana"}), faces)
    line = drawing.lines[0]
    assert line.name == name
    assert all(mark.x <= drawing.right for mark in line.marks)
    assert drawing.right + 19 + len(name) * LETTER <= WIDTH
