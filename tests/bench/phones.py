"""Many phones: plain sockets that read a page's stream, in a process of their own."""

import contextlib
import multiprocessing
import selectors
import socket
import time
import zlib
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from typing import NamedTuple, Self

from tests.bench.rig import PATIENCE, PHONE

STREAMS = (
    *("/stream/score?lang=fr", "/stream/seat-1?lang=fr", "/stream/seat-2?lang=en"),
    *("/stream/score?lang=en", "/stream/seat-3?lang=fr", "/stream/big?lang=fr"),
)
"""What the phones of a room show, in turn: with fewer different pages the table would have less to render."""

END = b"\n\n"
TICK = b"event: tick"


def asking(path: str) -> bytes:
    """Write what a phone sends to have a stream: the one that is host and holds every seat."""
    headers = "Host: table", "Accept: text/event-stream", f"Cookie: phone={PHONE}"
    return "\r\n".join((f"GET {path} HTTP/1.1", *headers, "", "")).encode()


class Update(NamedTuple):
    """A page's new content, at a phone."""

    at: float
    """When its last byte was read, by the wall clock."""
    says: int
    """The same for the same content."""


class Phones:
    """`count` streams, open and read within the `with` block."""

    def __init__(self, port: int, count: int, paths: Sequence[str] = STREAMS):
        self._pipe, there = multiprocessing.Pipe()
        spawn = multiprocessing.get_context("spawn")
        chosen = [paths[at % len(paths)] for at in range(count)]
        self._process = spawn.Process(target=_read, args=(port, chosen, there), daemon=True)

    def __enter__(self) -> Self:
        self._process.start()
        self._pipe.recv()
        return self

    def __exit__(self, *_: object) -> None:
        self._pipe.send("stop")
        self._process.join()

    def take(self) -> list[list[Update]]:
        """Give each phone's updates since the last call."""
        return self._asked("take")

    def take_all(self) -> list[list[Update]]:
        """The same, once every phone has one."""
        return self._asked("take all")

    def _asked(self, what: str) -> list[list[Update]]:
        self._pipe.send(what)
        assert self._pipe.poll(PATIENCE), "a phone has no update"
        taken: list[list[Update]] = self._pipe.recv()
        return taken


def _read(port: int, paths: Sequence[str], pipe: Connection) -> None:
    """Tell nothing before every phone has its first page."""
    with contextlib.ExitStack() as stack, selectors.DefaultSelector() as selector:
        phones = []
        for path in paths:
            phone = _Phone(stack.enter_context(socket.create_connection(("127.0.0.1", port))), path)
            phones.append(phone)
            selector.register(phone.socket, selectors.EVENT_READ, phone.read)
        while not all(phone.updates for phone in phones):
            _wait(selector)
        for phone in phones:
            phone.updates.clear()
        selector.register(pipe, selectors.EVENT_READ)
        pipe.send([])
        asked = ""
        while asked != "stop":
            if _wait(selector):
                asked = pipe.recv()
            if asked == "take" or (asked == "take all" and all(phone.updates for phone in phones)):
                pipe.send([phone.updates for phone in phones])
                for phone in phones:
                    phone.updates = []
                asked = ""


def _wait(selector: selectors.BaseSelector) -> bool:
    """Read what has come; say whether the bench wants something."""
    asked = False
    for key, _ in selector.select():
        read: Callable[[], None] | None = key.data
        if read:
            read()
        asked |= read is None
    return asked


class _Phone:
    def __init__(self, connection: socket.socket, path: str):
        self.socket = connection
        self.updates: list[Update] = []
        self._rest = b""
        connection.sendall(asking(path))

    def read(self) -> None:
        data = self.socket.recv(1 << 18)
        if not data:
            raise ConnectionError("the table hung up on a phone")
        *messages, self._rest = (self._rest + data).split(END)
        now = time.time()
        # What is sent in chunks begins with the length of its chunk.
        news = [message.rpartition(b"\r\n")[2] for message in messages if TICK not in message]
        self.updates += [Update(now, zlib.crc32(message)) for message in news]
