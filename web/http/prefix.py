"""Serves a site below a path: where a trusted proxy uses a prefix, every link to the site gets it.

Done to the bytes as they are sent, not in templates: what is rendered once for many clients knows no prefix.
"""

import re
from functools import partial

from flask import Flask, Response, request

from companion.web.feed import Feed

_BELOW = re.compile(r"(?:/[\w.~-]+)+", re.ASCII)
_ATTRIBUTE = re.compile(rb'([ \n](?:href|src|action|formaction|data-stream|data-afresh|data-signs|data-sheet)=")/(?!/)')
"""Attributes with a link. What people type can't match: its quotes are escaped."""
_SHEETS = re.compile(rb"""(url\(["']?)/(?!/)""")
_ANSWERS = re.compile(rb"(\x22go\x22: ?\x22)/(?!/)")
"""The page that a form's answer leads to."""
_HEADERS = re.compile(r"(^|; *url=)/(?!/)")
_LEADS = {
    "text/html": _ATTRIBUTE,
    "image/svg+xml": _ATTRIBUTE,
    "text/css": _SHEETS,
    "application/json": _ANSWERS,
}


def is_prefix(written: str) -> bool:
    """Return whether this path is safe to write into every page as its prefix."""
    return _BELOW.fullmatch(written) is not None


def keep_below(app: Flask) -> None:
    """Add the request's prefix to answers. Put on after `pack`, before `keep_files`: hooks run in reverse order."""
    app.after_request(_below)


def feed_below(feed: Feed) -> Feed:
    """Return the feed for the prefix of this request."""
    prefix = request.script_root
    return feed.changed(prefix, partial(_with_prefix, _ATTRIBUTE, prefix)) if prefix else feed


def _below(response: Response) -> Response:
    prefix = request.script_root
    if not prefix:
        return response
    for header in ("Location", "Refresh"):
        if header in response.headers:
            response.headers[header] = _HEADERS.sub(rf"\g<1>{prefix}/", response.headers[header])
    leads = _LEADS.get(response.mimetype or "")
    if leads is not None and response.status_code != 304:
        response.direct_passthrough = False
        response.set_data(_with_prefix(leads, prefix, response.get_data()))
    return response


def _with_prefix(leads: re.Pattern[bytes], prefix: str, text: bytes) -> bytes:
    return leads.sub(rb"\g<1>%b/" % prefix.encode(), text)
