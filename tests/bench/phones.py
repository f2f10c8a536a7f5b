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

from companion.web.feed import SIGN_OF_LIFE, pack
from tests.bench.rig import PATIENCE, PHONE, processor

STREAMS = (
    *("/stream/score?lang=fr", "/stream/seat-1?lang=fr", "/stream/seat-2?lang=en"),
    *("/stream/score?lang=en", "/stream/seat-2?lang=fr", "/stream/big?lang=fr"),
)
"""What the phones of a room show, in turn: with fewer different pages the table would have less to render."""

HEAD = b"\r\n\r\n"
END = b"\n\n"
TICK = b"event: tick"
SIGNS = SIGN_OF_LIFE, pack(SIGN_OF_LIFE)
"""Signs of life are no updates."""


def asking(path: str, unpacks: str = "identity") -> bytes:
    """Write what a phone sends to have a stream: the one that is host and holds every seat."""
    headers = "Host: table", "Accept: text/event-stream", f"Accept-Encoding: {unpacks}", f"Cookie: phone={PHONE}"
    return "\r\n".join((f"GET {path} HTTP/1.1", *headers, "", "")).encode()


class Update(NamedTuple):
    """A page's new content, at a phone."""

    at: float
    """When its last byte was read, by the wall clock."""
    says: int
    """The same for the same content."""


class Phones:
    """`count` streams, open and read within the `with` block; as browsers do, they ask for what is packed."""

    def __init__(self, port: int, count: int, paths: Sequence[str] = STREAMS, unpacks: str = "gzip"):
        self._pipe, their_end = multiprocessing.Pipe()
        spawn = multiprocessing.get_context("spawn")
        chosen = [asking(paths[at % len(paths)], unpacks) for at in range(count)]
        self._process = spawn.Process(target=_read, args=(port, chosen, their_end), daemon=True)

    def __enter__(self) -> Self:
        self._process.start()
        self._pipe.recv()
        return self

    def __exit__(self, *_: object) -> None:
        self._pipe.send("stop")
        self._process.join()

    def processor(self) -> float:
        """Return the seconds of a processor that reading has taken."""
        return processor(self._process.pid or 0)

    def take(self) -> list[list[Update]]:
        """Return each phone's updates since the last call."""
        return self._asked("take")

    def take_all(self) -> list[list[Update]]:
        """The same, once every phone has one."""
        return self._asked("take all")

    def _asked(self, command: str) -> list[list[Update]]:
        self._pipe.send(command)
        assert self._pipe.poll(PATIENCE), "a phone has no update"
        updates: list[list[Update]] = self._pipe.recv()
        return updates


def _read(port: int, questions: Sequence[bytes], pipe: Connection) -> None:
    """Tell nothing before every phone has its first page."""
    with contextlib.ExitStack() as stack, selectors.DefaultSelector() as selector:
        phones = []
        for request in questions:
            phone = _Phone(stack.enter_context(socket.create_connection(("127.0.0.1", port))), request)
            phones.append(phone)
            selector.register(phone.socket, selectors.EVENT_READ, phone.read)
        while not all(phone.updates for phone in phones):
            _wait(selector)
        for phone in phones:
            phone.updates.clear()
        selector.register(pipe, selectors.EVENT_READ)
        pipe.send([])
        request = ""
        while request != "stop":
            if _wait(selector):
                request = pipe.recv()
            if request == "take" or (request == "take all" and all(phone.updates for phone in phones)):
                pipe.send([phone.updates for phone in phones])
                for phone in phones:
                    phone.updates = []
                request = ""


def _wait(selector: selectors.BaseSelector) -> bool:
    """Read what has come; say whether the bench wants something."""
    is_asked = False
    for key, _ in selector.select():
        read: Callable[[], None] | None = key.data
        if read:
            read()
        is_asked |= read is None
    return is_asked


class _Phone:
    def __init__(self, connection: socket.socket, request: bytes):
        self.socket = connection
        self.updates: list[Update] = []
        self._rest = b""
        self._begun = False
        connection.sendall(request)

    def read(self) -> None:
        data = self.socket.recv(1 << 18)
        if not data:
            raise ConnectionError("the table hung up on a phone")
        read_at = time.time()
        self._rest = self._rest + data
        if not self._begun:
            self._begun = HEAD in self._rest
            self._rest = self._rest.partition(HEAD)[2] if self._begun else self._rest
        # Each message is a chunk, which begins with its length.
        while self._begun and (at := self._rest.find(b"\r\n")) > 0:
            end = at + 2 + int(self._rest[:at], 16)
            if len(self._rest) < end + 2:
                break
            chunk = self._rest[at + 2 : end]
            self._rest = self._rest[end + 2 :]
            if chunk not in SIGNS:
                self.updates.append(Update(read_at, zlib.crc32(chunk.removesuffix(END))))
