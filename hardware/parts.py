"""The parts of the three tables, from `parts.csv`: what they are, how many, and what they cost about."""

import csv
import re
from pathlib import Path
from typing import NamedTuple

TABLES = ("one-reader", "four-seats", "six-seats")
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
    counts: tuple[int, ...]
    """How many for each of `TABLES`."""


def read() -> list[Purchase]:
    """Return the parts in the order of the file."""
    with (Path(__file__).parent / "parts.csv").open(encoding="utf-8", newline="") as file:
        return [
            Purchase(row["part"], row["what to look for"], float(row["euros each"]), tuple(int(row[t]) for t in TABLES))
            for row in csv.DictReader(file)
        ]


def cost(table: str) -> float:
    """Return what a table costs, in euros."""
    column = TABLES.index(table)
    return sum(part.each * part.counts[column] for part in read())


def listed_in(guide: str) -> str:
    """Return the guide with its list of parts rewritten."""
    rows = [f"| part | what to look for | each | {' | '.join(TABLES)} |", "|---|---|--:|--:|--:|--:|"]
    for part in read():
        counts = " | ".join(str(count or "") for count in part.counts)
        rows.append(f"| {part.name} | {part.what} | {part.each:g} € | {counts} |")
    totals = " | ".join(f"**{cost(table):.0f} €**" for table in TABLES)
    rows.append(f"| **about, in all** | | | {totals} |")
    return _LIST.sub(lambda found: found[1] + "\n" + "\n".join(rows) + "\n\n" + found[2], guide)
