"""The two boards: what is on them and what is joined to what.

Every cable is a Cat 5e patch cable cut in half: its plug goes into a socket here, its wires are soldered to a reader or
a pod, in the colours of the common order (T568B), each signal twisted with ground or with a wire that rests.
"""

from collections.abc import Callable, Iterator
from itertools import count

from hardware.pcb.model import UNIT, CircuitBoard, Part, Point
from hardware.pcb.routing import TRACK, CycleError, Terminal, routed

COLOURS = ("WHOG", "OG", "WHGN", "BU", "WHBU", "GN", "WHBN", "BN")
"""Of the wires at a plug's contacts 1 to 8."""
PLACES = ("centre", "seat-1", "seat-2", "seat-3", "seat-4", "seat-5", "seat-6")

_SOCKETS = 7
_BETWEEN = 14 * UNIT
_MARGIN = 8 * UNIT
_EDGE = 10 * UNIT
"""From the edge to the first row of a socket's contacts: its mouth sticks out 1.27 mm over the edge."""
_SOCKET = "RJ45 socket, lying, without a shield (the pattern of Amphenol 54602-908LF)"
_WIDE = 1.0


def _socket(number: int, label: str, nets: dict[int, str]) -> Part:
    """Return a socket by Amphenol's drawing C-BMJ-0102, as KiCad's library has it (RJ45_Amphenol_54602-x08_Horizontal).

    The drawing has holes of 0.76 mm for contacts and of 3.2 mm for posts; sockets of the same pattern by others want
    0.9 and 3.25 mm, which take both.
    """
    left = _MARGIN + (number - 1) * _BETWEEN
    pins = {str(n): Point(left + (n - 1) * UNIT, _EDGE + (0 if n % 2 else 2 * UNIT)) for n in range(1, 9)}
    posts = (Point(left - UNIT, _EDGE - 5 * UNIT), Point(left + 8 * UNIT, _EDGE - 5 * UNIT))
    covers = Point(left - 2.6 * UNIT, 0.0), Point(left + 9.6 * UNIT, _EDGE + 3.2 * UNIT)
    named = {str(n): net for n, net in nets.items()}
    return Part(f"J{number}", _SOCKET, pins, named, 0.9, 1.5, covers, posts, label)


def _row(ref: str, what: str, at: Point, steps: int, nets: dict[str, str], pins: int = 2, drill: float = 0.9) -> Part:
    """Return a part whose pins lie in a row, so many units apart."""
    places = {str(n): Point(at.x + (n - 1) * steps * UNIT, at.y) for n in range(1, pins + 1)}
    last = list(places.values())[-1]
    covers = Point(at.x - 1.2, at.y - 1.6), Point(last.x + 1.2, at.y + 1.6)
    return Part(ref, what, places, nets, drill, drill + 0.6, covers)


