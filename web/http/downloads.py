"""Downloads: a file sent in pieces, and kept in no cache."""

from collections.abc import Iterator
from typing import IO

from flask import Response

_PIECE = 1 << 16
"""Bytes."""


def download(name: str, file: IO[bytes], mimetype: str) -> Response:
    """Send this open file under a name, and close it."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(_in_pieces(file), mimetype=mimetype, headers=headers)


def _in_pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while part := file.read(_PIECE):
            yield part
