"""Before a match: who sits down where, under which name and look; the host removes and moves people and fixes names."""

import math
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager
from urllib.parse import urlencode

from flask import Blueprint, flash, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion import player_names
from companion.access import lobby, people, seat_rights
from companion.access.lobby import LookTaken, NameTaken, NeedsCode, Playing, SeatTaken
from companion.access.people import Guest
from companion.access.player_looks import ANIMALS, COLOURS, Face
from companion.access.seat_rights import HOST, Rights, Who
from companion.events import SEATS
from companion.history.archive import NotInLog, NotReadNow
from companion.web.http import phone
from companion.web.http.form_answers import Refused, answered, change_rights, words
from companion.web.http.language import language
from companion.web.render.page_names import Page
from companion.web.routes import agreement, another_browser
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
    seconds = here.phones.away(before)
    if seconds:
        raise Refused(403, "sent-away-lately", number=math.ceil(seconds / 60))
    guest, own = Guest(typed_name("name"), typed_face()), seat in phone.me().parts
    other_browsers = another_browser.seat_of(guest.name)
    if other_browsers is not None:
        return another_browser.go_on_here(other_browsers)
    was, bound = _name(seat) if own else "", seat in under_way.seats
    renames = own and guest.name != was and not player_names.is_bots(was)
    match = (under_way.match if bound else _played_by(seat)) if renames else None
    another = request.form.get("person") == "another" or (match is not None and not _may_correct(phone.me(), was))
    earlier = _earlier(seat, guest.name) if match is not None and not another else {}

    def step(now: Rights) -> Rights:
        known = seat_rights.known_as(now, before, mine)
        if match is not None and not another:
            known = lobby.rename(known, match, seat, guest.name, earlier)
        elif match is not None and bound:
            known = lobby.succeed(known, match, seat, guest.name)
        return lobby.sit(known, mine, seat, guest, under_way, by_code=here.by_code)

    after = _changed(step)
    agreement.done_by_holder("ask-rename", seat)
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
        return lobby.rest(now, seat, out) if seat in now.people.seated else now

    change_rights(step)
    return answered(words().say("sits-out-now" if out else "plays-again", {"name": guest.name}))


@routes.post("/rename")
def rename() -> ResponseReturnValue:
    """Correct a player's name; if the host does it, the phone at that seat is asked."""
    seat, name, who = typed_seat("part"), typed_name("name"), phone.me()
    if not who.host and seat not in who.parts:
        raise Refused(403, "not-your-seat")
    rights = site().phones.rights
    if seat not in rights.people.seated and _played_by(seat) is None:
        raise Refused(409, "nobody-sits", number=seat)

    def act() -> str:
        match, before, under_way = _played_by(seat), _name(seat), playing()
        if _may_correct(who, before):
            earlier = {} if match is None else _earlier(seat, name)
            said = "renamed"
            _changed(lambda now: lobby.worn(lobby.rename(now, match, seat, name, earlier), under_way))
        else:
            here = match if seat in under_way.seats else None
            said = "plays-on"
            _changed(lambda now: lobby.worn(lobby.succeed(now, here, seat, name), under_way))
        agreement.done_by_holder("ask-rename", seat)
        return words().say(said, {"name": name, "before": before})

    holder = rights.holders.get(seat)
    if seat in who.parts or holder is None:
        return answered(act())
    return agreement.agreed_by_holder("ask-rename", seat, holder, act, name=name)


def playing() -> Playing:
    """Return the match under way, as far as it determines who sits where."""
    now = site().live.snapshot
    if not now.people_play:
        return Playing()
    return Playing(now.match, agreement.seats())


def aside() -> Step:
    """Return the step that has those whom the form no longer ticks sit out, and those whom it ticks again play; all who
    wait but are not in it get up, if it says that only those in it play.
    """
    form = request.form
    if "only" not in form:
        return lambda now: now

    def step(now: Rights) -> Rights:
        gone = set[int]()
        for seat, guest in now.people.seated.items():
            ticked, played, sat_out = (
                f"{one}-{seat}" in form and player_names.same(form[f"{one}-{seat}"], guest.name)
                for one in ("plays", "played", "sat-out")
            )
            if (played and not ticked) or (sat_out and ticked):
                now = lobby.rest(now, seat, not ticked)
            elif guest.phone and not (ticked or sat_out):
                gone.add(seat)
        return lobby.leave(now, gone)

    return step


def _choices(chosen: str, faces: Mapping[int, Face], asked: int | None) -> dict[str, object]:
    """Return what the page for sitting down needs: who this phone's player is, and what is free.

    `faces`: how the match's players look, by seat, even those who have chosen nothing. `asked`: which of the phone's
    seats it is about; if nobody sits there yet, its player is somebody new.
    """
    who, rights = phone.me(), site().phones.rights
    me, own = who.phone, lobby.own(rights, who.phone) if who.phone else set()
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
        "played": mine is not None and not bound and _played_by(mine) is not None,
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
    with kindly():
        return change_rights(step)


@contextmanager
def kindly() -> Iterator[None]:
    """Say kindly what keeps somebody from sitting down. Raises `Refused`."""
    try:
        yield
    except NameTaken as wrong:
        raise Refused(409, "name-taken", name=wrong.name, number=wrong.seat) from None
    except LookTaken as wrong:
        raise Refused(409, f"{wrong.what}-taken", name=wrong.name) from None
    except SeatTaken as wrong:
        raise Refused(409, "seat-taken-by" if wrong.name else "seat-held", name=wrong.name, number=wrong.seat) from None
    except NeedsCode as wrong:
        raise Refused(403, "seat-by-code", number=wrong.seat) from None


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


def _played_by(seat: int) -> int | None:
    """Return the match on the table, if whoever sits there plays or has played in it."""
    now, guest = site().live.snapshot, site().phones.rights.people.seated.get(seat)
    if now.demo or seat not in agreement.seats():
        return None
    same = guest is None or (guest.phone is None and player_names.same(guest.name, words().name(seat)))
    return now.match if same else None


def _earlier(seat: int, name: str) -> dict[int, int]:
    """Return the evening's matches in which whoever sits there played under their old name, and at which seat.

    Matches of a bot, or of players who have left this seat to somebody else, don't belong to the person named now.
    """
    rights = site().phones.rights
    before = _name(seat)
    if before == name or player_names.is_bots(before) or seat in rights.gone:
        return {}
    try:
        evening = site().archive.latest()
    except (NotInLog, NotReadNow):
        return {}
    played = ((one.match, player) for one in evening if not one.demo for player in one.players)
    return {match: player.seat for match, player in played if player_names.same(player.name, before)}


def _may_correct(who: Who, name: str) -> bool:
    """Whether a phone may also change what is kept of earlier matches played under a name.

    It is the host's, or the first with which somebody of that name played here; others may only bear the same name.
    """
    known = people.whose(site().phones.rights.people, name)
    return who.host or known is None or known.phone == who.phone


def _name(seat: int) -> str:
    """Return the name of whoever sits there, or else plays there."""
    guest = site().phones.rights.people.seated.get(seat)
    return guest.name if guest else words().name(seat)


def _waiting(seat: int) -> Guest:
    """Return the guest who waits there. Raises `Refused`."""
    guest = site().phones.rights.people.seated.get(seat)
    if guest is None or guest.phone is None:
        raise Refused(409, "nobody-sits", number=seat)
    return guest
