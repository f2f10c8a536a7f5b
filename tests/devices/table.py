"""A table that keeps what it is told, and listens in a thread of its own, in the real time."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from companion.devices.sensing import Buzzed, Failed, Sensing, Source, Working


class Table:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[Sensing] = []
        self.calls: list[tuple[Sensing, ...]] = []
        self.source: Any = None
        """What it listens to."""

    def __call__(self, *sensings: Sensing) -> None:
        self.calls.append(sensings)
        self.told += sensings

    def of(self, *kinds: type[Sensing]) -> list[Any]:
        return [sensing for sensing in list(self.told) if isinstance(sensing, kinds)]

    @property
    def presses(self) -> list[Buzzed]:
        return self.of(Buzzed)

    @property
    def state(self) -> list[Failed | Working]:
        return self.of(Failed, Working)

    def works(self) -> bool:
        return bool(self.state) and isinstance(self.state[-1], Working)

    def failed(self) -> bool:
        return bool(self.state) and isinstance(self.state[-1], Failed)


@contextmanager
def listening_to(source: Source, table: Table) -> Iterator[None]:
    """Let the table listen while the block runs."""
    table.source = source
    stop = threading.Event()
    raised = list[BaseException]()

    def listen() -> None:
        try:
            source.listen(table, stop)
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=listen)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        source.close()
        assert raised == []
