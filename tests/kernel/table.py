"""A table that keeps what one source tells it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from companion.devices.sensing import Buzzed, Failed, Sensing, Source, Working
from tests.waiting import until

LONG_S = 20.0


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
