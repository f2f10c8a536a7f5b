"""What the guide assumes of a real table, each with the number by which its owner's figure decides whether it holds."""

import math
from enum import StrEnum

from msgspec import Struct

LONGEST_PART = 60
"""Characters by which somebody says what was measured."""


class Section(StrEnum):
    """What is measured together, in the order in which a table is built."""

    READER = "reader"
    NEIGHBOURS = "neighbours"
    BOX = "box"
    FIRST = "first"
    EVENING = "evening"


class Basis(StrEnum):
    """Where an assumption comes from."""

    EMULATED = "emulated"
    """A run of the real programs on emulated parts."""
    SHEET = "sheet"
    """A data sheet, or a standard."""
    CALCULATED = "calculated"
    GUESSED = "guessed"
    """By what other builders tell."""


class Assumption(Struct, frozen=True):
    """What is assumed of one figure."""

    name: str
    """Its sentence in the words is `measure-` and this."""
    section: Section
    basis: Basis
    unit: str = ""
    """As written after a figure; "": a plain number."""
    least: float = -math.inf
    """It holds for no lower figure."""
    most: float = math.inf
    """It holds for no higher one."""

    def holds_for(self, figure: float) -> bool:
        """Return whether a measured figure bears it out."""
        return self.least <= figure <= self.most


_READER = Section.READER
_NEIGHBOURS = Section.NEIGHBOURS
_BOX = Section.BOX
_FIRST = Section.FIRST
_EVENING = Section.EVENING

ASSUMPTIONS = (
    Assumption("polls", _READER, Basis.CALCULATED, "1/s", least=10),
    Assumption("share-middle", _READER, Basis.GUESSED, "%", least=90),
    Assumption("share-10-mm", _READER, Basis.GUESSED, "%", least=90),
    Assumption("reach", _READER, Basis.GUESSED, "mm", least=20),
    Assumption("reach-wood", _READER, Basis.CALCULATED, "mm", least=8),
    Assumption("first-answer", _READER, Basis.GUESSED, "s", most=1.5),
    Assumption("current-reader", _READER, Basis.SHEET, "A", most=0.15),
    Assumption("volts-reader", _READER, Basis.SHEET, "V", least=4.75, most=5.25),
    Assumption("volts-reset", _READER, Basis.SHEET, "V", least=3.0, most=3.6),
    Assumption("lying-card", _READER, Basis.GUESSED, most=0),
    Assumption("apart", _NEIGHBOURS, Basis.CALCULATED, "cm", most=10),
    Assumption("polls-bus", _NEIGHBOURS, Basis.EMULATED, "1/s", least=12),
    Assumption("speed-bus", _NEIGHBOURS, Basis.GUESSED, "kHz", least=500),
    Assumption("twelve-cards", _NEIGHBOURS, Basis.EMULATED, least=12),
    Assumption("current-readers", _NEIGHBOURS, Basis.SHEET, "A", most=1.05),
    Assumption("volts-fuse", _NEIGHBOURS, Basis.CALCULATED, "V", most=0.3),
    Assumption("press-doubt", _BOX, Basis.EMULATED, "ms", most=1),
    Assumption("bounce", _BOX, Basis.SHEET, "ms", most=5),
    Assumption("volts-lamp", _BOX, Basis.SHEET, "V", least=3.0),
    Assumption("lamp-presses", _BOX, Basis.CALCULATED, most=0),
    Assumption("current-lamps", _BOX, Basis.CALCULATED, "A", most=0.2),
    Assumption("box-plugs", _BOX, Basis.EMULATED, least=5),
    Assumption("box-asleep", _BOX, Basis.EMULATED, least=6),
    Assumption("box-stop-byte", _BOX, Basis.EMULATED, least=5),
    Assumption("box-installs", _BOX, Basis.EMULATED, least=3),
    Assumption("zero-wrong", _FIRST, Basis.EMULATED, most=0),
    Assumption("zero-from", _FIRST, Basis.EMULATED, "µs", most=0),
    Assumption("zero-distance", _FIRST, Basis.EMULATED, "µs", most=1),
    Assumption("zero-lower", _FIRST, Basis.EMULATED, "%", least=40, most=60),
    Assumption("disk", _EVENING, Basis.GUESSED, "ms", most=20),
    Assumption("pulled-plug", _EVENING, Basis.EMULATED, most=0),
    Assumption("hottest", _EVENING, Basis.GUESSED, "°C", most=70),
    Assumption("throttled", _EVENING, Basis.GUESSED, most=0),
)
"""In the order in which they are measured."""

BY_NAME = {assumption.name: assumption for assumption in ASSUMPTIONS}


def bounds(assumption: Assumption) -> str:
    """Return the number of an assumption as a sign and a figure: "≥ 90 %"."""
    unit = f" {assumption.unit}" if assumption.unit else ""
    if assumption.least == -math.inf:
        return f"≤ {assumption.most:g}{unit}" if assumption.most else f"0{unit}"
    if assumption.most == math.inf:
        return f"≥ {assumption.least:g}{unit}"
    return f"{assumption.least:g}–{assumption.most:g}{unit}"


def read_figure(text: str) -> float | None:
    """Return the number that somebody typed, with a point or a comma; None if it is none.

    >>> read_figure(" 4,9 ")
    4.9
    >>> read_figure("about 5")
    """
    try:
        figure = float(text.strip().replace(",", "."))
    except ValueError:
        return None
    return figure if math.isfinite(figure) and abs(figure) < 1e9 else None
