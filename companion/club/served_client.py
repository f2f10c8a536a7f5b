"""One of paho's clients, served in a thread of ours.

paho's own loop waits by select(), which can't take a file number above 1023, and phones have many open; and what a
callback raises ends its thread for good.
"""

import os
import select
import threading
import time
from io import FileIO

from paho.mqtt.client import Client

MOST_AT_ONCE = 100
"""Messages that are read before anything else has its turn."""
_LOOKS_S = 1.0
"""Seconds between two looks at whether the broker still answers."""


class ServedClient:
    """Wakes up when there is something to read or to send. `ring` may be called from any thread, the rest from one."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._bell = FileIO(os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC))
        self._server = 0
        """The thread that serves, by its number; 0 before it first does."""
        client.on_socket_register_write = self._has_to_write

    def serve(self) -> bool:
        """Wait a moment for something to do, and do it; return whether the connection still stands.

        Raises what callbacks raise, and what paho does when a broker says what is no MQTT.
        """
        self._server = threading.get_ident()
        connection = self._client.socket()
        if connection is None:
            return False
        waiting = select.poll()
        waiting.register(self._bell, select.POLLIN)
        waiting.register(connection, select.POLLIN | (select.POLLOUT if self._client.want_write() else 0))
        is_decrypted = getattr(connection, "pending", int)() > 0
        ready = dict(waiting.poll(0 if is_decrypted else _LOOKS_S * 1000))
        if self._bell.fileno() in ready:
            os.eventfd_read(self._bell.fileno())
        event = ready.get(connection.fileno(), 0)
        if is_decrypted or event & ~select.POLLOUT:
            self._read()
        if self._client.want_write():
            self._client.loop_write()
        self._client.loop_misc()
        return self._client.socket() is not None

    def send_rest(self, within: float) -> None:
        """Send what waits, such as a goodbye, for at most so many seconds."""
        until = time.monotonic() + within
        while self._client.want_write() and time.monotonic() < until and self.serve():
            pass

    def ring(self) -> None:
        """Wake `serve` up; do nothing once it is over."""
        if not self._bell.closed:
            os.eventfd_write(self._bell.fileno(), 1)

    def close(self) -> None:
        """End the connection, if it still stands, and let the client be freed with its last reference."""
        left = self._client.socket()
        if left is not None:
            left.close()
        let_go(self._client)
        self._bell.close()

    def _read(self) -> None:
        """Read what has come, and answer it."""
        arrivals = select.poll()
        for _ in range(MOST_AT_ONCE):
            self._client.loop_read()
            connection = self._client.socket()
            if connection is None:
                return
            if not getattr(connection, "pending", int)():
                arrivals.register(connection, select.POLLIN)
                if not arrivals.poll(0):
                    return

    def _has_to_write(self, *_: object) -> None:
        if threading.get_ident() != self._server:  # who serves sends before they wait again
            self.ring()


def let_go(client: Client) -> None:
    """Forget a client's callbacks, which may hold it."""
    client.on_connect = client.on_connect_fail = client.on_disconnect = None
    client.on_subscribe = client.on_publish = client.on_message = None
    client.on_socket_open = client.on_socket_register_write = None
