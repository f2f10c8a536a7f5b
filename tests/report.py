"""How `make bench` and `make trust` are asked, and how what came of them is kept: a dated section for each run."""

import argparse
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from tests.bench.machine import machine


def asked(module: str, description: str, names: Iterable[str], args: list[str]) -> argparse.Namespace:
    """Read `--quick` and `--only NAME`, which may be repeated."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=description)
    parser.add_argument("--quick", action="store_true", help="a small part of each; nothing is kept")
    parser.add_argument("--only", action="append", choices=names, help="only this; may be repeated")
    return parser.parse_args(args)


def heading(module: str, args: list[str]) -> str:
    """Say when, on what machine and by which command."""
    command = f"python -m {module} {' '.join(args)}".rstrip()
    return f"\n## {datetime.now():%Y-%m-%d %H:%M}\n\n{machine()}  \n`{command}`\n\n"


def keep(results: Path, section: str) -> None:
    """Add a section to what was kept before."""
    with results.open("a", encoding="utf-8") as file:
        file.write(section)
