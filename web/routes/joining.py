"""Seats during a match: claiming one by its code, handing it on, giving it back."""

from urllib.parse import urlencode

from flask import Blueprint, flash, render_template, request
from flask.typing import ResponseReturnValue

from companion.access import seat_rights
from companion.access.seat_rights import PARTS
from companion.acts.seat_acts import ClaimSeat, FreeSeat, HandOn, KeepSeat, RenewCodes
from companion.web.http import phone
from companion.web.http.form_answers import answered
from companion.web.http.language import language
from companion.web.render.page_names import Page
from companion.web.routes.acting import address_of_gained_part, carried_out, done, in_words
from companion.web.routes.forms import typed_seat
from companion.web.site import site

routes = Blueprint("joining", __name__)


@routes.get("/join/<code>")
def scanned(code: str) -> str:
    """Show a scanned code in the form, which the page's script sends at once.

    A GET claims nothing by itself: another site's page could make a phone follow the link.
    """
    context = site().screens.frame(Page("join"), language())
    return render_template("join.html", **context, wanted=None, of_host=False, code=seat_rights.read(code), said=None)


@routes.post("/join")
def claim() -> ResponseReturnValue:
    """Claim the part that a code opens; for a bot's seat the player first gives their name and look."""
    code = request.form.get("code", "")
    carried = carried_out(ClaimSeat(code))
    if carried.said.code == "bot-there":
        flash(in_words(carried))
        return answered("", f"/join?{urlencode({'bot': carried.said.facts['number'], 'code': seat_rights.read(code)})}")
    return answered(in_words(carried), address_of_gained_part(carried))


@routes.post("/hand-on")
def hand_on() -> ResponseReturnValue:
    """Make a code by which another phone gets a part of this one."""
    return done(HandOn(typed_seat("part", PARTS)))


@routes.post("/keep")
def keep() -> ResponseReturnValue:
    """Cancel handing a part on."""
    return done(KeepSeat(typed_seat("part", PARTS)))


@routes.post("/free")
def free() -> ResponseReturnValue:
    """Give back one's own seat; or let the host free a seat whose phone is lost."""
    seat = typed_seat("part")
    return done(FreeSeat(seat), "/" if seat in phone.me().parts else None)


@routes.post("/codes/new")
def renew() -> ResponseReturnValue:
    """Give every seat a new code."""
    return done(RenewCodes())
