"""A weak network: what goes to the table and back may be held up, or the answers lost on the way."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from enum import Enum


class Air(Enum):
    """How it is between phone and table."""

    CLEAR = "clear"
    STALLED = "everything is held back; no connection closes"
    ANSWERS_LOST = "what the phone sends arrives; then its connection breaks instead of an answer"


class Relay:
    """Passes bytes on to a port, as the air allows."""

    def __init__(self, port: int):
        self._to = ("127.0.0.1", port)
        self._changed = threading.Condition()
        self._air = Air.CLEAR
        self._sockets: set[socket.socket] = set()
        self._open = True
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = self._door.getsockname()[1]
        self._threads = [threading.Thread(target=self._let_in)]
        self._threads[0].start()

    @property
    def air(self) -> Air:
        return self._air

    @air.setter
    def air(self, air: Air) -> None:
        with self._changed:
            self._air = air
            self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self._open = False
            self._changed.notify_all()
        with contextlib.suppress(OSError):
            self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()
        for end in list(self._sockets):
            _cut(end)
        for thread in self._threads:
            thread.join()

    def _let_in(self) -> None:
        while True:
            try:
                phone = self._door.accept()[0]
                table = socket.create_connection(self._to)
            except OSError:
                return
            self._sockets |= {phone, table}
            for way in ((phone, table, False), (table, phone, True)):
                self._threads.append(threading.Thread(target=self._pass_on, args=way))
                self._threads[-1].start()

    def _pass_on(self, source: socket.socket, to: socket.socket, back: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                with self._changed:
                    self._changed.wait_for(lambda: self._air is not Air.STALLED or not self._open)
                if back and self._air is Air.ANSWERS_LOST:
                    break
                to.sendall(data)
        _cut(source)
        _cut(to)


def _cut(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()


@contextlib.contextmanager
def relayed(port: int) -> Iterator[Relay]:
    relay = Relay(port)
    try:
        yield relay
    finally:
        relay.close()
