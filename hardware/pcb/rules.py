"""Design rules, checked on the files themselves: what a board house would make is read back, and nothing else.

Copper is circles and lines with round ends, so a distance is that of two lines less both radii. What touches on a layer
is one piece; a plated hole joins the layers. The pieces are then the nets.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from hardware.pcb.model import CircuitBoard, Layer, Point

LEAST_CLEARANCE = 0.2
LEAST_TRACK = 0.25
LEAST_RING = 0.2
"""Copper around a hole, on each side."""
LEAST_EDGE = 0.5
"""From copper or a hole to the board's edge."""
LEAST_DRILL = 0.3

_POINT = re.compile(r"X(-?\d+)Y(-?\d+)D0([123])\*")
_HOLE = re.compile(r"X(-?[\d.]+)Y(-?[\d.]+)")


@dataclass(frozen=True)
class Copper:
    """A piece of copper: a line with round ends, or a circle if both ends are one."""

    layer: Layer
    begin: Point
    end: Point
    radius: float


@dataclass(frozen=True)
class Hole:
    """A drilled hole."""

    at: Point
    radius: float
    plated: bool


def read(files: Mapping[str, str], name: str) -> tuple[list[Copper], list[Hole]]:
    """Return what the files of a board say."""
    copper = [piece for layer in Layer for piece in _copper(layer, files[f"{name}-{layer.value}.gbr"])]
    holes = [hole for kind in ("PTH", "NPTH") for hole in _holes(files[f"{name}-{kind}.drl"], plated=kind == "PTH")]
    return copper, holes


def _copper(layer: Layer, text: str) -> Iterator[Copper]:
    sizes = {int(code): float(size) for code, size in re.findall(r"%ADD(\d+)C,([\d.]+)\*%", text)}
    radius, pen = 0.0, Point(0, 0)
    for line in text.splitlines():
        if chosen := re.fullmatch(r"D(\d{2,})\*", line):
            radius = sizes[int(chosen[1])] / 2
        elif drawn := _POINT.fullmatch(line):
            at = Point(int(drawn[1]) / 1e6, int(drawn[2]) / 1e6)
            if drawn[3] != "2":
                yield Copper(layer, pen if drawn[3] == "1" else at, at, radius)
            pen = at


def _holes(text: str, *, plated: bool) -> Iterator[Hole]:
    sizes = {int(tool): float(size) for tool, size in re.findall(r"^T(\d+)C([\d.]+)$", text, re.MULTILINE)}
    radius = 0.0
    for line in text.partition("%")[2].splitlines():
        if tool := re.fullmatch(r"T(\d+)", line):
            radius = sizes[int(tool[1])] / 2
        elif at := _HOLE.fullmatch(line):
            yield Hole(Point(float(at[1]), float(at[2])), radius, plated)


def pieces(copper: list[Copper], holes: list[Hole]) -> list[int]:
    """Return the number of the net that each piece of copper belongs to, by what touches what."""
    net = list(range(len(copper)))

    def root(one: int) -> int:
        while net[one] != one:
            net[one] = net[net[one]]
            one = net[one]
        return one

    for one, other in _neighbours(copper):
        if apart(copper[one], copper[other]) <= 0:
            net[root(one)] = root(other)
    rings = _rings(copper)
    for hole in holes:
        if hole.plated:
            joined = rings.get(_place(hole.at), [])
            for n in joined[1:]:
                net[root(joined[0])] = root(n)
    return [root(n) for n in range(len(copper))]


def _rings(copper: list[Copper]) -> dict[tuple[float, float], list[int]]:
    """Return, by place, which circles lie there: one on each layer if all is well."""
    found: dict[tuple[float, float], list[int]] = {}
    for n, piece in enumerate(copper):
        if piece.begin == piece.end:
            found.setdefault(_place(piece.end), []).append(n)
    return found


def _place(at: Point) -> tuple[float, float]:
    """Return a place as exactly as a drill file gives it."""
    return round(at.x, 3), round(at.y, 3)


def apart(one: Copper, other: Copper) -> float:
    """Return how far apart two pieces are; zero or less if they touch."""
    if _cross(one, other):
        return -one.radius - other.radius
    ends = [_distance(one, end) for end in (other.begin, other.end)]
    ends += [_distance(other, end) for end in (one.begin, one.end)]
    return min(ends) - one.radius - other.radius


