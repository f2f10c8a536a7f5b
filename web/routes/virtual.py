"""The virtual table's hand: what a person does with a real table's cards and buzzers, done from the browser."""

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue

from companion.live.demo import Hand
from companion.web.http.responses import Refused, answered, at_table
from companion.web.routes.manual_entry import meant_at, offered_cards, see_that_it_goes_on
from companion.web.site import site

routes = Blueprint("virtual", __name__, url_prefix="/table")


@routes.post("/lay")
def lay() -> ResponseReturnValue:
    """Lay a card on a place, or several one after the other."""
    hand = _hand()
    place = _place(hand)
    live, offered = site().live, offered_cards()
    see_that_it_goes_on()

    def one_by_one() -> None:
        slug, cards = live.ask(lambda match: (match.game.slug, meant_at(match, place, offered)))
        for card in cards:
            hand.lay(place, slug, card)

    at_table(one_by_one)
    return answered("")


@routes.post("/lift")
def lift() -> ResponseReturnValue:
    """Take the card of a place away."""
    hand = _hand()
    place = _place(hand)
    at_table(lambda: hand.lift(place))
    return answered("")


@routes.post("/press")
def press() -> ResponseReturnValue:
    """Press a buzzer."""
    hand = _hand()
    seat = request.form.get("seat", "")
    if seat not in {str(known) for known in hand.seats}:
        raise Refused(400, "bad-seat")
    see_that_it_goes_on()
    at_table(lambda: hand.press(int(seat)))
    return answered("")


def _hand() -> Hand:
    hand = site().hand
    if hand is None:
        abort(404)
    return hand


def _place(hand: Hand) -> str:
    place = request.form.get("place", "")
    if place not in hand.places:
        raise Refused(400, "bad-place")
    return place
