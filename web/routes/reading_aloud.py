"""A seat's page read aloud, and its cards heard before they are played: begun and ended on the phone itself."""

from flask import Blueprint, Response, make_response, request
from flask.typing import ResponseReturnValue

from companion.acts.match_acts import HearCards, PlayCards
from companion.web.http import reading_aloud
from companion.web.http.cookies import remember
from companion.web.http.form_answers import Refused, answered, words
from companion.web.routes.acting import done
from companion.web.routes.forms import typed_seat

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
    return done(HearCards(typed_seat("seat")))


@routes.post("/hear/end")
def play_again() -> ResponseReturnValue:
    """Have them count as lays again; the host does so for a seat that has lost its phone."""
    return done(PlayCards(typed_seat("seat")))
