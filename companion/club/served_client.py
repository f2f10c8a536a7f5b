"""A loop for paho's client, run in a thread of ours.

paho's own loop uses select(), which fails for descriptors above 1023, and phones hold many; and an exception in a
callback ends paho's thread for good.
"""

import os
import select
import threading
import time
from io import FileIO

from paho.mqtt.client import Client

MOST_AT_ONCE = 100
"""Reads before sending, keep-alive and the caller have their turn."""
_LOOKS_S = 1.0
"""Seconds between two calls of paho's keep-alive (`loop_misc`)."""


class ServedClient:
    """Waits until there is something to read or send. `ring` may be called from any thread, the rest from one."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._bell = FileIO(os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC))
        self._server = 0
        """The id of the serving thread; 0 before it first serves."""
        client.on_socket_register_write = self._has_to_write

    def serve(self) -> bool:
        """Wait at most `_LOOKS_S` for something to do, and do it; return whether the connection still stands.

        Raises what callbacks raise, and what paho raises for data that is not MQTT.
        """
        self._server = threading.get_ident()
        connection = self._client.socket()
        if connection is None:
            return False
        waiting = select.poll()
        waiting.register(self._bell, select.POLLIN)
        waiting.register(connection, select.POLLIN | (select.POLLOUT if self._client.want_write() else 0))
        # TLS may hold decrypted bytes that poll does not see. A plain socket has no `pending`, and `int()` is 0.
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
        """Send what is queued, such as a DISCONNECT, for at most `within` seconds."""
        until = time.monotonic() + within
        while self._client.want_write() and time.monotonic() < until and self.serve():
            pass

    def ring(self) -> None:
        """Wake `serve` up; does nothing after `close`."""
        if not self._bell.closed:
            os.eventfd_write(self._bell.fileno(), 1)

    def close(self) -> None:
        """Close the connection if it still stands, and break the client's reference cycles."""
        connection = self._client.socket()
        if connection is not None:
            connection.close()
        let_go(self._client)
        self._bell.close()

    def _read(self) -> None:
        """Read all that has come, at most `MOST_AT_ONCE` times."""
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
        if threading.get_ident() != self._server:  # the serving thread sends anyway before it waits again
            self.ring()


def let_go(client: Client) -> None:
    """Remove a client's callbacks, which may refer back to it."""
    client.on_connect = client.on_connect_fail = client.on_disconnect = None
    client.on_subscribe = client.on_publish = client.on_message = None
    client.on_socket_open = client.on_socket_register_write = None
