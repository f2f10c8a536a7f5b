"""Becoming a player: claiming a seat by its code, handing it on, giving it back."""

from collections.abc import Mapping
from contextlib import suppress
from urllib.parse import urlencode

from flask import Blueprint, flash, render_template, request
from flask.typing import ResponseReturnValue

from companion.access import lobby, seat_rights
from companion.access.another_browser import WayBack
from companion.access.seat_rights import HOST, PARTS, Held, NoSuchCode, Rights
from companion.judge.views import told_so_far
from companion.live.simulation import NO_BOTS, NotPossible
from companion.web.agreement import ALL_ARE_TOLD
from companion.web.http import phone
from companion.web.http.form_answers import Refused, answered, at_table, change_rights, words
from companion.web.http.language import language
from companion.web.render.page_names import Page
from companion.web.render.players import names_of
from companion.web.routes import another_browser
from companion.web.routes.agreement import agreed_by_holder, asked_of, done_by_holder
from companion.web.routes.forms import typed_seat
from companion.web.routes.lobby import Step, playing
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
    simulation = site().simulation
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
    done_by_holder("ask-other-browser", part)
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
    """Give one's own seat back; or let the host free another's whose phone is lost.

    If a simulated table waits for a phone that is off and has not been asked, the seat is freed at once: any player may
    still have it waited for; if the phone is the host's own, any player may free it.
    """
    seat, phones, who = typed_seat("part", PARTS), site().phones, phone.me()
    if seat == HOST:
        raise Refused(400, "no-seat")
    plays = seat in playing().seats
    name, told = words().name(seat), told_so_far(site().live.snapshot.views.get(None))
    if seat in who.parts:
        if plays:
            _leave_in_play(seat, lambda now: seat_rights.go(now, seat, name, told))
        else:
            change_rights(lambda now: lobby.leave(now, {seat}))
        return answered(words().say("you-left"), "/")
    holder = phones.rights.holders.get(seat)
    off = holder is not None and asked_of(seat) is None and _holds_up(seat, holder)
    if not who.host and not (off and holder == phones.rights.holders.get(HOST) and who.parts & playing().seats):
        raise Refused(403, "not-your-seat")
    if holder is None:
        return answered(words().say("freed", {"number": seat}))

    def step(now: Rights, told: int) -> Rights:
        if now.holders.get(seat) != holder:
            raise Refused(409, "ask-lapsed")
        gone = seat_rights.go(now, seat, name, told, freed=True, off=off)
        return gone if plays else lobby.leave(gone, {seat})

    def act() -> str:
        told = told_so_far(site().live.snapshot.views.get(None))
        if plays:
            return _leave_in_play(seat, lambda now: step(now, told))
        change_rights(lambda now: step(now, told))
        return words().say("freed", {"number": seat})

    if off:
        return answered(act())
    bot = plays and site().simulation is not None
    return agreed_by_holder("ask-bot-plays-on" if bot else "ask-free", seat, holder, act)


def _holds_up(seat: int, holder: str) -> bool:
    """Whether a simulated table is stuck at this seat because its phone is off, and nobody wants to wait for it."""
    here = site()
    view, phones = here.live.snapshot.views.get(None), here.phones
    if here.simulation is None or view is None or seat not in playing().seats or here.live.snapshot.pause is not None:
        return False
    table = view["table"]
    awaited = table["now"].get("seats", ()) if isinstance(table, Mapping) else ()
    return seat in awaited and phones.unheard(holder) > ALL_ARE_TOLD and not phones.is_awaited(holder)


def _leave_in_play(seat: int, gone: Step) -> str:
    """Free a seat in play, and say how it goes on there: at a simulated table nobody waits, because a bot plays.

    The bot's name is stored in the same step, so it is done as a whole or not at all.
    """
    simulation = site().simulation
    under_way = playing()
    began = names_of(site().live.snapshot.views.get(None))
    if simulation is None or not simulation.is_a_persons(seat):
        change_rights(gone)
        return words().say("freed", {"number": seat})
    change_rights(lambda now: lobby.hand_over(gone(now), under_way, seat, began))
    with suppress(NotPossible):  # the match is over by now
        at_table(lambda: simulation.hand_over(seat))
    return ""  # every page says so


@routes.post("/codes/new")
def renew() -> ResponseReturnValue:
    """Give every seat a new code."""
    at_table(site().phones.renew)
    return answered(words().say("codes-renewed"))


def become_host() -> None:
    """Make the phone of this request the host's, if there is none yet. Raises `Refused` if another was quicker."""
    before, token = phone.me(), phone.new_token()
    if before.host:
        return
    mine = seat_rights.phone_of(token)
    now = change_rights(lambda now: seat_rights.first(now, mine, before.phone))
    if now.holders[HOST] != mine:
        raise Refused(403, "started-already")
    phone.keep(token)


def _own() -> int:
    part = typed_seat("part", PARTS)
    if part not in phone.me().parts:
        raise Refused(403, "not-your-seat")
    return part
