"""A table in a process of its own, served as in earnest; its clock and its chances are given.

Two of them that are told the same answer with the same bytes, however many codes, tokens and lots are drawn on the way.
"""

import contextlib
import math
import multiprocessing
import os
import random
import secrets
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from itsdangerous import TimestampSigner

from companion.web import fair_queue
from companion.web.routes import pages
from companion.web.server import serve
from tests.bench.rig import free_port
from tests.trust.daytime import daytime
from tests.trust.staged import TOKENS, Table
from tests.waiting import PATIENCE, until

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.trust.twin"])
EVENING = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)
"""The time of day at every table of these trials."""


class Twin:
    """The other process, as seen from here: whatever a `Table` can do, it has done there."""

    def __init__(self, port: int, pipe: Connection, said: Path):
        self.port = port
        self.said = said
        """What the table said at the terminal."""
        self._pipe = pipe

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            self._pipe.send((name, args))
            done, value = self._pipe.recv()
            if not done:
                raise RuntimeError(value)
            return value

        return call


@contextlib.contextmanager
def twin(folder: Path, *, virtual: bool = False, phones: Sequence[int] = tuple(TOKENS)) -> Iterator[Twin]:
    """Return a table that serves; `phones` are the parts whose phones hold them."""
    folder.mkdir(parents=True)
    here, there = FORKS.Pipe()
    port = free_port()
    args = (folder, port, virtual, tuple(phones), there)
    os.environ["PYTHONHASHSEED"] = "0"  # or a set's order, as in the header `Allow`, would be another one
    process = FORKS.Process(target=_table, args=args)
    process.start()
    there.close()
    try:
        if here.poll(PATIENCE):
            here.recv()
        until(lambda: _listens(port))
        yield Twin(port, here, folder / "said")
    finally:
        with contextlib.suppress(OSError):
            here.send(None)
        process.join(10)
        if process.is_alive():
            process.kill()


def _listens(port: int) -> bool:
    """Whether somebody listens there. From the same address one might chance upon this port, and meet oneself."""
    with contextlib.suppress(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), source_address=("127.0.0.2", 0)).close()
        return True
    return False


def _table(folder: Path, port: int, virtual: bool, phones: tuple[int, ...], pipe: Connection) -> None:
    said = os.open(folder / "said", os.O_WRONLY | os.O_CREAT)
    os.dup2(said, 1)
    os.dup2(said, 2)
    chance = random.Random(1)
    secrets.token_hex = lambda number=16: chance.randbytes(number).hex()
    secrets.token_bytes = lambda number=16: chance.randbytes(number)
    secrets.choice = chance.choice
    # No request waits for others: a stream's first message must not come after `Table.sent` has looked.
    fair_queue.STRETCH = math.inf
    fair_queue.PAUSES = 0.0
    pages._LOTS = chance  # type: ignore[assignment]
    TimestampSigner.get_timestamp = lambda self: 0  # type: ignore[method-assign]
    with daytime(EVENING):
        table = Table(folder, virtual=virtual, phones=phones)
        threading.Thread(target=_obey, args=(table, pipe), daemon=True).start()
        serve(table.app, socket.create_server(("127.0.0.1", port)))
    os._exit(1)  # told to stop by somebody else; the judge would go on


def _obey(table: Table, pipe: Connection) -> None:
    pipe.send("ready")
    parent = os.getppid()
    while True:
        try:
            while not pipe.poll(1):
                if os.getppid() != parent:  # it was killed
                    os._exit(1)
            asked = pipe.recv()
        except EOFError:
            asked = None
        if asked is None:
            table.close()
            sys.stdout.flush()
            os._exit(0)
        name, args = asked
        try:
            pipe.send((True, getattr(table, name)(*args)))
        except Exception as wrong:
            pipe.send((False, f"{name}{args}: {wrong!r}"))
