"""The virtual table: laying and lifting cards and pressing buzzers from the browser."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion.acts.table_acts import LayCards, LiftCard, PressBuzzer
from companion.live.demo import Hand
from companion.web.http.form_answers import Refused
from companion.web.routes.acting import done
from companion.web.routes.forms import offered_cards, typed_seat
from companion.web.site import or_404, site

routes = Blueprint("virtual", __name__, url_prefix="/table")


@routes.post("/lay")
def lay() -> ResponseReturnValue:
    """Lay a card on a place, or several in turn."""
    place = _place(or_404(site().hand))
    return done(LayCards(place, tuple(offered_cards())))


@routes.post("/lift")
def lift() -> ResponseReturnValue:
    """Lift the card from a place."""
    return done(LiftCard(_place(or_404(site().hand))))


@routes.post("/press")
def press() -> ResponseReturnValue:
    """Press a buzzer."""
    return done(PressBuzzer(typed_seat("seat", or_404(site().hand).seats)))


def _place(hand: Hand) -> str:
    place = request.form.get("place", "")
    if place not in hand.places:
        raise Refused(400, "bad-place")
    return place
