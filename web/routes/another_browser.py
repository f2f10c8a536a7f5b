"""Going on in another browser of the same phone: the first one says yes, its seat's code opens, or a bot gives way."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion.access import another_browser, lobby, seat_rights
from companion.access.another_browser import Earlier, WayBack, earlier_phone
from companion.access.lobby import Playing, SeatTaken
from companion.access.seat_rights import Rights
from companion.live.simulation import NO_BOTS
from companion.player_names import same
from companion.web.http import phone
from companion.web.http.form_answers import Refused, answered, at_table, change_rights, words
from companion.web.routes import agreement
from companion.web.routes.forms import typed_seat
from companion.web.site import site, there

routes = Blueprint("another_browser", __name__)


@routes.post("/here")
def here() -> ResponseReturnValue:
    """Go on in this browser at a seat that another browser of this phone has."""
    return go_on_here(typed_seat("seat"))


def go_on_here(seat: int) -> ResponseReturnValue:
    """Bring a seat into this request's browser, or ask the one that has it. Raises `Refused`."""
    match way_to(seat):
        case WayBack.ASK:
            return _ask_other_browser(seat)
        case WayBack.BOT:
            return _take_from_bot(seat)
        case WayBack.CODE:
            raise Refused(409, "other-browser-silent", number=seat)
        case WayBack.NONE:
            raise Refused(403, "not-this-phones", number=seat)


def way_to(seat: int) -> WayBack:
    """Return how this request's phone gets to a seat."""
    phones = site().phones
    phone_there = earlier_phone(phones.rights, seat)
    earlier = None
    if phone_there is not None:
        same_address = phones.is_at(phone_there, request.remote_addr or "")
        earlier = Earlier(phone_there, same_address, phones.unheard(phone_there))
    return another_browser.way_to(phones.rights, seat, phone.me(), earlier, _bots())


def seat_of(name: str) -> int | None:
    """Return the seat that another browser of this phone has, or had, for somebody of this name."""
    rights = site().phones.rights
    names = {seat: guest.name for seat, guest in rights.people.seated.items() if seat in rights.holders}
    names |= {seat: left.name for seat, left in rights.gone.items() if seat not in rights.holders}
    seats = (seat for seat, known in names.items() if same(known, name))
    return next((seat for seat in seats if way_to(seat) is not WayBack.NONE), None)


def _ask_other_browser(seat: int) -> ResponseReturnValue:
    before, question = phone.me().phone, agreement.asked_of(seat)
    waits = answered(words().say("asked-other-browser", {"number": seat}), "/")
    if question is not None and before is not None and question.phone == before:
        return waits
    token = phone.new_token()
    mine, holder = seat_rights.phone_of(token), site().phones.rights.holders[seat]

    def moved(rights: Rights) -> Rights:
        if rights.holders.get(seat) != holder:
            raise Refused(409, "ask-lapsed")
        return seat_rights.known_as(rights, holder, mine)

    def act() -> str:
        change_rights(moved)
        return words().say("goes-on-there")

    site().questions.know_as(before, mine)
    phone.keep(token)
    agreement.ask_phone_of(seat, "ask-other-browser", mine, act)
    return waits


def _take_from_bot(seat: int) -> ResponseReturnValue:
    simulation, token = there(site().simulation), phone.new_token()
    mine, playing = seat_rights.phone_of(token), Playing(site().live.snapshot.match, agreement.seats())

    def back(rights: Rights) -> Rights:
        left = rights.gone.get(seat)
        if left is None:
            raise Refused(409, "ask-lapsed")
        return lobby.come_back(seat_rights.known_as(rights, left.phone, mine), mine, playing, seat)

    try:
        name = change_rights(back).people.seated[seat].name
    except SeatTaken:  # somebody was quicker, or has that name by now
        raise Refused(409, "ask-lapsed") from None
    at_table(lambda: simulation.take_over(seat))
    phone.keep(token)
    return answered(words().say("sat-down", {"name": name}), f"/seat/{seat}")


def _bots() -> frozenset[int]:
    """Return where bots play in the match under way."""
    simulation, snapshot = site().simulation, site().live.snapshot
    bots = simulation.bots if simulation is not None and snapshot.people_play else NO_BOTS
    return frozenset(bots)
