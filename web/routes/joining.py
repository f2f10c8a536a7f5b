"""Becoming a player: claiming a seat by its code, handing it on, giving it back."""

from urllib.parse import urlencode

from flask import Blueprint, flash, render_template, request
from flask.typing import ResponseReturnValue

from companion.access import seat_rights
from companion.access.another_browser import WayBack
from companion.access.seat_rights import HOST, PARTS, Held, NoSuchCode
from companion.acts.act import FreeSeat
from companion.live.simulation import NO_BOTS
from companion.web.http import phone
from companion.web.http.form_answers import Refused, answered, at_table, change_rights, words
from companion.web.http.language import language
from companion.web.render.page_names import Page
from companion.web.routes import another_browser
from companion.web.routes.acting import done
from companion.web.routes.forms import typed_seat
from companion.web.site import site

routes = Blueprint("joining", __name__)


@routes.get("/join/<code>")
def scanned(code: str) -> str:
    """Show the code that was scanned, ready to be sent; the page's script sends it at once.

    Following a link claims nothing by itself: other sites could make a phone do that.
    """
    context = site().screens.frame(Page("join"), language())
    return render_template("join.html", **context, wanted=None, of_host=False, code=seat_rights.read(code), said=None)


@routes.post("/join")
def claim() -> ResponseReturnValue:
    """Claim what a code opens."""
    phones, code, before, token = site().phones, request.form.get("code", ""), phone.me().phone, phone.new_token()
    simulation, site_acting = site().simulation, site().acting
    left = [seat for seat in phones.rights.holders if another_browser.way_to(seat) is WayBack.CODE]
    bots = simulation.bots if simulation and site().live.snapshot.under_way is not None else NO_BOTS
    try:
        part = at_table(lambda: phones.claim(seat_rights.phone_of(token), code, before, bots, left))
    except NoSuchCode:
        raise Refused(403, "wrong-code") from None
    except Held as wrong:
        if another_browser.way_to(wrong.seat) is WayBack.BOT:
            return another_browser.go_on_here(wrong.seat)
        if wrong.seat in bots:
            flash(words().say("bot-there", {"number": wrong.seat}))
            return answered("", f"/join?{urlencode({'bot': wrong.seat, 'code': seat_rights.read(code)})}")
        if another_browser.way_to(wrong.seat) is WayBack.ASK:
            raise Refused(409, "other-browser-open", number=wrong.seat) from None
        raise Refused(409, "seat-held", number=wrong.seat) from None
    phone.keep(token)
    at_table(lambda: site_acting.done_by_holder("ask-other-browser", part))
    if part == HOST:
        return answered(words().say("joined-host"), "/host")
    return answered(words().say("joined-seat", {"number": part}), f"/seat/{part}")


@routes.post("/hand-on")
def hand_on() -> ResponseReturnValue:
    """Make a code that hands what this phone holds to another."""
    part, phones = _own(), site().phones
    at_table(lambda: phones.hand_on(part))
    return answered(words().say("handing-on"))


@routes.post("/keep")
def keep() -> ResponseReturnValue:
    """Cancel handing it on."""
    part = _own()
    change_rights(lambda now: seat_rights.keep(now, part))
    return answered(words().say("kept"))


@routes.post("/free")
def free() -> ResponseReturnValue:
    """Give one's own seat back; or let the host free another's whose phone is lost."""
    seat = typed_seat("part", PARTS)
    if seat == HOST:
        raise Refused(400, "no-seat")
    return done(FreeSeat(seat), "/" if seat in phone.me().parts else None)


@routes.post("/codes/new")
def renew() -> ResponseReturnValue:
    """Give every seat a new code."""
    at_table(site().phones.renew)
    return answered(words().say("codes-renewed"))


def _own() -> int:
    part = typed_seat("part", PARTS)
    if part not in phone.me().parts:
        raise Refused(403, "not-your-seat")
    return part
