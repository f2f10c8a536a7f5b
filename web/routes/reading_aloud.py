"""Playing a seat by ear, and hearing its cards before they are played: switched on and off on the phone itself."""

from flask import Blueprint, Response, make_response, request
from flask.typing import ResponseReturnValue

from companion.acts.match_acts import HearCards, PlayCards
from companion.web.http import reading_aloud
from companion.web.http.cookies import A_YEAR, remember
from companion.web.http.form_answers import Refused, answered, words
from companion.web.routes.acting import done
from companion.web.routes.forms import typed_seat

STOP = "stop"
AN_EVENING = 12 * 3600
"""Seconds; on another evening the player must confirm the earphone again. A screen reader needs none: a year."""

routes = Blueprint("reading_aloud", __name__)


@routes.post("/aloud")
def choose() -> Response:
    """Set whether this phone's player plays by ear. The page speaks only once they have confirmed an earphone."""
    aloud = request.form.get("aloud", "")
    if aloud not in (*reading_aloud.WISHES, STOP):
        raise Refused(400, "bad-aloud")
    answer = make_response(answered(words().say(f"aloud-is-{aloud}")))
    if aloud == STOP:
        remember(answer, reading_aloud.COOKIE, STOP, 0)
        return answer
    speaker = request.form.get("speaker", "")
    if speaker not in reading_aloud.SPEAKERS:
        raise Refused(400, "bad-speaker")
    # A page that spoke already was confirmed before; a screen reader speaks where its user listens anyway.
    is_overheard = speaker == "page" and reading_aloud.wish().speaker != "page"
    if is_overheard and "earphone" not in request.form:
        raise Refused(409, "earphone-first")
    span = AN_EVENING if speaker == "page" else A_YEAR
    remember(answer, reading_aloud.COOKIE, f"{aloud}-{speaker}", span)
    return answer


@routes.post("/hear")
def hear() -> ResponseReturnValue:
    """Have a seat's cards read out on its phone from now on, and not count as lays."""
    return done(HearCards(typed_seat("seat")))


@routes.post("/hear/end")
def play_again() -> ResponseReturnValue:
    """Have a seat's cards count as lays again; the host may do so for a seat that has lost its phone."""
    return done(PlayCards(typed_seat("seat")))
