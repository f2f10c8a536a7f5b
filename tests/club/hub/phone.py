"""A phone that looks at the wall, over a real connection."""

import http.client
import time

from tests.waiting import PATIENCE


class Phone:
    """Reads the stream as it comes."""

    def __init__(self, port: int, path: str = "/stream/wall"):
        self._over = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self._over.request("GET", path)
        self._answer = self._over.getresponse()
        assert self._answer.status == 200

    def wait_for(self, words: str) -> None:
        """Read on until a line says so."""
        end = time.monotonic() + PATIENCE
        while words not in self._answer.readline().decode():
            assert time.monotonic() < end, words

    def close(self) -> None:
        self._over.close()
