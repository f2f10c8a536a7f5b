"""A board as the files a board house makes it from: Gerber X2 for each layer, Excellon for the holes."""

from collections.abc import Iterable, Iterator

from hardware.pcb.lettering import strokes
from hardware.pcb.model import CircuitBoard, Layer, Point

MASK = 0.1
"""How far the solder mask stays away from a pad, on each side."""
SCREW, POST = 3.2, 3.25
"""Diameters of the holes without copper."""
_LINE, _LETTERS = 0.15, 1.4

Stroke = tuple[Point, Point, float]
Dot = tuple[Point, float]


def files(board: CircuitBoard) -> dict[str, str]:
    """Return every file, by name."""
    pads = [(pad.at, pad.ring) for pad in board.pads]
    masks = [(pad.at, pad.ring + 2 * MASK) for pad in board.pads if pad.pin]
    layers = {layer.value: (list(_tracks(board, layer)), pads) for layer in Layer}
    layers |= {"F_Mask": ([], masks), "B_Mask": ([], masks)}
    layers |= {"F_Silkscreen": (list(_silk(board)), []), "Edge_Cuts": (list(_outline(board)), [])}
    found = {f"{board.name}-{name}.gbr": _gerber(name, *drawn) for name, drawn in layers.items()}
    found[f"{board.name}-PTH.drl"] = _drill((pad.at, pad.drill) for pad in board.pads)
    bare = [(at, POST) for part in board.parts for at in part.posts] + [(at, SCREW) for at in board.screws]
    found[f"{board.name}-NPTH.drl"] = _drill(bare)
    return found


_FUNCTIONS = {
    "F_Cu": "Copper,L1,Top",
    "B_Cu": "Copper,L2,Bot",
    "F_Mask": "Soldermask,Top",
    "B_Mask": "Soldermask,Bot",
    "F_Silkscreen": "Legend,Top",
    "Edge_Cuts": "Profile,NP",
}


def _gerber(name: str, lines: Iterable[Stroke], dots: Iterable[Dot]) -> str:
    drawn, flashed = list(lines), list(dots)
    sizes = sorted({width for *_, width in drawn} | {size for _, size in flashed})
    codes = {size: 10 + number for number, size in enumerate(sizes)}
    polarity = "Negative" if "Mask" in name else "Positive"
    text = [f"%TF.FileFunction,{_FUNCTIONS[name]}*%", f"%TF.FilePolarity,{polarity}*%", "%FSLAX46Y46*%", "%MOMM*%"]
    text += [f"%ADD{code}C,{size:.6f}*%" for size, code in codes.items()]
    text += ["%LPD*%", "G01*"]
    for size, code in codes.items():
        text.append(f"D{code}*")
        for begin, end, width in drawn:
            if width == size:
                text += [f"{_at(begin)}D02*", f"{_at(end)}D01*"]
        text += [f"{_at(at)}D03*" for at, dot in flashed if dot == size]
    return "\n".join([*text, "M02*", ""])


def _at(point: Point) -> str:
    return f"X{round(point.x * 1e6)}Y{round(point.y * 1e6)}"


def _drill(holes: Iterable[Dot]) -> str:
    drilled = list(holes)
    sizes = sorted({size for _, size in drilled})
    text = ["M48", "METRIC,TZ", *(f"T{number}C{size:.3f}" for number, size in enumerate(sizes, 1)), "%", "G90", "G05"]
    for number, size in enumerate(sizes, 1):
        text += [f"T{number}", *(f"X{at.x:.3f}Y{at.y:.3f}" for at, one in drilled if one == size)]
    return "\n".join([*text, "M30", ""])


def _tracks(board: CircuitBoard, layer: Layer) -> Iterator[Stroke]:
    yield from ((track.begin, track.end, track.width) for track in board.tracks if track.layer is layer)


def _outline(board: CircuitBoard) -> Iterator[Stroke]:
    yield from _box(Point(0, 0), Point(board.width, board.height))


def _box(one: Point, other: Point) -> Iterator[Stroke]:
    corners = [one, Point(other.x, one.y), other, Point(one.x, other.y)]
    for begin, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        yield begin, end, _LINE


def _silk(board: CircuitBoard) -> Iterator[Stroke]:
    for part in board.parts:
        low, high = part.corners
        yield from _box(Point(low.x, max(low.y, 0.3)), high)
        text = f"{part.ref} {part.label}".strip().upper()
        yield from strokes(text, Point(low.x + 0.5, high.y - _LETTERS - 0.5 if part.posts else high.y + 0.5), _LETTERS)
    title = f"{board.name} {board.width:.0f} X {board.height:.0f}".upper()
    yield from strokes(title, Point(9.0, board.height - 3.5), _LETTERS)
