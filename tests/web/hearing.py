"""Phones that hear a stream over a real connection."""

import http.client
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager

from tests.waiting import PATIENCE
from tests.web.table import TABLET


@contextmanager
def hearing(port: int, path: str, token: str = TABLET, *, packed: bool = False) -> Iterator[Iterator[bytes]]:
    """Return the messages of a stream one by one, until it ends."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as over:
        accepted = {"Accept-Encoding": "gzip"} if packed else {}
        over.request("GET", path, headers={"Cookie": f"phone={token}", **accepted})
        yield _messages(over.getresponse(), packed=packed)


def _messages(answer: http.client.HTTPResponse, *, packed: bool) -> Iterator[bytes]:
    unpacking = zlib.decompressobj(16 + zlib.MAX_WBITS)
    unfinished = b""
    while more := answer.read1(1 << 16):
        *messages, unfinished = (unfinished + (unpacking.decompress(more) if packed else more)).split(b"\n\n")
        for message in messages:
            yield message + b"\n\n"
