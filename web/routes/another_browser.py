"""Going on in another browser of the same phone: the first one says yes, its seat's code opens, or a bot gives way."""

from flask import Blueprint
from flask.typing import ResponseReturnValue

from companion.access.another_browser import WayBack
from companion.acts import seating
from companion.acts.act import GoOnHere
from companion.web.http.form_answers import answered
from companion.web.routes.acting import carried_out, in_words, table_now, this_phone
from companion.web.routes.forms import typed_seat

routes = Blueprint("another_browser", __name__)


@routes.post("/here")
def here() -> ResponseReturnValue:
    """Go on in this browser at a seat that another browser of this phone has."""
    return go_on_here(typed_seat("seat"))


def go_on_here(seat: int) -> ResponseReturnValue:
    """Bring a seat into this request's browser, or ask the one that has it."""
    carried = carried_out(GoOnHere(seat))
    return answered(in_words(carried), "/" if carried.asked else f"/seat/{seat}")


def way_to(seat: int) -> WayBack:
    """Return how this request's phone gets to a seat."""
    return seating.way_to(table_now(), seat, this_phone())
