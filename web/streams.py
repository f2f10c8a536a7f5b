"""One stream a page: the whole fresh fragment, whenever this observer's bytes have changed, and never else.

So an act that is sealed for him sends nothing at all. A phone that does not read blocks only its own greenlet, and gets
the newest fragment when it reads again.
"""

import time
from collections.abc import Iterator

from flask import Blueprint, Response, abort, request

from web.names import LIVE, Page, named
from web.site import Site, site
from web.speech import language

TICK = 4.0
"""Seconds between signs of life; fixed, so that they tell nothing."""
SIGN_OF_LIFE = b"event: tick\ndata\n\n"

streams = Blueprint("streams", __name__)


@streams.get("/stream/<name>")
def stream(name: str) -> Response:
    """Send this page's fragment now and whenever it changes."""
    page = named(name)
    if page is None or page.kind not in LIVE or (page.kind == "table" and site().hand is None):
        abort(404)
    if request.method == "HEAD":
        return Response(mimetype="text/event-stream")  # a stream that nobody reads would never end
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(feed(site(), page, language()), mimetype="text/event-stream", headers=headers)


def feed(of: Site, page: Page, words: str) -> Iterator[bytes]:
    """Give the stream's bytes for one page in one language."""
    sent = b""
    opening = b"retry: 1000\n"
    due = time.monotonic() + TICK
    while True:
        ring = of.bell.next_ring()
        fragment = of.screens.fragment(page, words)
        if fragment != sent:
            sent = fragment
            yield opening + message(fragment)
            opening = b""
        now = time.monotonic()
        if now >= due:
            due = now + TICK
            yield SIGN_OF_LIFE
        ring.wait(due - now if due > now else 0)


def message(fragment: bytes) -> bytes:
    """Write a fragment as one message of the stream."""
    return b"data: " + fragment.replace(b"\n", b"\ndata: ") + b"\n\n"
