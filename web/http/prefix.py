"""Pages below a path: where a trusted proxy serves a site under a prefix, all that leads to the site gets it.

This is done to what is sent, not where it is written: what is rendered once for many knows no prefix.
"""

import re
from functools import partial

from flask import Flask, Response, request

from companion.web.feed import Feed

_BELOW = re.compile(r"(?:/[\w.~-]+)+", re.ASCII)
_ATTRIBUTE = re.compile(rb'([ \n](?:href|src|action|formaction|data-stream|data-afresh|data-signs|data-sheet)=")/(?!/)')
"""What the pages' own attributes lead to; whatever people have typed has its quotes escaped."""
_SHEETS = re.compile(rb"""(url\(["']?)/(?!/)""")
_ANSWERS = re.compile(rb"(\x22go\x22: ?\x22)/(?!/)")
"""Where a form's answer leads."""
_HEADERS = re.compile(r"(^|; *url=)/(?!/)")
_LEADS = {
    "text/html": _ATTRIBUTE,
    "image/svg+xml": _ATTRIBUTE,
    "text/css": _SHEETS,
    "application/json": _ANSWERS,
}


def is_prefix(written: str) -> bool:
    """Return whether this can be written into every page as the path below which a site is."""
    return _BELOW.fullmatch(written) is not None


def keep_below(app: Flask) -> None:
    """Have every answer lead below the prefix of its request. What packs answers must be put on the app before, and
    what looks at style sheets after.
    """
    app.after_request(_below)


def feed_below(feed: Feed) -> Feed:
    """Return the feed for the prefix of this request."""
    prefix = request.script_root
    return feed.changed(prefix, partial(_led_below, _ATTRIBUTE, prefix)) if prefix else feed


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
        response.set_data(_led_below(leads, prefix, response.get_data()))
    return response


def _led_below(leads: re.Pattern[bytes], prefix: str, text: bytes) -> bytes:
    return leads.sub(rb"\g<1>%b/" % prefix.encode(), text)
