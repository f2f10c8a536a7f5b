"""How often who was first was told rightly, as a file that is kept and drawn."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

KEPT = Path(__file__).parent / "shares.csv"
_HEAD = ("buttons", "tie window, ms", "gap, µs", "right", "dead heat", "wrong")


class Share(NamedTuple):
    """The verdicts of one kind of buttons at one gap."""

    kind: str
    window: float
    """Seconds."""
    gap: float
    """Microseconds."""
    right: int
    dead_heat: int
    wrong: int

    @property
    def rounds(self) -> int:
        """All of them."""
        return self.right + self.dead_heat + self.wrong


def keep(shares: Iterable[Share]) -> None:
    """Write them to the file that is drawn."""
    with KEPT.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(_HEAD)
        lines.writerows((kind, f"{window * 1e3:g}", f"{gap:g}", *counts) for kind, window, gap, *counts in shares)


def kept() -> Sequence[Share]:
    """Read the file."""
    with KEPT.open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    return [Share(row[0], float(row[1]) / 1e3, float(row[2]), *map(int, row[3:])) for row in rows]
