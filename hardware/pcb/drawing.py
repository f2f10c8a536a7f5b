"""A board drawn for whoever puts it together, and the list of its parts."""

from collections import defaultdict
from collections.abc import Callable

from hardware.pcb.gerber import POST, SCREW
from hardware.pcb.model import CircuitBoard, Layer, Part, Point

_COLOURS = {Layer.BOTTOM: "#7aa6d8", Layer.TOP: "#d98b7a"}


def svg(board: CircuitBoard) -> str:
    """Return the board from above: parts with their names, pin 1 in a square, copper below in blue and above in red.

    Printed at its own size it is as large as the board, so that parts can be held against it.
    """
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 {board.width + 2:.2f} {board.height + 2:.2f}" '
        f'width="{board.width + 2:.2f}mm" height="{board.height + 2:.2f}mm" font-family="sans-serif" font-size="2.2">',
        f"<title>{board.title}</title>",
        f'<rect width="{board.width}" height="{board.height}" rx="2" fill="#f4f7f2" stroke="#234" stroke-width=".3"/>',
    ]

    def at(point: Point) -> tuple[str, str]:
        return f"{point.x:.2f}", f"{board.height - point.y:.2f}"

    for layer in (Layer.BOTTOM, Layer.TOP):
        drawn.append(f'<g stroke="{_COLOURS[layer]}" stroke-linecap="round" opacity=".75">')
        for track in board.tracks:
            if track.layer is layer:
                (x, y), (u, v) = at(track.begin), at(track.end)
                drawn.append(f'<path d="M{x} {y}L{u} {v}" stroke-width="{track.width:g}"/>')
        drawn.append("</g>")
    for part in board.parts:
        drawn += _part(part, at)
    for pad in board.pads:
        x, y = at(pad.at)
        drawn.append(f'<circle cx="{x}" cy="{y}" r="{pad.ring / 2:.2f}" fill="#c9a227"/>')
        drawn.append(f'<circle cx="{x}" cy="{y}" r="{pad.drill / 2:.2f}" fill="#fff"/>')
        if pad.pin.endswith(".1"):
            corner = f'x="{float(x) - pad.ring / 2:.2f}" y="{float(y) - pad.ring / 2:.2f}"'
            size = f'width="{pad.ring:.2f}" height="{pad.ring:.2f}"'
            drawn.append(f'<rect {corner} {size} fill="none" stroke="#222" stroke-width=".25"/>')
    posts = [(post, POST) for part in board.parts for post in part.posts]
    for hole, width in [*posts, *((screw, SCREW) for screw in board.screws)]:
        x, y = at(hole)
        drawn.append(f'<circle cx="{x}" cy="{y}" r="{width / 2}" fill="#fff" stroke="#234" stroke-width=".25"/>')
    return "\n".join([*drawn, "</svg>", ""])


def _part(part: Part, at: Callable[[Point], tuple[str, str]]) -> list[str]:
    low, high = part.corners
    (x, y), (u, v) = at(Point(low.x, high.y)), at(Point(high.x, low.y))
    size = f'width="{float(u) - float(x):.2f}" height="{float(v) - float(y):.2f}"'
    name = f"{part.ref} {part.label}".strip()
    middle = f"{(float(x) + float(u)) / 2:.2f}"
    below = f"{float(v) - 2:.2f}" if part.posts else f"{float(y) - 0.8:.2f}"
    return [
        f'<rect x="{x}" y="{y}" {size} fill="#fff" fill-opacity=".35" stroke="#222" stroke-width=".25"/>',
        f'<text x="{middle}" y="{below}" text-anchor="middle" fill="#111">{name}</text>',
    ]


def bill(board: CircuitBoard) -> str:
    """Return the list of its parts as CSV."""
    refs: dict[str, list[str]] = defaultdict(list)
    for part in board.parts:
        refs[part.what].append(part.ref)
    rows = [f'{len(names)},{" ".join(names)},"{what}"' for what, names in refs.items()]
    return "\n".join(["count,references,part", *rows, ""])