def _header(at: Point, nets: dict[str, str]) -> Part:
    """Return the Pi's pins, by a flat cable: odd numbers in the row next to the channel."""
    pins = {str(n): Point(at.x + (n - 1) // 2 * 2 * UNIT, at.y + (0 if n % 2 else 2 * UNIT)) for n in range(1, 41)}
    covers = Point(at.x - 4.5, at.y - 2.0), Point(at.x + 38 * UNIT + 4.5, at.y + 2 * UNIT + 2.0)
    return Part("J8", "box header 2 × 20, 2.54 mm, and a flat cable to the Pi", pins, nets, 1.0, 1.5, covers)


def _pico(at: Point, nets: dict[str, str]) -> Part:
    """Return a Pico whose USB socket looks to the left: pins 1 to 20 in the row next to the channel."""
    pins = {str(n): Point(at.x + (n - 1) * 2 * UNIT, at.y) for n in range(1, 21)}
    pins |= {str(n): Point(at.x + (40 - n) * 2 * UNIT, at.y + 14 * UNIT) for n in range(21, 41)}
    covers = Point(at.x - 2.6, at.y - 1.7), Point(at.x + 38 * UNIT + 1.4, at.y + 14 * UNIT + 1.7)
    return Part("U1", "two socket strips of 20, 2.54 mm, and a Raspberry Pi Pico H", pins, nets, 1.0, 1.5, covers)


def _terminals(parts: list[Part], channel: float, wide: set[str]) -> Iterator[Terminal]:
    """Yield the way of each pin into the channel; one that is behind another pin steps aside first."""
    inner = {(round(at.x, 3), round(at.y, 3)) for part in parts for at in part.pins.values()}
    for part in parts:
        for pin, net in part.nets.items():
            at = part.pins[pin]
            above = at.y > channel
            behind = above and any(x == round(at.x, 3) and channel < y < at.y - 0.1 for x, y in inner)
            aside = Point(at.x + UNIT, at.y - UNIT)
            width = _WIDE if part.ref in wide else TRACK
            yield Terminal(net, above, (at, aside) if behind else (at,), width)


def _made(
    name: str,
    title: str,
    sockets: list[Part],
    others: Callable[[float, float], list[Part]],
    power: dict[str, float],
    wide: set[str],
) -> CircuitBoard:
    """Lay out a board: find where the parts above stand so that rows can be ordered, and how high the channel is."""
    floor = _EDGE + 2 * UNIT + 2.4
    channel = floor - 0.5
    for shift in count():
        tried = [*sockets, *others(_MARGIN + shift * UNIT, 200.0)]
        try:
            *_, top = routed(_terminals(tried, channel, wide), floor, power)
        except CycleError:
            if shift > 2 * _BETWEEN / UNIT:
                raise
            continue
        break
    line = (int((top + 3.0) / UNIT) + 1) * UNIT
    parts = [*sockets, *others(_MARGIN + shift * UNIT, line)]
    tracks, vias, _ = routed(_terminals(parts, channel, wide), floor, power)
    width = 2 * _MARGIN + (_SOCKETS - 1) * _BETWEEN + 7 * UNIT
    height = max(corner.y for part in parts for corner in part.corners) + 9.0
    return CircuitBoard(name, title, round(width, 2), round(height, 2), parts, tracks, vias)


def bus() -> CircuitBoard:
    """Return the bus board: the Pi's header to seven readers on SPI, as six-seats.yaml has it."""
    selects = {"centre": (33, 13), "seat-1": (7, 11), "seat-2": (29, 12), "seat-3": (31, 15)}
    selects |= {"seat-4": (26, 16), "seat-5": (24, 18), "seat-6": (32, 22)}
    sockets = [
        _socket(
            n,
            place,
            {
                1: "GND",
                2: "5V",
                3: "GND",
                4: "MISO",
                5: f"RST {place}",
                6: "SCK",
                7: f"SS {place}",
                8: "MOSI",
            },
        )
        for n, place in enumerate(PLACES, 1)
    ]
    header = dict.fromkeys(("2", "4"), "5V in") | dict.fromkeys(("6", "9", "14", "20"), "GND")
    header |= {"23": "SCK in", "21": "MISO", "19": "MOSI in"}
    for place, (select, reset) in selects.items():
        header |= {str(select): f"SS {place}", str(reset): f"RST {place}"}

    def others(x: float, y: float) -> list[Part]:
        right = x + 46 * UNIT
        return [
            _header(Point(x, y), header),
            _row("F1", "resettable fuse of 1.5 A, 5.08 mm", Point(right, y), 4, {"1": "5V in", "2": "5V"}),
            _row("R1", "100 Ω, 0.25 W", Point(right + 9 * UNIT, y), 8, {"1": "SCK in", "2": "SCK"}),
            _row("R2", "100 Ω, 0.25 W", Point(right + 21 * UNIT, y), 8, {"1": "MOSI in", "2": "MOSI"}),
        ]

    power = {"5V": 2.5, "5V in": 2.0, "GND": 2.5}
    return _made("bus", "Bus board: seven readers on SPI", sockets, others, power, {"F1"})


def box() -> CircuitBoard:
    """Return the box's board: a Pico to six pods and the centre pad's lamp, as box.yaml has it."""
    ground = dict.fromkeys((1, 3, 5, 7), "GND")
    back = {n: {8: f"lamp {n + 1}"} for n in range(1, 6)}  # the last lamp's way back leads nowhere
    sockets = [
        _socket(n, f"seat {n}", {**ground, 2: "+LAMPS", 4: f"button {n}", 6: f"lamp {n}", **back.get(n, {})})
        for n in range(1, 7)
    ]
    sockets.append(_socket(7, "centre", {**ground, 2: "+LAMPS", 6: "lamp centre"}))
    pico = {str(pin): f"button {n}" for n, pin in enumerate((4, 5, 6, 7, 9, 10), 1)}
    pico |= {"11": "GP8", "12": "GP9", "3": "GND", "8": "GND", "38": "GND", "40": "VBUS", "36": "3V3"}
    pulls = {"1": "3V3"} | {str(n + 1): f"button {n}" for n in range(1, 7)}

    def others(x: float, y: float) -> list[Part]:
        right = x + 43 * UNIT
        return [
            _pico(Point(x, y), pico),
            _row("R3", "330 Ω, 0.25 W", Point(right, y), 6, {"1": "GP8", "2": "lamp 1"}),
            _row("R4", "330 Ω, 0.25 W", Point(right + 9 * UNIT, y), 6, {"1": "GP9", "2": "lamp centre"}),
            _row("D1", "diode 1N4001, its ring at pin 2", Point(right + 18 * UNIT, y), 8, {"1": "VBUS", "2": "+LAMPS"}),
            _row("C1", "470 µF, 10 V, its minus at pin 2", Point(right + 29 * UNIT, y), 4, {"1": "+LAMPS", "2": "GND"}),
            _row("N1", "resistor network 6 × 4.7 kΩ, 7 pins", Point(right, y + 8 * UNIT), 2, pulls, pins=7),
        ]

    power = {"+LAMPS": 2.0, "VBUS": 1.5, "GND": 2.5}
    return _made("box", "Box: a Pico, six pods, the centre pad's lamp", sockets, others, power, {"D1"})
