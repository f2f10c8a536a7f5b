"""The parts of the three tables, from `parts.csv`: what they are, how many, and what they cost about."""

import csv
import re
from pathlib import Path
from typing import NamedTuple

TABLES = ("one-reader", "four-seats", "six-seats")
WAYS = ("boards", "stripboard")
"""The printed boards, or none."""
_LIST = re.compile(
    r"(<!-- parts: `make hardware` writes this list from parts.csv -->\n).*?(<!-- end of parts -->)", re.S
)


class Purchase(NamedTuple):
    """A row of the list."""

    name: str
    what: str
    """What to look for when buying."""
    each: float
    """Euros, about."""
    way: str
    """Of `WAYS`, the one that needs it; "" for both."""
    counts: tuple[int, ...]
    """How many for each of `TABLES`."""


def read() -> list[Purchase]:
    """Return the parts in the order of the file."""
    with (Path(__file__).parent / "parts.csv").open(encoding="utf-8", newline="") as file:
        return [
            Purchase(
                row["part"],
                row["what to look for"],
                float(row["euros each"]),
                row["way"],
                tuple(int(row[table]) for table in TABLES),
            )
            for row in csv.DictReader(file)
        ]


def cost(table: str, way: str) -> float:
    """Return what a table costs when it is built in one of the two ways, in euros."""
    column = TABLES.index(table)
    return sum(part.each * part.counts[column] for part in read() if part.way in ("", way))


def listed_in(guide: str) -> str:
    """Return the guide with its list of parts rewritten."""
    rows = [f"| part | what to look for | only for | each | {' | '.join(TABLES)} |", "|---|---|---|--:|--:|--:|--:|"]
    for part in read():
        counts = " | ".join(str(count or "") for count in part.counts)
        rows.append(f"| {part.name} | {part.what} | {part.way} | {part.each:g} € | {counts} |")
    for way in WAYS:
        totals = " | ".join(f"**{cost(table, way):.0f} €**" for table in TABLES)
        rows.append(f"| **about, in all** | | {way} | | {totals} |")
    return _LIST.sub(lambda found: found[1] + "\n" + "\n".join(rows) + "\n\n" + found[2], guide)
