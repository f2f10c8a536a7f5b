"""Compresses pages, style sheets and scripts to a fifth of their size. A feed compresses its own stream."""

import functools
import gzip

from flask import Flask, Response, request

WORTH_IT = 1000
"""Bytes from which compressing is worth it; anything smaller fits into one packet anyway."""
FILES = (
    "static",
    *(f"brought.{name}" for name in ("emblem", "style", "posters", "older_sheet", "older_style", "older_posters")),
)
"""Endpoints that send files, which are the same for everybody until the next edition."""
TEXTS = ("text/html", "text/css", "text/javascript", "text/csv", "application/json", "image/svg+xml")


def pack(app: Flask) -> None:
    """Compress every answer worth it, for clients that accept gzip."""
    app.after_request(_packed)


def _packed(response: Response) -> Response:
    if response.mimetype not in TEXTS or response.status_code != 200 or request.method != "GET":
        return response
    response.vary.add("Accept-Encoding")
    if not request.accept_encodings.quality("gzip") or "Content-Encoding" in response.headers:
        return response
    response.direct_passthrough = False
    plain = response.get_data()
    if len(plain) >= WORTH_IT:
        response.set_data(_pack_file(plain) if request.endpoint in FILES else _pack(plain))
        response.headers["Content-Encoding"] = "gzip"
    return response


def _pack(plain: bytes) -> bytes:
    """Compress; `mtime=0` makes equal input give equal output, whenever it is asked for."""
    return gzip.compress(plain, 6, mtime=0)


_pack_file = functools.lru_cache(32)(_pack)
