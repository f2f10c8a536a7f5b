"""Putting stickers on a deck: what the buttons of the page `/tags` do. No uid is ever shown."""

from collections.abc import Callable

import msgspec
from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion.tags.deck import TagsFault
from companion.tags.enrolment_session import Enrolment, GoesOn
from companion.web.http.form_answers import Refused, answered, at_table
from companion.web.http.language import language
from companion.web.render.words import PageWords
from companion.web.routes.forms import chosen, chosen_pieces
from companion.web.site import site

routes = Blueprint("tags", __name__, url_prefix="/tags")


@routes.post("/begin")
def begin() -> ResponseReturnValue:
    """Begin with a deck, or with one card of it that lost its sticker."""
    pieces, checkup = chosen_pieces(), site().checkup
    if checkup is not None and checkup.walking:
        raise Refused(409, "tags-while-walking")
    card = request.form.get("card")
    told = chosen(pieces.box, f"{pieces.slug}.box", PageWords(pieces.slug, language()), request.form)
    box = None if told is None else msgspec.convert(told, pieces.box)
    return _done(lambda enrolment: enrolment.begin(pieces.slug, box, card))


@routes.post("/skip")
def skip() -> ResponseReturnValue:
    """Leave the wanted card for later."""
    return _done(Enrolment.skip)


@routes.post("/take-back")
def take_back() -> ResponseReturnValue:
    """Undo the latest sticker."""
    return _done(Enrolment.take_back)


@routes.post("/choose")
def choose() -> ResponseReturnValue:
    """Want this card next."""
    card = request.form.get("card", "")
    return _done(lambda enrolment: enrolment.choose(card))


@routes.post("/end")
def end() -> ResponseReturnValue:
    """Let cards reach the match again."""
    return _done(Enrolment.end)


def _done(act: Callable[[Enrolment], None]) -> ResponseReturnValue:
    """Do it; the page shows the outcome."""
    live = site().live
    try:
        at_table(lambda: live.enrol(act))
    except GoesOn:
        raise Refused(409, "tags-go-on-already") from None
    except TagsFault as wrong:
        raise Refused(503, "tags-fault", why=wrong) from None
    except ValueError:
        raise Refused(400, "bad-card") from None
    return answered("")
