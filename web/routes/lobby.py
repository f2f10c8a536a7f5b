"""Before a match: who sits down where, under which name and look; the host removes and moves people and fixes names."""

import math
from collections.abc import Callable, Container, Mapping
from urllib.parse import urlencode

from flask import Blueprint, flash, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion import player_names
from companion.access import lobby, people, seat_rights
from companion.access.lobby import NeedsCode, Playing, SeatTaken
from companion.access.people import Guest
from companion.access.player_looks import ANIMALS, COLOURS, Face
from companion.access.seat_rights import HOST, Rights
from companion.acts import outcome as acts
from companion.acts import seating
from companion.acts.act import Rename
from companion.events import SEATS
from companion.web.http import phone
from companion.web.http.form_answers import Refused, answered, at_table, change_rights, words
from companion.web.http.language import language
from companion.web.render.page_names import Page
from companion.web.routes import another_browser
from companion.web.routes.acting import done, table_now, this_phone
from companion.web.routes.forms import typed_face, typed_name, typed_seat
from companion.web.routes.pages import shown
from companion.web.site import site

Step = Callable[[Rights], Rights]

routes = Blueprint("lobby", __name__)


@routes.get("/join")
def join() -> str:
    """Ask people who they are, how they look and where they sit; or for a code."""
    context = site().screens.frame(Page("join"), language())
    chosen = player_names.written(request.args.get("name", ""))
    bot, seat = (request.args.get(what, type=int) for what in ("bot", "seat"))
    code = seat_rights.read(request.args.get("code", ""))
    return render_template("sit.html", **context, **_choices(chosen, context["faces"], seat), asked=bot, code=code)


@routes.post("/sit")
def sit() -> ResponseReturnValue:
    """Sit down, or change one's name, look or seat."""
    here, before, token = site(), phone.me().phone, phone.new_token()
    seat, mine, under_way = typed_seat("seat"), seat_rights.phone_of(token), playing()
    seconds = here.phones.presence.away(before)
    if seconds:
        raise Refused(403, "sent-away-lately", number=math.ceil(seconds / 60))
    guest, own = Guest(typed_name("name"), typed_face()), seat in phone.me().parts
    other_browsers = seating.seat_in_another_browser(table_now(), guest.name, this_phone())
    if other_browsers is not None:
        return another_browser.go_on_here(other_browsers)
    table = table_now()
    was, bound = seating.name_at(table, seat) if own else "", seat in under_way.seats
    renames = own and guest.name != was and not player_names.is_bots(was)
    match = (under_way.match if bound else seating.played_by(table, seat)) if renames else None
    another = request.form.get("person") == "another" or (
        match is not None and not seating.may_correct(phone.me(), was, table.rights)
    )
    earlier = here.acting.earlier_matches(seat, guest.name) if match is not None and not another else {}

    def step(now: Rights) -> Rights:
        known = seat_rights.known_as(now, before, mine)
        if match is not None and not another:
            known = lobby.rename(known, match, seat, guest.name, earlier)
        elif match is not None and bound:
            known = lobby.succeed(known, match, seat, guest.name)
        return lobby.sit(known, mine, seat, guest, under_way, by_code=here.by_code)

    after = _changed(step)
    at_table(lambda: here.acting.done_by_holder("ask-rename", seat))
    phone.keep(token)
    named = "sat-down" if match is None else "plays-on" if another else "renamed-all"
    said = words().say("look-kept" if guest.name == was else named, {"name": guest.name, "before": was})
    if after.holders.get(seat) != mine:
        return answered(said, f"/lobby/{seat}")
    flash(said)  # the page itself may show nothing new
    return answered("", f"/seat/{seat}")


@routes.get("/lobby/<int:seat>")
def wait(seat: int) -> ResponseReturnValue:
    """Show a phone waiting at this seat who sits down; one that holds the seat by now is led to it."""
    who = phone.me()
    if seat in who.waits:
        return shown(Page("lobby", seat))
    if seat in who.parts:
        return redirect(f"/seat/{seat}")
    flash(words().say("sent-away"))
    return redirect("/join")


@routes.post("/leave")
def leave() -> ResponseReturnValue:
    """Get up again before the match."""
    seat = typed_seat("part")
    if seat not in phone.me().waits:
        raise Refused(403, "not-your-seat")
    name = _waiting(seat).name
    change_rights(lambda now: lobby.leave(now, {seat}))
    return answered(words().say("left-seat", {"number": seat}), f"/join?{urlencode({'name': name})}")


@routes.post("/send-away")
def send_away() -> ResponseReturnValue:
    """Have somebody waiting for the match get up; for some minutes their phone can only sit down with a code."""
    seat = typed_seat("part")
    guest = _waiting(seat)

    def step(now: Rights) -> Rights:
        return lobby.leave(now, {seat}) if now.people.seated.get(seat) == guest else now

    change_rights(step)
    if guest.phone:
        site().phones.send_away(guest.phone)
    return answered(words().say("left-seat", {"number": seat}))


