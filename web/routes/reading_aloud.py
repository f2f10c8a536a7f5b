"""A seat's page read aloud, and its cards heard before they are played: begun and ended on the phone itself."""

from flask import Blueprint, Response, make_response, request
from flask.typing import ResponseReturnValue

from companion.web.http import phone, reading_aloud
from companion.web.http.cookies import remember
from companion.web.http.form_answers import Refused, answered, at_table, words
from companion.web.routes.forms import typed_seat
from companion.web.site import site

STOP = "stop"
AN_EVENING = 12 * 3600
"""Seconds; on another evening the player must confirm the earphone again."""

routes = Blueprint("reading_aloud", __name__)


@routes.post("/aloud")
def choose() -> Response:
    """Remember how much this phone reads aloud. Nothing is said until its player wears an earphone."""
    wish = request.form.get("aloud", "")
    if wish not in (*reading_aloud.WISHES, STOP):
        raise Refused(400, "bad-aloud")
    if wish != STOP and not reading_aloud.wish() and "earphone" not in request.form:
        raise Refused(409, "earphone-first")
    answer = make_response(answered(words().say(f"aloud-is-{wish}")))
    span = 0 if wish == STOP else AN_EVENING
    remember(answer, reading_aloud.COOKIE, wish, span)
    return answer


@routes.post("/hear")
def hear() -> ResponseReturnValue:
    """From now on, have a seat's cards read out on its phone, and not count as lays."""
    seat, live = typed_seat("seat"), site().live
    if seat not in phone.me().parts:
        raise Refused(403, "not-your-seat")
    if not live.snapshot.may_hear(seat):
        raise Refused(409, "no-hearing")
    at_table(lambda: live.listen(lambda hearing: hearing.begin(seat)))
    return answered(words().say("hearing-begun"))


@routes.post("/hear/end")
def play_again() -> ResponseReturnValue:
    """Have them count as lays again; the host does so for a seat that has lost its phone."""
    seat, who, live = typed_seat("seat"), phone.me(), site().live
    if seat not in who.parts and not (who.host and seat not in site().phones.rights.holders):
        raise Refused(403, "not-your-seat")
    if seat not in live.snapshot.hearing:
        raise Refused(409, "hearing-ended")
    at_table(lambda: live.listen(lambda hearing: hearing.end(seat)))
    return answered(words().say("hearing-ended"))
