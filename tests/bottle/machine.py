"""The machine that the table runs on: its clocks, its chance and its journal, all from one lot and in one hand."""

import logging
import random
import secrets
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest import mock

from companion import wall_clock
from companion.devices import monotonic_clock
from companion.wall_clock import Trust
from tests.wall_clock import MachineClock

BEGAN = "2026-11-28T19:00"


class Machine:
    """Time stands still until it is let pass."""

    def __init__(self, chance: random.Random) -> None:
        self.now = 50.0
        self.elsewhere = 0.0
        """Seconds by the clock of a machine that is never off."""
        self.wall = MachineClock(BEGAN)
        self._chance = chance

    def __call__(self) -> float:
        """Return the seconds since the machine started, which nobody sets."""
        return self.now

    def passes(self, seconds: float) -> None:
        self.now += seconds
        self.elsewhere += seconds
        self.wall.passes(seconds)

    def starts_again(self) -> None:
        """It was off for a while; without a clock of its own it wakes up in the past, now and then."""
        chance = self._chance
        when, trust = chance.choice(((BEGAN, Trust.LIKELY), ("1970-01-01T00:00", Trust.UNKNOWN)))
        self.now = chance.choice((self.now + chance.uniform(1, 100), 10.0))
        self.wall.starts_again(when, trust)

    def jumps(self) -> None:
        """Somebody sets the wall clock."""
        chance = self._chance
        year = chance.choice((1999, 2026, 2026, 2038, 2107))
        self.wall.is_set(f"{year}-0{chance.randint(1, 9)}-1{chance.randint(0, 9)}T12:00", chance.choice([*Trust]))

    def hex(self, size: int) -> str:
        return self._chance.randbytes(size).hex()


@contextmanager
def folder_in_memory() -> Iterator[Path]:
    """Yield an empty folder, in memory if this machine has a file system there."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as scratch:
        folder = Path(scratch) / "table"
        folder.mkdir()
        yield folder


@contextmanager
def running(machine: Machine) -> Iterator[None]:
    """Let the companion have this machine's clocks and chance."""
    logging.disable(logging.CRITICAL)
    with ExitStack() as stack:
        stack.callback(logging.disable, logging.NOTSET)
        for where, name, ours in (
            (wall_clock, "read", lambda: machine.wall.now),
            (monotonic_clock, "_ticking", machine),
            (secrets, "token_hex", machine.hex),
            (secrets, "choice", machine._chance.choice),
            (random, "uniform", machine._chance.uniform),
            (time, "sleep", machine.passes),
        ):
            stack.enter_context(mock.patch.object(where, name, ours))
        yield
