"""Requests with headers that can't be read: the asker's mistake, told as such before any route comes to read them."""

from flask import Flask, abort, request
from werkzeug.exceptions import HTTPException

_READ_AS = {
    "Accept": "accept_mimetypes",
    "Accept-Charset": "accept_charsets",
    "Accept-Encoding": "accept_encodings",
    "Accept-Language": "accept_languages",
    "Authorization": "authorization",
    "Cache-Control": "cache_control",
    "Cookie": "cookies",
    "Content-Length": "content_length",
    "Content-Type": "mimetype_params",
    "Date": "date",
    "Host": "host",
    "If-Match": "if_match",
    "If-Modified-Since": "if_modified_since",
    "If-None-Match": "if_none_match",
    "If-Range": "if_range",
    "If-Unmodified-Since": "if_unmodified_since",
    "Max-Forwards": "max_forwards",
    "Range": "range",
}
"""Header → the attribute in which Werkzeug has it read, when it is first asked for."""


def refuse(app: Flask) -> None:
    """Answer them with 400. First of all guards, because the others read headers."""
    app.before_request(_read)


def _read() -> None:
    for header, attribute in _READ_AS.items():
        if header in request.headers:
            _see_that_it_reads(attribute, header)
    if request.method == "POST":
        _see_that_it_reads("form", "Content-Type")


def _see_that_it_reads(attribute: str, header: str) -> None:
    try:
        getattr(request, attribute)
    except HTTPException:
        raise
    except Exception:
        # Deliberately everything: Werkzeug raises OverflowError for a year that no date has, and has raised others.
        name = header.upper().replace("-", "_")
        for key in (name, f"HTTP_{name}"):
            request.environ.pop(key, None)  # or the answer would stumble over it as well
        abort(400)
