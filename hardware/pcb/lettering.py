"""Letters for a board's print, as strokes on a grid of three by five points."""

from collections.abc import Iterator
from itertools import pairwise

from hardware.pcb.model import Point

_WIDTH = 0.15
# Each letter's strokes: points as column and row, the lowest row 0; "/" lifts the pen.
_GLYPHS = {
    "A": "00 03 14 23 20 / 02 22",
    "B": "00 04 14 23 12 02 / 12 21 10 00",
    "C": "24 04 00 20",
    "D": "00 04 14 23 21 10 00",
    "E": "24 04 00 20 / 02 12",
    "F": "24 04 00 / 02 12",
    "G": "24 04 00 20 22 12",
    "H": "00 04 / 20 24 / 02 22",
    "I": "10 14",
    "J": "24 20 00 01",
    "L": "04 00 20",
    "M": "00 04 12 24 20",
    "N": "00 04 20 24",
    "O": "00 04 24 20 00",
    "P": "00 04 24 22 02",
    "R": "00 04 24 22 02 / 12 20",
    "S": "24 04 02 22 20 00",
    "T": "04 24 / 14 10",
    "U": "04 00 20 24",
    "V": "04 10 24",
    "X": "00 24 / 04 20",
    "0": "00 04 24 20 00",
    "1": "03 14 10",
    "2": "04 24 22 02 00 20",
    "3": "04 24 20 00 / 02 22",
    "4": "04 02 22 / 24 20",
    "5": "24 04 02 22 20 00",
    "6": "24 04 00 20 22 02",
    "7": "04 24 10",
    "8": "00 04 24 20 00 / 02 22",
    "9": "00 20 24 04 02 22",
    "-": "02 22",
    "+": "02 22 / 11 13",
    " ": "",
}


def strokes(text: str, at: Point, height: float) -> Iterator[tuple[Point, Point, float]]:
    """Yield the lines of a text at a point. Raises KeyError for a letter without strokes."""
    step = height / 4
    for number, letter in enumerate(text):
        left = at.x + number * 3 * step * 1.1
        for line in _GLYPHS[letter].split("/"):
            points = [Point(left + int(xy[0]) * step, at.y + int(xy[1]) * step) for xy in line.split()]
            for begin, end in pairwise(points):
                yield begin, end, _WIDTH
