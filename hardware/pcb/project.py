"""A board as a KiCad project, and its list of parts."""

import csv
import io
import json

from hardware.pcb.layout import layout
from hardware.pcb.libraries import Libraries
from hardware.pcb.model import CircuitBoard
from hardware.pcb.schematic import schematic

_RULES = {
    "min_clearance": 0.2,
    "min_copper_edge_clearance": 0.5,
    "min_hole_clearance": 0.2,
    "min_hole_to_hole": 0.25,
    "min_through_hole_diameter": 0.3,
    "min_track_width": 0.25,
    "min_via_annular_width": 0.2,
    # A pad between two tracks may have one thermal bridge to the poured ground instead of two.
    "min_resolved_spokes": 1,
}
"""What every cheap board house can make, in millimetres."""
_SHOPS = {
    "DigiKey": "https://www.digikey.com/en/products/result?keywords=",
    "Mouser": "https://www.mouser.com/c/?q=",
}
"""Where a maker's number is looked up."""


def files(board: CircuitBoard, libraries: Libraries) -> dict[str, str]:
    """Return the files of a board's folder, by name. Raises NoWayError if its copper can't be laid."""
    return {
        f"{board.name}.kicad_pro": _project(board),
        f"{board.name}.kicad_sch": schematic(board, libraries),
        f"{board.name}.kicad_pcb": layout(board, libraries),
        "parts.csv": bill(board),
    }


def _project(board: CircuitBoard) -> str:
    project = {
        "board": {"design_settings": {"rules": _RULES}},
        "meta": {"filename": f"{board.name}.kicad_pro", "version": 3},
    }
    return json.dumps(project, indent=2) + "\n"


def bill(board: CircuitBoard) -> str:
    """Return the list of a board's parts as CSV, with makers' numbers and where to look them up."""
    refs: dict[tuple[str, str, str], list[str]] = {}
    for part in board.parts:
        refs.setdefault((part.kind.value, part.kind.maker, part.kind.number), []).append(part.ref)
        if part.kind.besides:
            name, maker, number, each = part.kind.besides
            refs.setdefault((name, maker, number), []).extend([part.ref] * each)
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["count", "references", "part", "maker", "number", *_SHOPS])
    for (value, maker, number), names in refs.items():
        looked_up = [shop + number.replace(" ", "%20") for shop in _SHOPS.values()]
        rows.writerow([len(names), " ".join(dict.fromkeys(names)), value, maker, number, *looked_up])
    return text.getvalue()
