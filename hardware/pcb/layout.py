"""A board's copper, holes and print as KiCad 9 reads them, with the footprints of its libraries."""

from collections.abc import Iterator

from hardware.pcb.identity import identified, identity
from hardware.pcb.libraries import Libraries, Pad, outline
from hardware.pcb.model import GROUND, REVISION, CircuitBoard, Layer, Part, Point, Text
from hardware.pcb.routing import routed
from hardware.pcb.schematic import fields, holes, unconnected
from hardware.pcb.sexpr import Node, child, numbers, quoted, unquoted, written

SHEET = Point(60, 60)
"""Where the board's corner lies on KiCad's sheet."""
_COPPER = (("0", "F.Cu"), ("2", "B.Cu"))
_OTHERS = (
    ("9", "F.Adhes"), ("11", "B.Adhes"), ("13", "F.Paste"), ("15", "B.Paste"), ("5", "F.SilkS"), ("7", "B.SilkS"),
    ("1", "F.Mask"), ("3", "B.Mask"), ("17", "Dwgs.User"), ("19", "Cmts.User"), ("25", "Edge.Cuts"), ("27", "Margin"),
    ("31", "F.CrtYd"), ("29", "B.CrtYd"), ("35", "F.Fab"), ("33", "B.Fab"),
)  # fmt: skip


def layout(board: CircuitBoard, libraries: Libraries) -> str:
    """Return the board as a KiCad file; its ground is outlined, for KiCad to pour. Raises NoWayError."""
    nets = sorted({net for part in board.parts for net in (part.nets | unconnected(part, libraries)).values()})
    numbered = {net: str(number) for number, net in enumerate(nets, 1)}
    tracks, vias = routed(board, _pads(board, libraries))
    drawn: Node = ["kicad_pcb", ["version", "20241229"], ["generator", '"table_companion"']]
    drawn += [["generator_version", '"9.0"'], ["general", ["thickness", "1.6"]], ["paper", '"A4"']]
    title: Node = ["title_block", ["title", quoted(board.title)], ["rev", quoted(REVISION)]]
    drawn += [title, ["layers", *([n, quoted(name), "signal"] for n, name in _COPPER)]]
    child(drawn, "layers").extend([n, quoted(name), "user"] for n, name in _OTHERS)
    drawn += [["setup", ["pad_to_mask_clearance", "0.05"]], ["net", "0", '""']]
    drawn += [["net", number, quoted(net)] for net, number in numbered.items()]
    drawn += [_footprint(board, part, libraries, numbered) for part in [*board.parts, *holes(board)]]
    for track in tracks:
        line: Node = ["segment", ["start", *_at(track.begin)], ["end", *_at(track.end)]]
        line += [["width", f"{track.width:g}"], ["layer", quoted(track.layer.value)]]
        drawn.append([*line, ["net", numbered[track.net]], identified(board.name, track)])
    for via in vias:
        sizes: Node = ["via", ["at", *_at(via.at)], ["size", f"{via.ring:g}"], ["drill", f"{via.drill:g}"]]
        drawn.append([*sizes, ["layers", '"F.Cu"', '"B.Cu"'], ["net", numbered[via.net]], identified(board.name, via)])
    drawn += [_text(board, text) for text in board.texts]
    drawn.append(_outline(board))
    drawn += [_poured(board, layer, numbered[GROUND]) for layer in Layer]
    return written(drawn) + "\n"


def _pads(board: CircuitBoard, libraries: Libraries) -> list[tuple[str, Pad]]:
    """Return every pad with its net, and with none what no track may come near."""
    found = [(part.nets.get(pad.number, ""), pad) for part in board.parts for pad in libraries.pads(part)]
    return found + [("", keepout) for part in board.parts for keepout in libraries.keepouts(part)]


def _at(point: Point) -> list[str]:
    """Return a point of the board as KiCad's file has it, on the sheet."""
    placed = SHEET + point
    return [f"{placed.x:.6f}".rstrip("0").rstrip("."), f"{placed.y:.6f}".rstrip("0").rstrip(".")]


def _outline(board: CircuitBoard) -> Node:
    corner: Node = ["gr_rect", ["start", *_at(Point(0, 0))], ["end", *_at(Point(board.width, board.height))]]
    corner += [["stroke", ["width", "0.1"], ["type", "solid"]], ["fill", "no"], ["layer", '"Edge.Cuts"']]
    return [*corner, identified(board.name, "edge")]


