"""A printed part lies on paper at its true size."""

import re
from pathlib import Path

import pytest
import trimesh

from hardware import paper

MILLIMETRE = 72 / 25.4


@pytest.fixture
def drawing(tmp_path: Path) -> str:
    """A block of 80 × 30 × 20 mm, which does not begin at zero."""
    block = trimesh.creation.box(bounds=[[-5, 7, 3], [75, 37, 23]])
    block.export(tmp_path / "block.stl")
    paper.write(tmp_path / "block.stl", tmp_path / "block.pdf")
    return (tmp_path / "block.pdf").read_text(encoding="ascii")


def lines(page: str) -> list[list[tuple[float, float]]]:
    """Return a page's lines in millimetres."""
    return [
        [(float(x) / MILLIMETRE, float(y) / MILLIMETRE) for x, y in re.findall(r"([\d.]+) ([\d.]+) [ml]", line)]
        for line in re.findall(r"^(.* m .*) S$", page, re.M)
    ]


def is_of_the_part(line: list[tuple[float, float]]) -> bool:
    """The ruler stands below the part."""
    return all(y > 29 for _, y in line)


def test_each_cut_is_a_page_with_the_parts_true_size(drawing: str) -> None:
    pages = re.findall(r"stream\n(.*?)\nendstream", drawing, re.S)
    assert len(pages) == len(paper.LEVELS)
    for page in pages:
        points = [point for line in lines(page) if is_of_the_part(line) for point in line]
        for axis, size in enumerate((80, 30)):
            places = [point[axis] for point in points]
            assert max(places) - min(places) == pytest.approx(size, abs=0.01)


def test_a_ruler_shows_whether_the_printer_has_scaled_the_page(drawing: str) -> None:
    lengths = [abs(line[1][0] - line[0][0]) for line in lines(drawing) if not is_of_the_part(line)]
    assert max(lengths) == pytest.approx(100, abs=0.01)
    assert "100 %" in drawing


def test_every_object_of_the_file_stands_where_its_table_says(drawing: str) -> None:
    places = [int(place) for place in re.findall(r"^(\d{10}) 00000 n $", drawing, re.M)]
    assert places
    for number, place in enumerate(places, 1):
        assert drawing[place:].startswith(f"{number} 0 obj\n")
    start = int(re.findall(r"startxref\n(\d+)", drawing)[0])
    assert drawing[start:].startswith("xref\n")


def test_a_long_part_lies_along_the_sheet_and_one_too_large_is_refused(tmp_path: Path) -> None:
    trimesh.creation.box(extents=[240, 100, 5]).export(tmp_path / "long.stl")
    paper.write(tmp_path / "long.stl", tmp_path / "long.pdf")
    drawing = (tmp_path / "long.pdf").read_text(encoding="ascii")
    heights = [y for line in lines(drawing) if is_of_the_part(line) for _, y in line]
    assert max(heights) - min(heights) == pytest.approx(240, abs=0.01)
    trimesh.creation.box(extents=[300, 100, 5]).export(tmp_path / "large.stl")
    with pytest.raises(ValueError, match="do not fit on a sheet of A4"):
        paper.write(tmp_path / "large.stl", tmp_path / "large.pdf")
