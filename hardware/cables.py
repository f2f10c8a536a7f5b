"""The wiring cable by cable, as tables to print and tick off: `wiring/cables.md`, from the files of the drawings."""

from pathlib import Path
from typing import Any

from wireviz import wireviz

WIRING = Path(__file__).parent / "wiring"
NAMES = ("one-reader", "four-seats", "six-seats", "box")
_COLOURS = {
    "BK": "black",
    "BN": "brown",
    "BU": "blue",
    "GN": "green",
    "GY": "grey",
    "OG": "orange",
    "RD": "red",
    "WH": "white",
    "YE": "yellow",
}
_HEAD = """# Every cable, wire by wire

Written by `make hardware` from the files of the [drawings](../README.md#wiring). Print your table's part; tick each
wire off once it is connected, and again once a multimeter shows that it leads where it should, and nowhere else.
"""


def sheet() -> str:
    """Return the tables of all wirings."""
    return "\n".join([_HEAD, *(_wiring(name) for name in NAMES)])


def colour(code: str) -> str:
    """Return a wire's colour in words: "white and blue" for WHBU.

    >>> colour("WHBU")
    'white and blue'
    """
    return " and ".join(_COLOURS[code[at : at + 2]] for at in range(0, len(code), 2))


def _wiring(name: str) -> str:
    harness = wireviz.parse(WIRING / f"{name}.yaml", return_types="harness")
    title = harness.metadata["title"]
    return "\n".join([f"## {title}\n", *(_cable(harness, cable) for cable in harness.cables.values())])


def _cable(harness: Any, cable: Any) -> str:
    kind = f"{cable.type}, {cable.length:g} m" if cable.type else f"single wires, {cable.length:g} m"
    notes = f" {cable.notes[0].upper()}{cable.notes[1:]}." if cable.notes else ""
    rows = [
        f"| {colour(cable.colors[wire.via_port - 1])} | {_end(harness, wire.from_name, wire.from_pin)} "
        f"| {_end(harness, wire.to_name, wire.to_pin)} | ☐ ☐ |"
        for wire in cable.connections
    ]
    head = ["| wire | from | to | connected, measured |", "|---|---|---|---|"]
    return "\n".join([f"**{cable.name}** ({kind}).{notes}\n", *head, *rows, ""])


def _end(harness: Any, name: str, pin: int) -> str:
    connector = harness.connectors[name]
    label = connector.pinlabels[connector.pins.index(pin)]
    number = f", pin {pin}" if name in ("PI", "PICO") else ""
    return f"{name}: **{label}**{number}"
