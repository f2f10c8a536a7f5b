"""The wiring cable by cable, as tables to print and tick off: `wiring/cables.md`, from the files of the drawings."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from wireviz import wireviz

from hardware.pcb import boards

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
_READER_PADS = {"5V": "VCC", "RST": "RSTPD_N"}
"""The reader's pads whose names differ from those of the bus board's contacts."""
_POD_ENDS = {
    # a wire, by its colour: the pole of the plug, and its other end in the pod
    "WHOG": ("GND", "LAMP: **GND**"),
    "OG": ("+5V", "LAMP: **+5V**"),
    "WHGN": ("GND", "LAMP: **GND**"),
    "BU": ("BTN", "BUTTON: **contact**"),
    "WHBU": ("GND", "BUTTON: **other contact**"),
    "GN": ("DIN", "LAMP: **DIN**"),
    "WHBN": ("GND", "LAMP: **GND**"),
    "BN": ("DOUT", "LAMP: **DOUT**"),
}
_CENTRE_COLOURS = ("WHOG", "OG", "WHGN", "GN")
_HEAD_OF_TABLE = ("| wire | from | to | connected, measured |", "|---|---|---|---|")
_HEAD = """# Every cable, wire by wire

Written by `make hardware` from the files of the [drawings](../README.md#wiring). Print your table's part; tick each
wire off once it is connected, and again once a multimeter shows that it leads where it should, and nowhere else. After
the cables comes what is not in any: the links from terminal to terminal, and what else to see to. The printed boards
have one kind of cable for each kind of place, and stand last: first the box's, for four and for six seats, then the
bus board's, for six. A cable is half a patch cable; one of 1.5 m is half of 3 m.
"""


def sheet() -> str:
    """Return the tables of all wirings."""
    return "\n".join([_HEAD, *(_wiring(name) for name in NAMES), _printed_boards()])


def colour(code: str) -> str:
    """Return a wire's colour in words: "white and blue" for WHBU.

    >>> colour("WHBU")
    'white and blue'
    """
    return " and ".join(_COLOURS[code[at : at + 2]] for at in range(0, len(code), 2))


def _wiring(name: str) -> str:
    harness = wireviz.parse(WIRING / f"{name}.yaml", return_types="harness")
    connectors = harness.connectors.values()
    tables = [_cable(harness, cable) for cable in harness.cables.values()]
    tables += [_links(harness, connector) for connector in connectors if connector.loops]
    points = dict.fromkeys(point for connector in connectors for point in _points(connector))
    listed = [f"- [ ] {point}" for point in points]
    return "\n".join(
        [f"## {harness.metadata['title']}\n", *tables, *(["**Besides**\n", *listed, ""] if listed else ())]
    )


def _printed_boards() -> str:
    """Return the tables of each printed board's cables, one for each kind, taken from the boards' own model.

    A plug of the box goes by the name that the board prints beside it.
    """
    readers = [
        (colour(code), f"plug, contact {contact}: {net}", f"READER: **{_READER_PADS.get(net, net)}**")
        for contact, (code, net) in enumerate(zip(boards.COLOURS, boards.READER, strict=True), 1)
    ]
    pods = [(colour(code), f"SEAT: **{_POD_ENDS[code][0]}**", _POD_ENDS[code][1]) for code in boards.COLOURS]
    centre = [(colour(code), f"CENTRE: **{_POD_ENDS[code][0]}**", _POD_ENDS[code][1]) for code in _CENTRE_COLOURS]
    box = (
        (
            "**a pod's cable**, one for each seat (half a patch cable, its plug cut off; 1 m, at a short end 1.5 m). "
            "SEAT is the green plug where the board prints SEAT 1, SEAT 2 …; LAMP and BUTTON are in the pod.",
            pods,
        ),
        ("**the centre lamp's cable**, once (likewise, 1.5 m, four cores spare). CENTRE is the plug of three.", centre),
    )
    bus = (
        (
            f"**a reader's cable**, {len(boards.PLACES)} times (half a patch cable, its plug left on; 1 m, of the "
            "centre and at a short end 1.5 m).",
            readers,
        ),
    )
    at_each = (
        "the colours are T568B's: look at the plug, and at each cable again",
        "no continuity between the wires for 5 V and GND, before a cable is plugged in",
    )
    white = "a pod's four white wires are twisted together into its one pole GND"
    flat = "the flat cable's red edge at the square pad of the bus board, and at the Pi's corner beside the memory card"
    return "\n".join(
        [
            _board("The printed box: pods and centre lamp, four seats and six", box, (*at_each, white)),
            _board("The printed bus board: readers, six seats", bus, (*at_each, flat)),
        ]
    )


def _board(title: str, kinds: Iterable[tuple[str, list[tuple[str, str, str]]]], points: Iterable[str]) -> str:
    tables = ["\n".join([f"{kind}\n", *_HEAD_OF_TABLE, *map(_row, wires), ""]) for kind, wires in kinds]
    listed = [f"- [ ] {point}" for point in points]
    return "\n".join([f"## {title}\n", *tables, "**Besides**\n", *listed, ""])


def _row(wire: tuple[str, str, str]) -> str:
    return f"| {' | '.join(wire)} | ☐ ☐ |"


def _cable(harness: Any, cable: Any) -> str:
    kind = f"{cable.type}, {cable.length:g} m" if cable.type else f"single wires, {cable.length:g} m"
    notes = f" {cable.notes[0].upper()}{cable.notes[1:]}." if cable.notes else ""
    wires = (
        (colour(cable.colors[wire.via_port - 1]), (wire.from_name, wire.from_pin), (wire.to_name, wire.to_pin))
        for wire in cable.connections
    )
    return _table(harness, f"**{cable.name}** ({kind}).{notes}", wires)


def _links(harness: Any, connector: Any) -> str:
    wires = (("any", (connector.name, one), (connector.name, other)) for one, other in connector.loops)
    return _table(harness, f"**links** (short wires from terminal to terminal of the {connector.type}).", wires)


def _points(connector: Any) -> Iterable[str]:
    """Yield the points of a part's note in the drawing, one by one; those that all readers share read the same."""
    every = "each READER" if connector.name.startswith("READER") else connector.name
    for point in (connector.notes or "").split("; "):
        if point:
            yield f"{every}: {point}"


def _table(harness: Any, title: str, wires: Iterable[tuple[str, tuple[str, int], tuple[str, int]]]) -> str:
    rows = [_row((wire, _end(harness, *one), _end(harness, *other))) for wire, one, other in wires]
    return "\n".join([f"{title}\n", *_HEAD_OF_TABLE, *rows, ""])


def _end(harness: Any, name: str, pin: int) -> str:
    connector = harness.connectors[name]
    label = connector.pinlabels[connector.pins.index(pin)]
    number = f", pin {pin}" if name in ("PI", "PICO") else ""
    return f"{name}: **{label}**{number}"
