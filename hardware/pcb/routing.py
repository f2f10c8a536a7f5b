"""Routing: every net but ground gets its tracks, by a search for the cheapest way over a grid on both sides.

KiCad has no router of its own, and none is in Debian or on PyPI; a board whose copper is laid by hand could not be
written from the model. KiCad's own design rules then check what comes out.

A net that finds no free way takes the cheapest one through others' tracks; those are torn up and laid again, and what
was torn up becomes dearer to cross, until nothing crosses (after McMurchie and Ebeling's PathFinder, 1995).
"""

import heapq
import math
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import numpy

from hardware.pcb.libraries import Pad
from hardware.pcb.model import GROUND, CircuitBoard, Layer, Point, Track, Via

GRID = 0.635
TRACK = 0.3
CLEARANCE = 0.28
"""Between copper: KiCad is told 0.2; a corner between two nodes of the grid comes nearer than both."""
EDGE = 1.0
VIA = 0.9
VIA_DRILL = 0.4
WIDE_VIA = 1.4
"""Of nets that carry current."""
WIDE_VIA_DRILL = 0.8
_LAYERS = (Layer.TOP, Layer.BOTTOM)
_ASIDE = 2.0
"""Factor for a step against a side's direction: the top runs up and down, the bottom left and right."""
_DRILLED = 6.0
"""Steps that a via costs."""
_TEAR = 12.0
"""Steps that crossing another's track costs at first."""
_STITCH = 10
"""Nodes from one stitch to the next."""
_PATIENCE = 3000
"""How often a net is laid before we give up."""

_Node = tuple[int, int, int]
"""Side, row, column."""


class NoWayError(Exception):
    """A net finds no way at all, or the nets never stop tearing each other up."""


@dataclass
class _Laid:
    """The copper of a net."""

    tracks: list[Track] = field(default_factory=list)
    vias: list[Via] = field(default_factory=list)


