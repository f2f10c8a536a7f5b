"""One stream per page: the whole live fragment, sent only when its bytes have changed.

So an act that is hidden from an observer sends them nothing at all.
"""

from collections.abc import Callable

from flask import Blueprint, Response, request

from companion.access import seat_rights
from companion.web.feed import Feed, Message, Stream
from companion.web.http.language import language
from companion.web.http.left_pages import load_again
from companion.web.http.phone import has, me, right_to
from companion.web.http.prefix import feed_below
from companion.web.http.reading_aloud import as_read_aloud
from companion.web.render.page_names import Page, kept_fresh
from companion.web.site import Site, site

routes = Blueprint("streams", __name__)


@routes.get("/stream/<name>")
def stream(name: str) -> Response:
    """Stream a page's fragment, now and whenever it changes."""
    page = kept_fresh(name)
    if page is None or (page.kind == "table" and site().hand is None):
        return load_again()
    of = site()
    chosen_language = language()
    page = as_read_aloud(page)
    return sent(
        feed(of, page, chosen_language, lambda: message(of.screens.fragment(page, chosen_language))), may_still(page)
    )


def feed(of: Site, subject: object, language: str, look: Callable[[], bytes]) -> Feed:
    """Return the feed of a subject in a language, shared by all who may receive it."""
    known_feed = of.feeds.get((subject, language))
    if known_feed is None:
        is_of_a_seat = isinstance(subject, Page) and subject.own_seat is not None
        next_ring = of.bell.next_ring_for_seats if is_of_a_seat else of.bell.next_ring
        known_feed = Feed(lambda: Message(look()), next_ring, lambda: of.phones.rights)
        of.feeds[subject, language] = known_feed
    return known_feed


def sent(feed: Feed, may: Callable[[], bool] = lambda: True, had: bytes = b"") -> Response:
    """Answer with a stream; with `once` in the query, with its first message only."""
    # nginx would buffer a stream, unless told not to by X-Accel-Buffering.
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", "Vary": "Accept-Encoding"}
    packed = bool(request.accept_encodings.quality("gzip"))
    if packed:
        headers["Content-Encoding"] = "gzip"
    stream = Stream(feed_below(feed), may, had, packed=packed)
    body = iter(stream) if "once" in request.args else stream
    return Response(body, mimetype="text/event-stream", headers=headers, direct_passthrough=True)


def may_still(page: Page) -> Callable[[], bool]:
    """Return a test, to be called repeatedly, of whether this phone may still see the page."""
    phones = site().phones
    phone_then = me().phone
    right = right_to(page)

    def may() -> bool:
        who_now = seat_rights.who(phones.rights, phone_then)
        phones.here(who_now)
        return has(right, who_now, page.seat, phones.rights)

    return may


def message(fragment: bytes, event: bytes = b"") -> bytes:
    """Format a fragment as one server-sent event, named `event` if given."""
    kind = b"event: %b\n" % event if event else b""
    return kind + b"data: " + fragment.replace(b"\n", b"\ndata: ") + b"\n\n"
