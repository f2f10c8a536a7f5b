"""A table that keeps what one source tells it."""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.devices.sensing import NotThere, Sensing, Source
from tests.devices.table import Table, listening_to
from tests.kernel.pins import Pins
from tests.waiting import until

SEATS = (1, 2, 3, 4, 5, 6)
LINES = (17, 27, 22, 23, 24, 25)
LINE = dict(zip(SEATS, LINES, strict=True))
LONG_S = 20.0
BUILD = Path(os.environ.get("COMPANION_KERNEL", ""))
"""Where the machine finds what was built for it."""


class SlowTable(Table):
    """May be held up, as by a slow disk."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Event()
        self.gate.set()

    def __call__(self, *sensings: Sensing) -> None:
        self.gate.wait(LONG_S)
        super().__call__(*sensings)


@contextmanager
def listening(source: Source) -> Iterator[SlowTable]:
    table = SlowTable()
    with listening_to(source, table):
        until(table.works)
        try:
            yield table
        finally:
            table.gate.set()


def refusal(source: Source) -> str:
    """Why it does not start."""
    with pytest.raises(NotThere) as refused:
        source.start()
    source.close()
    return str(refused.value)


def bounce(pins: Pins, line: int, bounces: int) -> bool:
    """Let a contact open and close many times; it ends closed.

    Gives False if it was open for long meanwhile: then the emulator stood still, and it is no bouncing any more.
    """
    longest = 0.0
    opened = time.monotonic()
    for left in reversed(range(bounces + 1)):
        pins.press(line)
        longest = max(longest, time.monotonic() - opened)
        if left:
            time.sleep(0.0002)
            opened = time.monotonic()
            pins.release(line)
            time.sleep(0.0002)
    return longest < 0.02
