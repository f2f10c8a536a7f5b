"""The virtual table's hand: from the browser, what a person does with a real table's cards and buzzers."""

from collections.abc import Iterator, Sequence

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion.judge import corrections
from companion.judge.match import Match
from companion.live.demo import Hand
from companion.web.http.form_answers import Refused, answered, at_table
from companion.web.routes.forms import offered_cards, typed_seat
from companion.web.routes.manual_entry import meant_at, see_that_it_goes_on
from companion.web.site import site, there

routes = Blueprint("virtual", __name__, url_prefix="/table")


@routes.post("/lay")
def lay() -> ResponseReturnValue:
    """Lay a card at a place, or several in turn."""
    hand = there(site().hand)
    place = _place(hand)
    live, offered = site().live, offered_cards()
    see_that_it_goes_on()

    def one_by_one() -> None:
        slug, cards = live.ask(lambda match: (match.game.slug, [*_copies(match, meant_at(match, place, offered))]))
        for card in cards:
            hand.lay(place, slug, card)

    at_table(one_by_one)
    return answered("")


def _copies(match: Match, cards: Sequence[str]) -> Iterator[str]:
    """Yield, of cards that look alike, one that nobody was told about: a page offers them only once."""
    deck, told = match.game.deck, corrections.named(match)
    for card in cards:
        alike = (one for one in deck if one not in told and deck[one].look == deck[card].look)
        yield card if card not in told else next(alike, card)


@routes.post("/lift")
def lift() -> ResponseReturnValue:
    """Lift the card from a place."""
    hand = there(site().hand)
    place = _place(hand)
    at_table(lambda: hand.lift(place))
    return answered("")


@routes.post("/press")
def press() -> ResponseReturnValue:
    """Press a buzzer."""
    hand = there(site().hand)
    seat = typed_seat("seat", hand.seats)
    see_that_it_goes_on()
    at_table(lambda: hand.press(seat))
    return answered("")


def _place(hand: Hand) -> str:
    place = request.form.get("place", "")
    if place not in hand.places:
        raise Refused(400, "bad-place")
    return place
