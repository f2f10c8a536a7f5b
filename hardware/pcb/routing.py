"""Routing: between the sockets below and the other parts above lies a channel, in which every net has a row.

Rows run along the bottom copper; from each pin a track on the top copper runs straight to its net's row, and a via
joins the two. All pins lie on one grid, so two such tracks meet only where a pin above and one below have the same x:
there the row of the upper one's net has to be the higher. We look for an order of rows that satisfies all of that.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from hardware.pcb.model import Layer, Pad, Point, Track

TRACK = 0.4
CLEARANCE = 0.3
VIA, VIA_DRILL = 0.9, 0.4
POWER_VIA, POWER_VIA_DRILL = 1.4, 0.8


@dataclass(frozen=True)
class Terminal:
    """Where a net enters the channel."""

    net: str
    above: bool
    way: tuple[Point, ...]
    """From its pin to where it enters; the last point says at which x."""
    width: float = TRACK


def routed(
    terminals: Iterable[Terminal], floor: float, power: dict[str, float]
) -> tuple[list[Track], list[Pad], float]:
    """Return tracks and vias, and the y above the highest row. The first row lies at `floor`.

    `power` are the nets whose rows are wider, and how wide. Raises CycleError if no order of rows will do.
    """
    ends = list(terminals)
    rows, top = _rows(_order(ends), floor, power)
    tracks, vias = [], dict[tuple[str, float], Pad]()
    for end in ends:
        way = [*end.way, Point(end.way[-1].x, rows[end.net])]
        tracks += [Track(Layer.TOP, one, other, end.width, end.net) for one, other in pairwise(way)]
        ring, drill = (POWER_VIA, POWER_VIA_DRILL) if end.width > TRACK else (VIA, VIA_DRILL)
        vias[end.net, round(way[-1].x, 3)] = Pad(way[-1], drill, ring, end.net)
    for net, y in rows.items():
        columns = [end.way[-1].x for end in ends if end.net == net]
        left, right = Point(min(columns), y), Point(max(columns), y)
        tracks.append(Track(Layer.BOTTOM, left, right, power.get(net, TRACK), net))
    return tracks, list(vias.values()), top


def _order(ends: list[Terminal]) -> list[str]:
    """Return the nets from the lowest row to the highest."""
    above = {round(end.way[-1].x, 3): end.net for end in ends if end.above}
    graph: dict[str, set[str]] = {end.net: set() for end in ends}
    for end in ends:
        upper = above.get(round(end.way[-1].x, 3), end.net)
        if not end.above and upper != end.net:
            graph[upper].add(end.net)
    return list(TopologicalSorter(graph).static_order())


def _rows(nets: list[str], floor: float, power: dict[str, float]) -> tuple[dict[str, float], float]:
    rows, y, before = {}, floor, 0.0
    for net in nets:
        width = power.get(net, TRACK)
        # A row's vias may be as wide as a power via; beside them the next row has to pass.
        y += max(before, POWER_VIA) / 2 + CLEARANCE + max(width, POWER_VIA) / 2 if rows else 0.0
        rows[net], before = y, width
    return rows, y


__all__ = ["CLEARANCE", "CycleError", "Terminal", "routed"]