def broken(board: CircuitBoard, files: Mapping[str, str]) -> list[str]:
    """Return every rule that is broken, in words; the nets are compared with those the board should have."""
    copper, holes = read(files, board.name)
    nets = pieces(copper, holes)
    wrong = [*_nets(board, copper, nets), *_gaps(copper, nets), *_drilled(board, copper, holes)]
    wrong += [f"a track of {2 * piece.radius} mm" for piece in copper if 2 * piece.radius < LEAST_TRACK]
    return wrong


def _nets(board: CircuitBoard, copper: list[Copper], nets: list[int]) -> Iterator[str]:
    found: dict[str, set[int]] = {}
    owners: dict[int, set[str]] = {}
    rings = _rings(copper)
    for pad in board.pads:
        here = {nets[n] for n in rings[_place(pad.at)]}
        name = pad.net or f"nothing ({pad.pin})"
        found.setdefault(name, set()).update(here)
        for net in here:
            owners.setdefault(net, set()).add(name)
    yield from (f"{name} is not all joined" for name, numbers in found.items() if len(numbers) != 1)
    yield from (f"{' and '.join(sorted(names))} are joined" for names in owners.values() if len(names) > 1)


def _gaps(copper: list[Copper], nets: list[int]) -> Iterator[str]:
    for n, m in _neighbours(copper):
        one, other = copper[n], copper[m]
        if nets[n] != nets[m] and (gap := apart(one, other)) < LEAST_CLEARANCE:
            yield f"{gap:.3f} mm between copper at {one.end} and {other.end} on {one.layer.value}"


def _drilled(board: CircuitBoard, copper: list[Copper], holes: list[Hole]) -> Iterator[str]:
    circles = _rings(copper)
    for hole in holes:
        rings = [copper[n] for n in circles.get(_place(hole.at), [])]
        if hole.plated and (len(rings) != 2 or min(ring.radius for ring in rings) - hole.radius < LEAST_RING):
            yield f"too little copper around the hole at {hole.at}"
        if not hole.plated:
            near = min(_distance(piece, hole.at) - piece.radius for piece in copper) - hole.radius
            if near < LEAST_CLEARANCE:
                yield f"{near:.3f} mm from copper to the hole at {hole.at}"
        if 2 * hole.radius < LEAST_DRILL:
            yield f"a hole of {2 * hole.radius} mm"
        if _inside(board, hole.at) - hole.radius < LEAST_EDGE:
            yield f"the hole at {hole.at} is too near to the edge"
    for one, other in combinations(holes, 2):
        if math.dist((one.at.x, one.at.y), (other.at.x, other.at.y)) < one.radius + other.radius + LEAST_CLEARANCE:
            yield f"the holes at {one.at} and {other.at} are too near to each other"
    for piece in copper:
        if min(_inside(board, piece.begin), _inside(board, piece.end)) - piece.radius < LEAST_EDGE:
            yield f"copper at {piece.end} is too near to the edge"


def _inside(board: CircuitBoard, at: Point) -> float:
    """How far inside the edge a point is."""
    return min(at.x, at.y, board.width - at.x, board.height - at.y)


def _distance(piece: Copper, at: Point) -> float:
    """From a point to a piece's middle line."""
    x, y = piece.end.x - piece.begin.x, piece.end.y - piece.begin.y
    along = 0.0
    if x or y:
        along = max(0.0, min(1.0, ((at.x - piece.begin.x) * x + (at.y - piece.begin.y) * y) / (x * x + y * y)))
    return math.hypot(at.x - piece.begin.x - along * x, at.y - piece.begin.y - along * y)


def _neighbours(copper: list[Copper]) -> Iterator[tuple[int, int]]:
    """Yield the pairs on one layer that may touch or be too near: those that are not far apart along x."""

    def left(n: int) -> float:
        return min(copper[n].begin.x, copper[n].end.x) - copper[n].radius

    for layer in Layer:
        order = sorted((n for n, piece in enumerate(copper) if piece.layer is layer), key=left)
        for place, one in enumerate(order):
            right = max(copper[one].begin.x, copper[one].end.x) + copper[one].radius + LEAST_CLEARANCE
            for other in order[place + 1 :]:
                if left(other) > right:
                    break
                yield one, other


def _cross(one: Copper, other: Copper) -> bool:
    """Whether the middle lines of two pieces cross."""

    def side(line: Copper, at: Point) -> float:
        x, y = line.end.x - line.begin.x, line.end.y - line.begin.y
        return x * (at.y - line.begin.y) - y * (at.x - line.begin.x)

    return side(one, other.begin) * side(one, other.end) < 0 and side(other, one.begin) * side(other, one.end) < 0
