"""The model of a board, in millimetres: x right, y down, from the upper left corner, seen from the parts' side."""

import math
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple


class Layer(Enum):
    """A side's copper, as KiCad calls it."""

    TOP = "F.Cu"
    BOTTOM = "B.Cu"


@dataclass(frozen=True, slots=True)
class Point:
    """A place on the board, or a distance."""

    x: float
    y: float

    def turned(self, degrees: int) -> "Point":
        """Return it turned about the origin, counterclockwise as one sees it."""
        sine = round(math.sin(math.radians(degrees)))
        cosine = round(math.cos(math.radians(degrees)))
        return Point(self.x * cosine + self.y * sine, self.y * cosine - self.x * sine)

    def __add__(self, other: "Point") -> "Point":
        return Point(self.x + other.x, self.y + other.y)


class Besides(NamedTuple):
    """Something to buy with a part that has no place of its own on the board."""

    name: str
    maker: str
    number: str
    count: int


@dataclass(frozen=True, slots=True)
class PartType:
    """A type of part: its names in KiCad's libraries, and what to buy."""

    value: str
    symbol: str
    """Library and name of its symbol, like "Device:R"."""
    footprint: str
    """Library and name of its footprint."""
    maker: str = ""
    number: str = ""
    """The maker's number for it; "" if any maker's will do."""
    name_at: Point = Point(0, 0)
    """Where its reference is printed, from pin 1, before the part is turned: beside its body."""
    name_turned: int = 0
    besides: Besides | None = None
    """What else belongs to it, like the plug of a terminal."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part on the board."""

    ref: str
    kind: PartType
    at: Point
    """Of its pin 1."""
    nets: dict[str, str]
    """Pin → net; a pin that is not named is unconnected."""
    turned: int = 0
    """Degrees, counterclockwise."""


@dataclass(frozen=True, slots=True)
class Text:
    """A word on the silkscreen."""

    text: str
    at: Point
    size: float = 1.0
    turned: int = 0
    back: bool = False
    """Whether it stands on the solder side."""

    @property
    def half(self) -> Point:
        """About half its width and half its height."""
        long = self.size * len(self.text) * 0.5
        return Point(self.size, long) if self.turned else Point(long, self.size)


@dataclass(frozen=True, slots=True)
class Track:
    """A straight piece of copper with round ends."""

    layer: Layer
    begin: Point
    end: Point
    width: float
    net: str


@dataclass(frozen=True, slots=True)
class Via:
    """A plated hole that joins both sides."""

    at: Point
    ring: float
    """Its outer diameter."""
    drill: float
    net: str


@dataclass
class CircuitBoard:
    """A board with all that is on it, before its copper is laid."""

    name: str
    title: str
    width: float
    height: float
    parts: list[Part]
    texts: list[Text]
    fed: tuple[str, ...]
    """Nets that get their power from outside the board."""
    wide: dict[str, float] = field(default_factory=dict)
    """Nets that carry current, and how wide their tracks are."""

    @property
    def screws(self) -> list[Point]:
        """Where it is screwed down: holes of 3.2 mm in its corners."""
        return [Point(x, y) for x in (INSET, self.width - INSET) for y in (INSET, self.height - INSET)]


INSET = 3.6
"""From a board's edges to the middles of its screws."""
GROUND = "GND"
"""The net that both sides are poured with."""
REVISION = "B"
