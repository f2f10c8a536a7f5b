"""What the host chooses to do about what the table can't use of all that it keeps."""

from flask import Blueprint, Response, redirect, request
from flask.typing import ResponseReturnValue
from gevent.event import Event

from companion.tags.deck import TagsFault
from companion.web.feed import Feed, Message
from companion.web.http.form_answers import Refused, answered, at_table, words
from companion.web.routes.streams import sent
from companion.web.site import site

routes = Blueprint("curing", __name__)


@routes.get("/first-aid")
def cured() -> ResponseReturnValue:
    """Lead a phone that still shows first aid to the table."""
    return redirect("/", 303)


@routes.get("/stream/first-aid")
def cured_stream() -> Response:
    """Have such a phone reload its page."""
    return sent(Feed(lambda: Message(b""), Event), lambda: False)


@routes.post("/host/cure")
def cure() -> ResponseReturnValue:
    """Carry out a remedy that the host's page offers; of a running table only its stickers have any."""
    live, wished = site().live, (request.form.get("code"), request.form.get("remedy"))
    offered = [
        remedy for ailment in live.snapshot.ailments for remedy in ailment.remedies if (ailment.code, remedy) == wished
    ]
    if not offered:
        raise Refused(409, "cured-already")
    try:
        at_table(lambda: live.cure_stickers(offered[0]))
    except TagsFault as wrong:
        raise Refused(503, "tags-fault", why=wrong) from None
    return answered(words().say(f"cured-{offered[0]}"))
