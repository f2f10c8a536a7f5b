"""One stream a page: the whole fresh fragment, whenever this observer's bytes have changed, and never else.

So an act that is sealed for an observer sends nothing at all. A phone that does not read blocks only its own greenlet,
and gets the newest fragment when it reads again.
"""

import math
import time
from collections.abc import Callable, Iterator

from flask import Blueprint, Response, abort, request
from gevent.event import Event

from companion.access import seats
from companion.web.http.aloud import heard
from companion.web.http.language import language
from companion.web.http.phone import has, me, right_to
from companion.web.render.page import LIVE, Page, named
from companion.web.site import site

TICK = 4.0
"""Seconds between signs of life; fixed, so that they tell nothing."""
SIGN_OF_LIFE = b"event: tick\ndata\n\n"
NOT_YOURS = b"event: not-yours\ndata\n\n"
"""Sent last, where the seat has gone to another phone: the page is to be loaded again."""

routes = Blueprint("streams", __name__)


@routes.get("/stream/<name>")
def stream(name: str) -> Response:
    """Send this page's fragment now and whenever it changes."""
    page = named(name)
    if page is None or page.kind not in LIVE or (page.kind == "table" and site().hand is None):
        abort(404)
    of, words, page = site(), language(), heard(page)
    return sent(feed(lambda: message(of.screens.fragment(page, words)), may_still(page), of.bell.next_ring))


def sent(feeding: Iterator[bytes]) -> Response:
    """Answer with a stream; whoever asks for its headers alone gets no more, for nobody would ever end it."""
    if request.method == "HEAD":
        return Response(mimetype="text/event-stream")
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(feeding, mimetype="text/event-stream", headers=headers)


def may_still(page: Page) -> Callable[[], bool]:
    """Return what tells, again and again, whether this phone may see the page: a seat may be handed on."""
    phones, known, right = site().phones, me().phone, right_to(page)

    def may() -> bool:
        who = seats.who(phones.rights, known)
        phones.here(who)
        return has(right, who, page.seat, phones.rights)

    return may


def feed(
    look: Callable[[], bytes],
    may: Callable[[], bool],
    next_ring: Callable[[], Event],
    every: float = math.inf,
    had: bytes = b"",
) -> Iterator[bytes]:
    """Yield a stream's messages, as long as its phone `may` see the page; not the one it `had` before.

    It is looked at again with every ring, and at the latest after so many seconds.
    """
    sent = had
    opening = b"retry: 1000\n"
    if had:
        yield opening + SIGN_OF_LIFE
    due = time.monotonic() + TICK
    while True:
        ring = next_ring()
        if not may():
            yield NOT_YOURS
            return
        fresh = look()
        if fresh != sent:
            sent = fresh
            yield opening + fresh
            opening = b""
        now = time.monotonic()
        if now >= due:
            due = now + TICK
            yield SIGN_OF_LIFE
        ring.wait(min(every, max(0.0, due - now)))


def message(fragment: bytes) -> bytes:
    """Write a fragment as one message of the stream."""
    return b"data: " + fragment.replace(b"\n", b"\ndata: ") + b"\n\n"
