"""The real `companion run`, which writes beside its log what the buzzer box told, and how its clock goes.

    python -m tests.trust.journal TABLE.toml

The log keeps of a press when it was, but not how sure that is.
"""

import os
import sys
import time
from pathlib import Path
from typing import Any

import msgspec

from companion import config
from companion.cli import run
from companion.devices.sensing import Buzzed, Sensing
from companion.live.table import Live


class Told(msgspec.Struct):
    """A line of the journal: a press as the driver told it; with no origin, the start of a program."""

    offset: float
    """What the table's clock is ahead of the machine's raw one, in seconds."""
    at: float
    """On the table's clock, as what follows."""
    seat: int = 0
    uncertainty: float = 0.0
    origin: str = ""


def raw() -> float:
    """Give the machine's clock that nobody sets or slews."""
    return time.clock_gettime(time.CLOCK_MONOTONIC_RAW)


def journal(log: Path) -> Path:
    return log.with_name("journal.jsonl")


def errors(log: Path) -> Path:
    """Give where the program's complaints go."""
    return log.with_name("errors.txt")


def main(path: str) -> None:
    described = config.load(Path(path))
    with errors(described.log).open("ab") as said:
        os.dup2(said.fileno(), sys.stderr.fileno())
    tell, begin = Live.tell, Live.__init__
    beside = journal(described.log).open("ab", buffering=0)

    def write(told: Told) -> None:
        beside.write(msgspec.json.encode(told) + b"\n")

    def begun(self: Live, *args: Any, **more: Any) -> None:
        begin(self, *args, **more)
        now = self.clock()
        write(Told(now - raw(), now))

    def telling(self: Live, *sensings: Sensing) -> None:
        offset = self.clock() - raw()
        for told in sensings:
            if isinstance(told, Buzzed):
                write(Told(offset, told.at, told.seat, told.uncertainty, told.origin))
        tell(self, *sensings)

    Live.__init__, Live.tell = begun, telling  # type: ignore[method-assign]
    run.keep(described, anyway=True)


if __name__ == "__main__":
    main(sys.argv[1])
