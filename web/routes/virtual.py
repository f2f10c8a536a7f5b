"""The virtual table's hand: from the browser, what a person does with a real table's cards and buzzers."""

from collections.abc import Callable, Iterator, Sequence

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion.events import Pressed, Tapped
from companion.judge import corrections
from companion.judge.match import Match
from companion.live.demo import Hand
from companion.web.http.form_answers import Refused, answered, at_table
from companion.web.routes.agreement import agreed
from companion.web.routes.forms import offered_cards, typed_seat
from companion.web.routes.manual_entry import Entry, first_seat, kept, meant_at, others_of, see_that_it_goes_on
from companion.web.site import site, there

routes = Blueprint("virtual", __name__, url_prefix="/table")


@routes.post("/lay")
def lay() -> ResponseReturnValue:
    """Lay a card at a place, or several in turn."""
    hand = there(site().hand)
    place = _place(hand)
    live, offered = site().live, offered_cards()
    see_that_it_goes_on()

    def cards(match: Match) -> list[str]:
        return [*_copies(match, meant_at(match, place, offered))]

    def one_by_one() -> None:
        slug, meant = live.ask(lambda match: (match.game.slug, cards(match)))
        for card in meant:
            hand.lay(place, slug, card)

    return _for(lambda match: tuple(Tapped(0, 0.0, place, card) for card in cards(match)), one_by_one)  # type: ignore[arg-type]


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
    return _for(lambda match: (Pressed(0, 0.0, seat),) if seat in match.seats else (), lambda: hand.press(seat))


def _for(events: Entry, act: Callable[[], None]) -> ResponseReturnValue:
    """Do what causes these events: where another phone holds the seat, two must agree, as if it were entered."""
    live, keeps = site().live, kept()

    def found(match: Match) -> tuple[object, int | None, bool]:
        others = others_of(match, events(match), keeps)
        return match.unit, first_seat(others), bool(others)

    unit, seat, theirs = at_table(lambda: live.ask(found)) if live.snapshot.match is not None else (None, None, False)
    if not theirs:
        at_table(act)
        return answered("")

    def still() -> None:
        if live.ask(lambda match: match.unit) != unit:
            raise Refused(409, "moved-on")
        act()

    def done() -> str:
        at_table(still)
        return ""

    return agreed("ask-enter", {"seat": seat}, done)


def _place(hand: Hand) -> str:
    place = request.form.get("place", "")
    if place not in hand.places:
        raise Refused(400, "bad-place")
    return place
