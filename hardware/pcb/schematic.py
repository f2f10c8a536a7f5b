"""A board's schematic: each part's symbol, and at each pin a label with its net's name."""

from hardware.pcb.identity import identified, identity
from hardware.pcb.libraries import Libraries
from hardware.pcb.model import REVISION, CircuitBoard, Part, PartType, Point
from hardware.pcb.sexpr import Node, quoted, written

_GRID = 1.27
_LABEL = 15.24
"""The longest label."""
_FLAG = PartType("PWR_FLAG", "power:PWR_FLAG", "")
"""Tells KiCad's rules that a net gets its power from outside the board."""
_HOLE = PartType("M3", "Mechanical:MountingHole", "MountingHole:MountingHole_3.2mm_M3")


def holes(board: CircuitBoard) -> list[Part]:
    """Return the board's mounting holes as parts."""
    return [Part(f"H{n}", _HOLE, at, {}) for n, at in enumerate(board.screws, 1)]


def fields(part: Part) -> dict[str, str]:
    """Return what to buy, as fields of its symbol and of its footprint."""
    named = {"Manufacturer": part.kind.maker, "MPN": part.kind.number}
    if part.kind.besides:
        named["Besides"] = f"{part.kind.besides.count} × {part.kind.besides.maker} {part.kind.besides.number}"
    return {name: value for name, value in named.items() if value}


def unconnected(part: Part, libraries: Libraries) -> dict[str, str]:
    """Return, by pin, the nets that KiCad gives to pins that lead nowhere."""
    if not part.nets:
        return {}
    pins = libraries.pins(libraries.symbol(part.kind.symbol))
    resting = [pin for pin in pins if pin.number not in part.nets]
    return {pin.number: f"unconnected-({part.ref}-{pin.name}-Pad{pin.number})" for pin in resting}


def schematic(board: CircuitBoard, libraries: Libraries) -> str:
    """Return the schematic as KiCad 9 reads it."""
    flags = [Part(f"#FLG{n}", _FLAG, Point(0, 0), {"1": net}) for n, net in enumerate(board.fed, 1)]
    parts = [*board.parts, *holes(board), *flags]
    symbols = {kind: libraries.symbol(kind) for kind in dict.fromkeys(part.kind.symbol for part in parts)}
    root = identity(board.name, "schematic")
    sheet: Node = ["kicad_sch", ["version", "20250114"], ["generator", '"table_companion"']]
    sheet += [["generator_version", '"9.0"'], ["uuid", quoted(root)], ["paper", '"A2"']]
    title: Node = ["title_block", ["title", quoted(board.title)], ["rev", quoted(REVISION)]]
    title += [["company", quoted("table companion")], ["comment", "1", quoted("Licence: CERN-OHL-P-2.0")]]
    title.append(["comment", "2", quoted("Never built, never measured")])
    sheet += [title, ["lib_symbols", *symbols.values()]]
    left = 50.8
    down = 50.8
    for part in parts:
        high, low, _ = _extent(symbols[part.kind.symbol])
        if down + high + low > 380:  # of the 420 mm of an A2 sheet: the next column
            left += 83.82
            down = 50.8
        at = Point(left, round((down + high) / _GRID) * _GRID)
        down = at.y + low + 5.08
        sheet += _placed(board, part, at, symbols[part.kind.symbol], libraries, root)
    sheet.append(["sheet_instances", ["path", '"/"', ["page", '"1"']]])
    return written(sheet) + "\n"


def _extent(symbol: Node) -> tuple[float, float, float]:
    """Return how far a symbol with its labels reaches up, down and right."""
    pins = Libraries.pins(symbol)
    reach = {side: [5.08] for side in (90, 270, 0)}
    for pin in pins:
        label = {side: _LABEL if pin.out == side else 0.0 for side in reach}
        reach[90].append(label[90] - pin.at.y)
        reach[270].append(label[270] + pin.at.y)
        reach[0].append(label[0] + pin.at.x)
    return max(reach[90]), max(reach[270]), max(reach[0])


def _placed(board: CircuitBoard, part: Part, at: Point, symbol: Node, libraries: Libraries, root: str) -> Node:
    placed: Node = ["symbol", ["lib_id", quoted(part.kind.symbol)], ["at", f"{at.x:g}", f"{at.y:g}", "0"]]
    # Power flags and mounting holes belong to no list of parts.
    bought = "no" if part.ref.startswith(("#", "H")) else "yes"
    placed += [["unit", "1"], ["exclude_from_sim", "no"], ["in_bom", bought], ["on_board", "yes"], ["dnp", "no"]]
    placed.append(identified(board.name, part.ref, "symbol"))
    shown = {"Reference": part.ref, "Value": part.kind.value, "Footprint": part.kind.footprint}
    right = at.x + _extent(symbol)[2] + 2.54
    for number, (name, value) in enumerate((shown | fields(part)).items()):
        y = at.y - 1.27 + 2.54 * number
        effects: Node = ["effects", ["font", ["size", "1.27", "1.27"]], ["justify", "left"]]
        if number > 1:
            effects.append(["hide", "yes"])
        placed.append(["property", quoted(name), quoted(value), ["at", f"{right:g}", f"{y:g}", "0"], effects])
    pins = libraries.pins(symbol)
    placed += [["pin", quoted(pin.number), identified(board.name, part.ref, "pin", pin.number)] for pin in pins]
    instance: Node = ["path", quoted(f"/{root}"), ["reference", quoted(part.ref)], ["unit", "1"]]
    placed.append(["instances", ["project", quoted(board.name), instance]])
    drawn: Node = [placed]
    # By place: a symbol's pins may lie on top of each other, and then share one label.
    joined = {(pin.at, pin.out): part.nets[pin.number] for pin in pins if pin.number in part.nets}
    for (end, out), net in joined.items():
        drawn.append(_label(board, part, net, at + end, out))
    for pin in pins:
        if (pin.at, pin.out) not in joined:
            where = at + pin.at
            mark = identified(board.name, part.ref, "open", pin.number)
            drawn.append(["no_connect", ["at", f"{where.x:g}", f"{where.y:g}"], mark])
    return drawn


def _label(board: CircuitBoard, part: Part, net: str, at: Point, out: int) -> Node:
    justified = "right" if out in (180, 270) else "left"
    label: Node = ["global_label", quoted(net), ["shape", "passive"], ["at", f"{at.x:g}", f"{at.y:g}", str(out)]]
    label.append(["effects", ["font", ["size", "1", "1"]], ["justify", justified]])
    label.append(identified(board.name, part.ref, "label", at, net))
    return label
