"""Reading a seat's page aloud: asked for, and stopped, on the phone itself."""

from flask import Blueprint, Response, make_response, request

from companion.web.http import aloud
from companion.web.http.form_answers import Refused, answered, words

STOP = "stop"
AN_EVENING = 12 * 3600
"""Seconds; on another evening the earphone is put in anew."""

routes = Blueprint("aloud", __name__)


@routes.post("/aloud")
def choose() -> Response:
    """Remember how much this phone reads aloud. Nothing is said before its player wears an earphone."""
    wish = request.form.get("aloud", "")
    if wish not in (*aloud.WISHES, STOP):
        raise Refused(400, "bad-aloud")
    if wish != STOP and not aloud.wish() and "earphone" not in request.form:
        raise Refused(409, "earphone-first")
    answer = make_response(answered(words().say(f"aloud-is-{wish}")))
    span = 0 if wish == STOP else AN_EVENING
    answer.set_cookie(aloud.COOKIE, wish, max_age=span, httponly=True, samesite="Strict")
    return answer
