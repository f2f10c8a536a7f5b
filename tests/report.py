"""How `make bench`, `make trust` and their like are asked, and how what came of them is kept.

Each run adds lines of data to a `results.jsonl`. The end of the page beside it, `results.md`, is written anew from
them: of each part (a measurement, a trial) what its newest run found.
"""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from tests.bench.machine import machine

MARK = "<!-- From here on the page is written by programs. -->\n"


class Run(msgspec.Struct, frozen=True):
    """When, on what machine and by which command something was tried."""

    at: str
    """The start: year-month-day hour:minute."""
    machine: str
    command: str

    @property
    def heading(self) -> str:
        """What stands above its table on a terminal."""
        return f"\n{self.at}: {self.command}\n{self.machine}\n\n"


class Kept(msgspec.Struct, frozen=True):
    """What one part of a run found: a line of the data."""

    at: str
    machine: str
    command: str
    part: str
    """The measurement or trial."""
    rows: Sequence[Mapping[str, Any]]
    """Each as the module that wrote it knows to read it."""


def parsed_options(module: str, description: str, names: Iterable[str], args: list[str]) -> argparse.Namespace:
    """Read `--quick` and `--only NAME`, which may be repeated."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=description)
    parser.add_argument("--quick", action="store_true", help="a small part of each; nothing is kept")
    parser.add_argument("--only", action="append", choices=names, help="only this; may be repeated")
    return parser.parse_args(args)


def run_now(module: str, args: list[str]) -> Run:
    """Return the run that begins now."""
    return Run(f"{datetime.now():%Y-%m-%d %H:%M}", machine(), f"python -m {module} {' '.join(args)}".rstrip())


def keep(data: Path, run: Run, part: str, rows: Iterable[object]) -> None:
    """Add what a run found in one part."""
    record = Kept(run.at, run.machine, run.command, part, [*map(msgspec.to_builtins, rows)])
    with data.open("ab") as file:
        file.write(msgspec.json.encode(record) + b"\n")


def latest(data: Path, parts: Iterable[str]) -> list[Kept]:
    """Return what the newest run of each part found."""
    decode = msgspec.json.Decoder(Kept).decode
    every = sorted(map(decode, data.read_bytes().splitlines()), key=lambda record: record.at)
    newest = {record.part: record for record in every}
    return [newest[part] for part in parts if part in newest]


def runs_of(records: Sequence[Kept]) -> str:
    """List when and on what machine these parts were run."""
    runs = dict[tuple[str, str], list[str]]()
    for part in sorted(records, key=lambda part: part.at):
        runs.setdefault((part.at, part.machine), []).append(part.part)
    return "".join(f"- {at}: {', '.join(parts)}. {machine}\n" for (at, machine), parts in runs.items())


def write_page(page: Path, tables: str) -> None:
    """Put these tables below the mark of a page, in place of the former ones."""
    prose, mark, _ = page.read_text(encoding="utf-8").partition(MARK)
    assert mark, f"{page} has no line that says from where on programs write"
    page.write_text(f"{prose}{MARK}\n{tables}", encoding="utf-8")
