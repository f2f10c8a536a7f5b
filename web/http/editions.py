"""Static files by their edition: an address that bears it never brings anything else, so that a phone keeps its file.

What a style sheet names, its fonts and textures, gets the edition as it is sent; comments and indents stay here.
"""

import functools
import re

from flask import Flask, Response, current_app, request

from companion.web.http.gzip import FILES

FOR_GOOD = "public, max-age=31536000, immutable"
"""A year, as long as browsers keep anything."""

_NAMED = re.compile(rb"url\(((?:/static/)?[\w-]+\.(?:svg|woff2))\)")

_FOR_READERS = re.compile(rb"""("[^"]*"|'[^']*')|/\*.*?\*/|(?<=[;{}])\n\s*|(\n)\s+""", re.DOTALL)
"""Comments and indents; not strings, nor a line's end that may separate two words."""


def keep_files(app: Flask) -> None:
    """Have phones keep the static files of this edition. What packs answers must be put on the app before."""
    app.after_request(_kept)


def _kept(response: Response) -> Response:
    if request.endpoint not in FILES or response.status_code not in (200, 304):
        return response
    edition = str(current_app.jinja_env.globals["edition"])
    if request.query_string == edition.encode():
        response.headers["Cache-Control"] = FOR_GOOD
    if response.mimetype == "text/css" and response.status_code == 200:
        response.direct_passthrough = False
        response.set_data(_as_sent(response.get_data(), edition))
    return response


@functools.lru_cache(64)
def _as_sent(sheet: bytes, edition: str) -> bytes:
    short = _FOR_READERS.sub(rb"\1\2", sheet)
    return _NAMED.sub(rb"url(\1?%b)" % edition.encode(), short)