class _Router:
    """A board's grid, and the copper laid on it so far; `torn` is what crossing each node costs in addition."""

    def __init__(self, board: CircuitBoard, pads: list[tuple[str, Pad]]) -> None:
        self.board = board
        self.pads = pads
        self.columns = int(board.width / GRID) + 1
        self.rows = int(board.height / GRID) + 1
        y, x = numpy.mgrid[0 : self.rows, 0 : self.columns]
        self.x = x * GRID
        self.y = y * GRID
        self.laid: dict[str, _Laid] = {}
        self.torn = numpy.zeros((2, self.rows, self.columns))

    def walls(self, net: str, radius: float) -> numpy.ndarray:
        """Return the nodes where a track of that half width must not run, even if all other tracks were torn up."""
        closed = (self.x < EDGE + radius) | (self.x > self.board.width - EDGE - radius)
        closed |= (self.y < EDGE + radius) | (self.y > self.board.height - EDGE - radius)
        for owner, pad in self.pads:
            if owner != net or not pad.plated:  # an unplated one is a hole, or a place to keep free
                closed |= self.near(pad, radius + CLEARANCE)
        for screw in self.board.screws:
            closed |= numpy.hypot(self.x - screw.x, self.y - screw.y) < 3.5 + radius
        return closed

    def near(self, pad: Pad, reach: float) -> numpy.ndarray:
        """Return the nodes within reach of a pad. One as wide as high is round, except pad 1, which may be square."""
        aside = numpy.maximum(abs(self.x - pad.at.x) - pad.half.x, 0)
        along = numpy.maximum(abs(self.y - pad.at.y) - pad.half.y, 0)
        if abs(pad.half.x - pad.half.y) < 0.01 and pad.number != "1":
            return numpy.hypot(self.x - pad.at.x, self.y - pad.at.y) < pad.half.x + reach
        return numpy.hypot(aside, along) < reach

    def crowd(self, net: str, radius: float) -> dict[str, numpy.ndarray]:
        """Return, for each other net, where a track or via of that half width would meet its copper."""
        return {name: self.met(laid, radius + CLEARANCE) for name, laid in self.laid.items() if name != net}

    def met(self, laid: _Laid, reach: float) -> numpy.ndarray:
        """Return where something with that reach would meet the copper of a net."""
        met = numpy.zeros((2, self.rows, self.columns), bool)
        for track in laid.tracks:
            met[_LAYERS.index(track.layer)] |= _to_line(self.x, self.y, track) < track.width / 2 + reach
        for via in laid.vias:
            met |= numpy.hypot(self.x - via.at.x, self.y - via.at.y) < via.ring / 2 + reach
        return met

    def lay(self, net: str) -> set[str]:
        """Lay a net; return the nets whose copper it crosses. Raises NoWayError."""
        width = self.board.wide.get(net, TRACK)
        ring, drill = (VIA, VIA_DRILL) if width == TRACK else (WIDE_VIA, WIDE_VIA_DRILL)
        crowd = self.crowd(net, width / 2)
        via_crowd = self.crowd(net, ring / 2)
        nobody = numpy.zeros((2, self.rows, self.columns))
        costs = _Costs(
            self.walls(net, width / 2).tolist(),
            self.walls(net, ring / 2).tolist(),
            (sum(crowd.values(), nobody) * _TEAR + self.torn).tolist(),
            (sum(via_crowd.values(), nobody).sum(0) * _TEAR).tolist(),
        )
        pads = [pad for owner, pad in self.pads if owner == net and pad.plated]
        laid = _Laid()
        tree = _nodes(pads[0])
        for pad in pads[1:]:
            way = costs.way(tree, _nodes(pad))
            tree |= {*way, *_nodes(pad)}
            for begin, end in pairwise(_corners(way)):
                if begin[0] == end[0]:
                    laid.tracks.append(Track(_LAYERS[begin[0]], _place(begin), _place(end), width, net))
                else:
                    laid.vias.append(Via(_place(begin), ring, drill, net))
            # A pad's middle seldom lies on a node: a short piece leads to it from the way's end.
            laid.tracks += [
                Track(_LAYERS[node[0]], _place(node), owner.at, width, net)
                for node in (way[0], way[-1])
                for owner in pads
                if node in _nodes(owner) and _place(node) != owner.at
            ]
        self.laid[net] = laid
        crossed = {name for name, met in crowd.items() if any(met[_between(track)].any() for track in laid.tracks)}
        for name, met in via_crowd.items():
            if any(met[:, *_node(via.at)].any() for via in laid.vias):
                crossed.add(name)
        return crossed

    def stitches(self) -> list[Via]:
        """Return vias that join the ground of both sides, where nothing else is."""
        closed = self.walls(GROUND, VIA / 2)
        for _, pad in self.pads:
            closed |= self.near(pad, VIA / 2 + CLEARANCE)
        for met in self.crowd(GROUND, VIA / 2).values():
            closed |= met.any(0)
        for text in self.board.texts:
            closed |= self.near(Pad("1", text.at, text.half, plated=False), VIA / 2)
        return [
            Via(_place((0, row, column)), VIA, VIA_DRILL, GROUND)
            for row in range(0, self.rows, _STITCH)
            for column in range(0, self.columns, _STITCH)
            if not closed[row, column]
        ]


@dataclass
class _Costs:
    """What each step costs a net, and which nodes are closed to it."""

    closed: list[list[bool]]
    closed_to_vias: list[list[bool]]
    extra: list[list[list[float]]]
    """In addition to the step itself, by side, row and column."""
    extra_for_vias: list[list[float]]

    def way(self, tree: set[_Node], aims: set[_Node]) -> list[_Node]:
        """Return the cheapest way from any node of a tree to any of the aims. Raises NoWayError."""
        _, aim_row, aim_column = min(aims)  # the aims are one pad's nodes on both sides: the row and column are theirs
        costs = dict.fromkeys(tree, 0.0)
        came_from: dict[_Node, _Node] = {}
        heap = [(0.0, 0.0, node) for node in sorted(tree)]
        done: set[_Node] = set()
        while heap:
            _, cost, node = heapq.heappop(heap)
            if node in done:
                continue
            done.add(node)
            if node in aims:
                return _walked(came_from, node)
            for step, other in self.steps(node, aims):
                total = cost + step
                if total < costs.get(other, math.inf):
                    costs[other] = total
                    came_from[other] = node
                    # A step costs 1 at least, so this is never more than the rest of the way (A*).
                    least = abs(other[1] - aim_row) + abs(other[2] - aim_column)
                    heapq.heappush(heap, (total + least, total, other))
        raise NoWayError

    def steps(self, node: _Node, aims: set[_Node]) -> Iterator[tuple[float, _Node]]:
        """Yield the nodes next to one, each with the cost of the step."""
        side, row, column = node
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            other = (side, row + down, column + right)
            if other in aims or not self.closed[other[1]][other[2]]:
                length = _ASIDE if (side == 0) == bool(right) else 1.0
                yield length + self.extra[side][other[1]][other[2]], other
        if not self.closed_to_vias[row][column]:
            yield _DRILLED + self.extra_for_vias[row][column], (1 - side, row, column)


