"""Taking back an entry of the story, a seat's taps, or a move of simulated things."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion.acts.match_acts import TakeBack
from companion.acts.told import EntryTold
from companion.web.http.named_match import named_match
from companion.web.routes.acting import done
from companion.web.routes.forms import typed_entry, typed_seat

routes = Blueprint("taking_back", __name__)


@routes.post("/take-back")
def take_back() -> ResponseReturnValue:
    """Take back an entry of the public story, a seat's taps in the current count (of all cards or these), or both."""
    form = request.form
    entry = None
    if "entry" in form:
        entry = EntryTold(typed_entry(), form.get("code", ""), form.get("mark"))
    seat = typed_seat("seat") if "seat" in form else None
    return done(TakeBack(entry, seat, tuple(form.getlist("card")), match=named_match()))