def _text(board: CircuitBoard, text: Text) -> Node:
    effects: Node = ["effects", ["font", ["size", f"{text.size:g}", f"{text.size:g}"], ["thickness", "0.15"]]]
    if text.back:
        effects.append(["justify", "mirror"])
    layer = '"B.SilkS"' if text.back else '"F.SilkS"'
    at: Node = ["at", *_at(text.at), str(text.turned)]
    return ["gr_text", quoted(text.text), at, ["layer", layer], identified(board.name, text), effects]


def _poured(board: CircuitBoard, layer: Layer, net: str) -> Node:
    inset = 0.6
    corners = [(inset, inset), (board.width - inset, inset)]
    corners += [(board.width - inset, board.height - inset), (inset, board.height - inset)]
    zone: Node = ["zone", ["net", net], ["net_name", quoted(GROUND)], ["layer", quoted(layer.value)]]
    zone += [identified(board.name, "ground", layer), ["hatch", "edge", "0.5"]]
    zone += [["connect_pads", ["clearance", "0.3"]], ["min_thickness", "0.25"], ["filled_areas_thickness", "no"]]
    zone.append(["fill", "yes", ["thermal_gap", "0.4"], ["thermal_bridge_width", "0.6"]])
    zone.append(["polygon", ["pts", *(["xy", *_at(Point(x, y))] for x, y in corners)]])
    return zone


def _footprint(board: CircuitBoard, part: Part, libraries: Libraries, numbered: dict[str, str]) -> Node:
    """Return a library's footprint as it lies on the board."""
    nets = part.nets | unconnected(part, libraries)
    source = libraries.footprint(part.kind.footprint)
    placed: Node = ["footprint", quoted(part.kind.footprint)]
    shown = {"Reference": part.ref, "Value": part.kind.value} | fields(part)
    for item in source[2:]:
        if not isinstance(item, list) or item[0] in ("version", "generator", "generator_version"):
            continue
        if item[0] == "property" and unquoted(str(item[1])) in ("Reference", "Value"):
            continue
        if item[0] == "uuid":
            continue
        placed.append(_turned(item, board, part, nets, numbered))
        if item[0] == "layer":  # behind it, a board's file has what a library's lacks
            placed += [identified(board.name, part.ref), ["at", *_at(part.at), str(part.turned)]]
            placed += list(_properties(board, part, shown))
            placed.append(["path", quoted(f"/{identity(board.name, part.ref, 'symbol')}")])
            placed += [["sheetname", '"Root"'], ["sheetfile", quoted(f"{board.name}.kicad_sch")]]
    return placed


def _properties(board: CircuitBoard, part: Part, shown: dict[str, str]) -> Iterator[Node]:
    for name, value in shown.items():
        effects: Node = ["effects", ["font", ["size", "1", "1"], ["thickness", "0.15"]]]
        place = part.kind.name_at if name == "Reference" else Point(0, 0)
        angle = (part.kind.name_turned + part.turned) % 180 if name == "Reference" else 0
        layer = '"F.SilkS"' if name == "Reference" and not part.ref.startswith("H") else '"F.Fab"'
        field: Node = ["property", quoted(name), quoted(value), ["at", f"{place.x:g}", f"{place.y:g}", str(angle)]]
        field += [["layer", layer]]
        if name not in ("Reference", "Value"):
            field.append(["hide", "yes"])
        yield [*field, identified(board.name, part.ref, name), effects]


def _turned(item: Node, board: CircuitBoard, part: Part, nets: dict[str, str], numbered: dict[str, str]) -> Node:
    """Return a piece of a footprint with its own identity, its turn and its net."""
    turned: Node = []
    for inner in item:
        if not isinstance(inner, list):
            turned.append(inner)
            continue
        match inner[0]:
            case "uuid" | "members":  # the library's, the same for every part of the kind
                own = [identity(board.name, part.ref, inner_word) for inner_word in inner[1:]]
                turned.append([inner[0], *map(quoted, own)])
            case "at" if item[0] in ("pad", "fp_text", "property"):
                x, y, *angle = numbers(item, "at")
                turned.append(["at", f"{x:g}", f"{y:g}", f"{(part.turned + sum(angle)) % 360:g}"])
            case "polygon" if item[0] == "zone":  # the one piece whose corners KiCad keeps as they lie on the board
                corners = [part.at + corner.turned(part.turned) for corner in outline(item)]
                turned.append(["polygon", ["pts", *(["xy", *_at(corner)] for corner in corners)]])
            case _:
                turned.append(inner)
    if item[0] == "pad" and (net := nets.get(unquoted(str(item[1])))):
        turned.append(["net", numbered[net], quoted(net)])
    return turned
