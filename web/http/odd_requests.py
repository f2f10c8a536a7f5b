"""Answers requests with malformed headers with 400, before any route reads them and fails with 500."""

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
"""Header → the attribute by which Werkzeug parses it, lazily."""


def refuse(app: Flask) -> None:
    """Check every request. Must be the first guard, because the others read headers."""
    app.before_request(_check_headers)


def _check_headers() -> None:
    for header, attribute in _READ_AS.items():
        if header in request.headers:
            _check_that_it_parses(attribute, header)
    if request.method == "POST":
        _check_that_it_parses("form", "Content-Type")


def _check_that_it_parses(attribute: str, header: str) -> None:
    try:
        getattr(request, attribute)
    except HTTPException:
        raise
    except Exception:
        # Deliberately everything: Werkzeug raises OverflowError for a year that no date has, and has raised others.
        name = header.upper().replace("-", "_")
        for key in (name, f"HTTP_{name}"):
            request.environ.pop(key, None)  # making the error page reads headers too, and would fail on it
        abort(400)
