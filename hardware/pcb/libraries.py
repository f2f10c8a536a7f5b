"""KiCad's own symbols and footprints, read from where its packages lie."""

from dataclasses import dataclass
from pathlib import Path

from hardware.pcb.model import Part, Point
from hardware.pcb.sexpr import Node, child, children, numbers, parsed, quoted, unquoted, words


@dataclass(frozen=True, slots=True)
class Pad:
    """A pad of a footprint, turned as its part is; a hole without copper has no number."""

    number: str
    at: Point
    """On the board."""
    half: Point
    """Half its width and half its height."""
    plated: bool


@dataclass(frozen=True, slots=True)
class Pin:
    """A symbol's pin: where a wire meets it, from the symbol's middle, y down; and the way out, in degrees."""

    number: str
    name: str
    at: Point
    out: int


@dataclass(frozen=True)
class Libraries:
    """The folder with KiCad's `symbols` and `footprints`."""

    folder: Path

    def footprint(self, name: str) -> Node:
        """Return a footprint. Raises OSError if the library has none of that name."""
        library, _, own = name.partition(":")
        return parsed((self.folder / f"footprints/{library}.pretty/{own}.kicad_mod").read_text(encoding="utf-8"))

    def symbol(self, name: str) -> Node:
        """Return a symbol under its full name. Raises KeyError if the library has none of that name."""
        library, _, own = name.partition(":")
        # A library has up to 3 MB: parse the one symbol alone, found by its single tab of indentation.
        text = (self.folder / f"symbols/{library}.kicad_sym").read_text(encoding="utf-8")
        begin = text.find(f"\n\t(symbol {quoted(own)}\n")
        if begin < 0:
            raise KeyError(name)
        symbol = parsed(text[begin : text.index("\n\t)", begin) + 3])
        symbol[1] = quoted(name)
        return symbol

    def pads(self, part: Part) -> list[Pad]:
        """Return a part's pads and holes, on the board."""
        found = []
        for pad in children(self.footprint(part.kind.footprint), "pad"):
            x, y, *_ = numbers(pad, "at")
            width, height = numbers(pad, "size")
            half = Point(height / 2, width / 2) if part.turned % 180 else Point(width / 2, height / 2)
            number = unquoted(str(pad[1]))
            found.append(Pad(number, part.at + Point(x, y).turned(part.turned), half, pad[2] == "thru_hole"))
        return found

    def keepouts(self, part: Part) -> list[Pad]:
        """Return where a footprint wants no copper, like under an antenna: as holes without copper."""
        found = []
        for zone in children(self.footprint(part.kind.footprint), "zone"):
            if words(child(zone, "keepout"), "tracks") == ["allowed"]:
                continue
            corners = [part.at + corner.turned(part.turned) for corner in outline(zone)]
            low = Point(min(corner.x for corner in corners), min(corner.y for corner in corners))
            high = Point(max(corner.x for corner in corners), max(corner.y for corner in corners))
            middle = Point((low.x + high.x) / 2, (low.y + high.y) / 2)
            found.append(Pad("", middle, Point((high.x - low.x) / 2, (high.y - low.y) / 2), plated=False))
        return found

    @staticmethod
    def pins(symbol: Node) -> list[Pin]:
        """Return a symbol's pins."""
        found = []
        for unit in children(symbol, "symbol"):
            for pin in children(unit, "pin"):
                x, y, angle = numbers(pin, "at")
                (number,) = words(pin, "number")
                # KiCad's angle leads from the wire's end into the symbol, and its y counts upwards.
                found.append(Pin(number, words(pin, "name")[0], Point(x, -y), (int(angle) + 180) % 360))
        return found


def outline(zone: Node) -> list[Point]:
    """Return the corners of a zone."""
    corners = children(child(child(zone, "polygon"), "pts"), "xy")
    return [Point(float(str(x)), float(str(y))) for _, x, y in corners]