@routes.post("/move")
def move() -> ResponseReturnValue:
    """Move somebody who waits to another seat."""
    seat, to = typed_seat("part"), typed_seat("to")
    guest = _waiting(seat)
    if to in playing().seats:
        raise Refused(403, "seat-by-code", number=to)
    _changed(lambda now: lobby.move(now, seat, to))
    return answered(words().say("moved", {"name": guest.name, "number": to}))


@routes.post("/sit-out")
def sit_out() -> ResponseReturnValue:
    """Have somebody sit out the next match and keep their seat, or play again: they say so, or the host does."""
    seat, out, who = typed_seat("part"), request.form.get("out") == "yes", phone.me()
    if not who.host and seat not in who.parts | who.waits:
        raise Refused(403, "not-your-seat")
    guest = site().phones.rights.people.seated.get(seat)
    if guest is None or player_names.is_bots(guest.name):
        raise Refused(409, "nobody-sits", number=seat)

    def step(now: Rights) -> Rights:
        return lobby.sit_out(now, seat, out) if seat in now.people.seated else now

    change_rights(step)
    return answered(words().say("sits-out-now" if out else "plays-again", {"name": guest.name}))


@routes.post("/rename")
def rename() -> ResponseReturnValue:
    """Correct a player's name; if the host does it, the phone at that seat is asked."""
    return done(Rename(typed_seat("part"), typed_name("name")))


def playing() -> Playing:
    """Return the match under way, as far as it determines who sits where."""
    return table_now().playing


def _choices(chosen: str, faces: Mapping[int, Face], asked: int | None) -> dict[str, object]:
    """Return what the page for sitting down needs: who this phone's player is, and what is free.

    `faces`: how the match's players look, by seat, even those who have chosen nothing. `asked`: which of the phone's
    seats it is about; if nobody sits there yet, its player is somebody new.
    """
    who, rights = phone.me(), site().phones.rights
    me, own = who.phone, lobby.seats_of(rights, who.phone) if who.phone else set()
    opened = asked if asked in who.parts - own - {HOST} else None
    mine = None if opened else asked if asked in own else min(own, default=None)
    others = {seat: one for seat, one in rights.people.seated.items() if seat != mine}
    here = rights.people.seated.get(mine or HOST)
    name = chosen or (here.name if here else "")
    bound = mine in playing().seats
    seen = faces.get(mine or HOST) if bound else None
    face = here.face or seen if here and name == here.name else people.look(rights.people, name)
    persons = [one for one in others.values() if not player_names.is_bots(one.name)]
    taken = {look: one.name for one in persons if one.face for look in (one.face.animal, one.face.colour)}
    worn = {look for seat, one in faces.items() if seat != mine for look in (one.animal, one.colour)}
    return {
        "name": name,
        "mine": mine,
        "opened": opened,
        "bound": bound,
        "played": mine is not None and not bound and seating.played_by(table_now(), mine) is not None,
        "closed": {seat for seat in SEATS if _closed(rights, seat, me)},
        "taken": taken,
        "known": [one.name for one in rights.people.known if not people.namesake(rights.people, HOST, one.name)],
        "looks": {
            "animal": (ANIMALS, _free(face.animal if face else None, ANIMALS, taken, worn)),
            "colour": (COLOURS, _free(face.colour if face else None, COLOURS, taken, worn)),
        },
        "by_code": site().by_code,
    }


def _changed(step: Step) -> Rights:
    try:
        return change_rights(step)
    except (SeatTaken, NeedsCode) as taken:
        raise acts.ActRefused(seating.taken_by_another(taken)) from None


def _closed(rights: Rights, seat: int, me: str | None) -> bool:
    """Whether this phone needs more than a wish to sit down there."""
    holder, there = rights.holders.get(seat), rights.people.seated.get(seat)
    if me is not None and me in (holder, there.phone if there else None):
        return False
    waits = there is not None and there.phone is not None
    return holder is not None or waits or site().by_code or seat in playing().seats


def _free(wished: str | None, known: tuple[str, ...], taken: Container[str], worn: Container[str]) -> str:
    """Return what is preselected: the earlier choice, else one that nobody has."""
    if wished is not None and wished not in taken:
        return wished
    free = [one for one in known if one not in taken]
    return next((one for one in free if one not in worn), free[0])


def _waiting(seat: int) -> Guest:
    """Return the guest who waits there. Raises `Refused`."""
    guest = site().phones.rights.people.seated.get(seat)
    if guest is None or guest.phone is None:
        raise Refused(409, "nobody-sits", number=seat)
    return guest
