"""What a board is made of, in millimetres: x to the right, y away from the sockets' edge; seen from the parts."""

from dataclasses import dataclass, field
from enum import Enum

UNIT = 1.27
"""All pins lie on this grid."""


class Layer(Enum):
    """A side's copper."""

    TOP = "F_Cu"
    BOTTOM = "B_Cu"


@dataclass(frozen=True)
class Point:
    """A place on the board."""

    x: float
    y: float


@dataclass(frozen=True)
class Pad:
    """A hole with a ring of copper on both sides: of a part's pin, or a via."""

    at: Point
    drill: float
    ring: float
    """Its outer diameter."""
    net: str
    """ "" for an unconnected pin."""
    pin: str = ""
    """Like "J1.2"; "" for a via."""


@dataclass(frozen=True)
class Track:
    """A straight piece of copper with round ends."""

    layer: Layer
    begin: Point
    end: Point
    width: float
    net: str


@dataclass(frozen=True)
class Part:
    """A part on the board."""

    ref: str
    what: str
    """What to buy."""
    pins: dict[str, Point]
    """Where each pin goes through."""
    nets: dict[str, str]
    """Pin → net; a pin that is not named is unconnected."""
    drill: float
    ring: float
    corners: tuple[Point, Point]
    """Of what it covers."""
    posts: tuple[Point, ...] = ()
    """Holes without copper that hold it."""
    label: str = ""
    """What is printed beside it, if its reference says too little."""


@dataclass
class CircuitBoard:
    """A board with all that is on it."""

    name: str
    title: str
    width: float
    height: float
    parts: list[Part]
    tracks: list[Track] = field(default_factory=list)
    vias: list[Pad] = field(default_factory=list)

    @property
    def pads(self) -> list[Pad]:
        """Every pin's pad, and every via."""
        pins = [
            Pad(at, part.drill, part.ring, part.nets.get(pin, ""), f"{part.ref}.{pin}")
            for part in self.parts
            for pin, at in part.pins.items()
        ]
        return [*pins, *self.vias]

    @property
    def screws(self) -> list[Point]:
        """Where it is screwed down: holes of 3.2 mm in its corners."""
        return [Point(x, y) for x in (3.5, self.width - 3.5) for y in (3.5, self.height - 3.5)]
