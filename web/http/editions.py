"""Versioned static files: a URL with the edition in its query never changes its content, so phones cache it for good.

Style sheets and scripts are rewritten as they are sent: fonts, textures and imports get the edition, and comments and
indents are left out.
"""

import functools
import re

from flask import Flask, Response, current_app, request

from companion.web.http.gzip import FILES

FOR_GOOD = "public, max-age=31536000, immutable"
"""A year, the longest that browsers keep anything."""

_NAMED = re.compile(rb"url\(((?:/static/)?[\w-]+\.(?:svg|woff2))\)")
_IMPORTED = re.compile(rb'(?<= from ")(\./[\w-]+\.js)(?=";$)', re.MULTILINE)

_OF_SHEETS_FOR_READERS = re.compile(rb"""("[^"]*"|'[^']*')|/\*.*?\*/|(?<=[;{}])\n\s*|(\n)\s+""", re.DOTALL)
"""Comments and indents; not strings, nor a line's end that may separate two words."""
_OF_SCRIPTS_FOR_READERS = re.compile(
    rb"^ *//.*\n|^ *(/\*\*(?s:(?!\*/).)*\*/[\n ] *)*|/\*\* @type .*?\*/ ", re.MULTILINE
)
"""Comments that begin a line, types and indents: no string of a script goes over several lines."""


def keep_files(app: Flask) -> None:
    """Have phones cache this edition's static files. Put on after `pack`, because hooks run in reverse order."""
    app.after_request(_kept)


def _kept(response: Response) -> Response:
    if request.endpoint not in FILES or response.status_code not in (200, 304):
        return response
    edition = str(current_app.jinja_env.globals["edition"])
    if request.query_string == edition.encode():
        response.headers["Cache-Control"] = FOR_GOOD
    shortened = _SHORTENED.get(response.mimetype or "")
    if shortened and response.status_code == 200:
        response.direct_passthrough = False  # else Werkzeug refuses `get_data` for a file
        response.set_data(shortened(response.get_data(), edition))
    return response


@functools.lru_cache(64)
def _sheet_as_sent(sheet: bytes, edition: str) -> bytes:
    short = _OF_SHEETS_FOR_READERS.sub(rb"\1\2", sheet)
    return _NAMED.sub(rb"url(\1?%b)" % edition.encode(), short)


@functools.lru_cache(32)
def _script_as_sent(script: bytes, edition: str) -> bytes:
    short = _OF_SCRIPTS_FOR_READERS.sub(b"", script)
    return _IMPORTED.sub(rb"\1?%b" % edition.encode(), short)


_SHORTENED = {"text/css": _sheet_as_sent, "text/javascript": _script_as_sent}
