"""Continuing in another browser of the same phone."""

from flask import Blueprint
from flask.typing import ResponseReturnValue

from companion.acts.seat_acts import GoOnHere
from companion.web.routes.acting import done_at_seat
from companion.web.routes.forms import typed_seat

routes = Blueprint("another_browser", __name__)


@routes.post("/here")
def here() -> ResponseReturnValue:
    """Take over a seat that another browser of this phone holds."""
    return done_at_seat(GoOnHere(typed_seat("seat")))
