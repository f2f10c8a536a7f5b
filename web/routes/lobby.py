"""The lobby: people choose seat, name and look before a match; the host moves, removes and renames them."""

from collections.abc import Container, Mapping
from urllib.parse import urlencode

from flask import Blueprint, flash, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion import player_names
from companion.access import lobby, people, seat_rights
from companion.access.player_looks import ANIMALS, COLOURS, Face
from companion.access.seat_rights import HOST, Rights
from companion.acts import seating
from companion.acts.seat_acts import GetUp, MoveGuest, Rename, SendAway, SitDown, SitOut, TellRules
from companion.events import SEATS
from companion.web.http import phone
from companion.web.http.form_answers import answered, words
from companion.web.http.language import language
from companion.web.render.page_names import Page
from companion.web.routes.acting import address_of_gained_part, carried_out, done, in_words, table_now
from companion.web.routes.forms import typed_face, typed_name, typed_seat
from companion.web.routes.pages import shown
from companion.web.site import site

routes = Blueprint("lobby", __name__)


@routes.get("/join")
def join() -> str:
    """Show the form for name, look and seat, or for a code."""
    context = site().screens.frame(Page("join"), language())
    chosen = player_names.written(request.args.get("name", ""))
    bot, seat = (request.args.get(field, type=int) for field in ("bot", "seat"))
    code = seat_rights.read(request.args.get("code", ""))
    return render_template("sit.html", **context, **_choices(chosen, context["faces"], seat), asked=bot, code=code)


@routes.post("/sit")
def sit() -> ResponseReturnValue:
    """Sit down, or change one's name, look or seat."""
    is_another = request.form.get("person") == "another"
    carried = carried_out(SitDown(typed_seat("seat"), typed_name("name"), typed_face(), is_another))
    if carried.asked:
        return answered(in_words(carried), "/")
    flash(in_words(carried))  # shown on the next page: that may look the same as before
    return answered("", address_of_gained_part(carried))


@routes.get("/lobby/<int:seat>")
def wait(seat: int) -> ResponseReturnValue:
    """Show a phone that waits at this seat who sits down; once it holds the seat, redirect it there."""
    who = phone.me()
    if seat in who.waits:
        return shown(Page("lobby", seat))
    if seat in who.parts:
        return redirect(f"/seat/{seat}")
    flash(words().say("sent-away"))
    return redirect("/join")


@routes.post("/leave")
def leave() -> ResponseReturnValue:
    """Get up before the match. The form to sit down elsewhere then holds the same name."""
    seat = typed_seat("part")
    guest = site().phones.rights.people.seated.get(seat)
    return done(GetUp(seat), f"/join?{urlencode({'name': guest.name if guest is not None else ''})}")


@routes.post("/send-away")
def send_away() -> ResponseReturnValue:
    """Have somebody who waits for the match get up."""
    return done(SendAway(typed_seat("part")))


@routes.post("/move")
def move() -> ResponseReturnValue:
    """Move somebody who waits to another seat."""
    return done(MoveGuest(typed_seat("part"), typed_seat("to")))


@routes.post("/sit-out")
def sit_out() -> ResponseReturnValue:
    """Have a player sit out the next match and keep their seat, or play again; by their own phone or the host's."""
    return done(SitOut(typed_seat("part"), request.form.get("out") == "yes"))


@routes.post("/hints")
def hints() -> ResponseReturnValue:
    """Turn a player's hints on a game's rules on or off; by their own phone or the host's."""
    return done(TellRules(typed_seat("part"), request.form.get("told") == "yes"))


@routes.post("/rename")
def rename() -> ResponseReturnValue:
    """Correct a player's name; if the host does it, the phone at that seat is asked."""
    return done(Rename(typed_seat("part"), typed_name("name")))


def _choices(chosen: str, faces: Mapping[int, Face], asked_seat: int | None) -> dict[str, object]:
    """Return the context of the page for sitting down: this phone's player, and the free seats and looks.

    `faces`: the match's players' looks by seat, even of those who have chosen none. `asked_seat`: which of the phone's
    seats is meant; if nobody sits there yet, the player is a new person.
    """
    who = phone.me()
    rights = site().phones.rights
    me = who.phone
    own_seats = lobby.seats_of(rights, who.phone) if who.phone else set()
    opened = asked_seat if asked_seat in who.parts - own_seats - {HOST} else None
    my_seat = None if opened else asked_seat if asked_seat in own_seats else min(own_seats, default=None)
    other_guests = {seat: other_guest for seat, other_guest in rights.people.seated.items() if seat != my_seat}
    guest = rights.people.seated.get(my_seat or HOST)
    name = chosen or (guest.name if guest else "")
    bound = my_seat in table_now().playing.seats
    face_seen = faces.get(my_seat or HOST) if bound else None
    face = guest.face or face_seen if guest and name == guest.name else people.look(rights.people, name)
    persons = [guest for guest in other_guests.values() if not player_names.is_bots(guest.name)]
    names_by_look = {
        look: guest.name for guest in persons if guest.face for look in (guest.face.animal, guest.face.colour)
    }
    worn = {
        look for seat, other_face in faces.items() if seat != my_seat for look in (other_face.animal, other_face.colour)
    }
    return {
        "name": name,
        "mine": my_seat,
        "opened": opened,
        "bound": bound,
        "played": my_seat is not None and not bound and seating.played_by(table_now(), my_seat) is not None,
        "closed": {seat for seat in SEATS if _closed(rights, seat, me)},
        "taken": names_by_look,
        "known": [
            person.name for person in rights.people.known if not people.namesake(rights.people, HOST, person.name)
        ],
        "looks": {
            "animal": (ANIMALS, _free(face.animal if face else None, ANIMALS, names_by_look, worn)),
            "colour": (COLOURS, _free(face.colour if face else None, COLOURS, names_by_look, worn)),
        },
        "by_code": site().by_code,
    }


def _closed(rights: Rights, seat: int, me: str | None) -> bool:
    """Return whether this phone needs a code or somebody's agreement to sit down at a seat."""
    holder = rights.holders.get(seat)
    guest = rights.people.seated.get(seat)
    if me is not None and me in (holder, guest.phone if guest else None):
        return False
    waits = guest is not None and guest.phone is not None
    return holder is not None or waits or site().by_code or seat in table_now().playing.seats


def _free(wished: str | None, looks: tuple[str, ...], looks_taken: Container[str], worn: Container[str]) -> str:
    """Return the preselected look: the earlier choice if it is free, else one that nobody has, worn or chosen."""
    if wished is not None and wished not in looks_taken:
        return wished
    free = [look for look in looks if look not in looks_taken]
    return next((look for look in free if look not in worn), free[0])