def _walked(came_from: dict[_Node, _Node], node: _Node) -> list[_Node]:
    """Return the way that led to a node, from its start."""
    way = [node]
    while node in came_from:
        node = came_from[node]
        way.append(node)
    return way[::-1]


def _place(node: _Node) -> Point:
    """Return where a node lies on the board."""
    return Point(round(node[2] * GRID, 4), round(node[1] * GRID, 4))


def _node(at: Point) -> tuple[int, int]:
    """Return the row and column nearest to a point."""
    return round(at.y / GRID), round(at.x / GRID)


def _nodes(pad: Pad) -> set[_Node]:
    """Return the nodes nearest to a pad's middle, on both sides."""
    return {(side, *_node(pad.at)) for side in (0, 1)}


def _between(track: Track) -> tuple[int, slice, slice]:
    """Return the nodes under a track, as an index."""
    rows, columns = (sorted(ends) for ends in zip(_node(track.begin), _node(track.end), strict=True))
    return _LAYERS.index(track.layer), slice(rows[0], rows[1] + 1), slice(columns[0], columns[1] + 1)


def _to_line(x: numpy.ndarray, y: numpy.ndarray, track: Track) -> numpy.ndarray:
    """Return how far each node is from a track's middle line."""
    dx = track.end.x - track.begin.x
    dy = track.end.y - track.begin.y
    along = ((x - track.begin.x) * dx + (y - track.begin.y) * dy) / (dx * dx + dy * dy)
    along = numpy.clip(along, 0, 1)
    return numpy.hypot(x - track.begin.x - along * dx, y - track.begin.y - along * dy)


def _corners(way: list[_Node]) -> list[_Node]:
    """Return a way without the nodes that lie straight between two others."""
    kept = way[:1]
    for n in range(1, len(way) - 1):
        back = [a - b for a, b in zip(way[n], way[n - 1], strict=True)]
        ahead = [a - b for a, b in zip(way[n + 1], way[n], strict=True)]
        if back != ahead:
            kept.append(way[n])
    return [*kept, way[-1]] if len(way) > 1 else kept


def routed(board: CircuitBoard, pads: list[tuple[str, Pad]]) -> tuple[list[Track], list[Via]]:
    """Return the tracks and vias that join each net's pads, and vias that join the ground of both sides.

    `pads` are all of the board's, each with its net. Raises NoWayError.
    """
    router = _Router(board, pads)
    sizes = Counter(net for net, pad in pads if pad.plated and net not in ("", GROUND))
    joined = [net for net, count in sizes.items() if count > 1]
    waiting = deque(sorted(joined, key=lambda net: (net not in board.wide, -sizes[net], net)))
    for _ in range(_PATIENCE):
        if not waiting:
            break
        net = waiting.popleft()
        for name in sorted(router.lay(net)):
            router.torn += router.met(router.laid[name], 0.3)
            del router.laid[name]
            waiting.append(name)
    if waiting:
        raise NoWayError(f"nets of the {board.name} board tear each other up: {' '.join(waiting)}")
    tracks = [track for laid in router.laid.values() for track in laid.tracks]
    vias = [via for laid in router.laid.values() for via in laid.vias]
    return tracks, vias + router.stitches()
