"""A table that keeps what one source tells it."""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.devices.sensing import Buzzed, Failed, NotThere, Sensing, Source, Working
from tests.kernel.pins import Pins
from tests.waiting import until

SEATS = (1, 2, 3, 4, 5, 6)
LINES = (17, 27, 22, 23, 24, 25)
LINE = dict(zip(SEATS, LINES, strict=True))
LONG_S = 20.0
BUILD = Path(os.environ.get("COMPANION_KERNEL", ""))
"""Where the machine finds what was built for it."""


class Table:
    """Keeps what it is told; may be held up, as by a slow disk."""

    def __init__(self) -> None:
        self.told: list[Sensing] = []
        self.gate = threading.Event()
        self.gate.set()

    def __call__(self, *sensings: Sensing) -> None:
        self.gate.wait(LONG_S)
        self.told += sensings

    @property
    def presses(self) -> list[Buzzed]:
        return [sensing for sensing in list(self.told) if isinstance(sensing, Buzzed)]

    @property
    def state(self) -> list[Failed | Working]:
        return [sensing for sensing in list(self.told) if isinstance(sensing, Failed | Working)]

    def works(self) -> bool:
        return bool(self.state) and isinstance(self.state[-1], Working)

    def failed(self) -> bool:
        return bool(self.state) and isinstance(self.state[-1], Failed)


@contextmanager
def listening(source: Source) -> Iterator[Table]:
    table, stop = Table(), threading.Event()
    raised: list[BaseException] = []

    def listen() -> None:
        try:
            source.listen(table, stop)
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=listen)
    thread.start()
    try:
        until(table.works)
        yield table
    finally:
        stop.set()
        table.gate.set()
        thread.join()
        source.close()
        assert raised == []


def refusal(source: Source) -> str:
    """Why it does not start."""
    with pytest.raises(NotThere) as told:
        source.start()
    source.close()
    return str(told.value)


def bounce(pins: Pins, line: int, bounces: int) -> bool:
    """Let a contact open and close many times; it ends closed.

    Gives False if it was open for long meanwhile: then the emulator stood still, and it is no bouncing any more.
    """
    longest, opened = 0.0, time.monotonic()
    for left in reversed(range(bounces + 1)):
        pins.press(line)
        longest = max(longest, time.monotonic() - opened)
        if left:
            time.sleep(0.0002)
            opened = time.monotonic()
            pins.release(line)
            time.sleep(0.0002)
    return longest < 0.02
