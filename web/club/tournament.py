"""The tournament: for everybody the pods and how people stand; for the keeper, what makes it go on."""

from collections.abc import Callable

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.club.hub import tournament
from companion.club.hub.draw import CupFault
from web.club.keeping import around, for_keeper
from web.club.rounds import tournament_context
from web.club.site import hub
from web.club.wall import board
from web.http.responses import Refused

routes = Blueprint("tournament", __name__, url_prefix="/tournament")


@routes.get("")
def show() -> str:
    """Show the tournament."""
    return render_template("club-tournament.html", **around(), **tournament_context(hub()))


@routes.get("/sheet")
def sheet() -> str:
    """Show the round on paper: to be printed, should everything fail."""
    return render_template("club-paper.html", **around(), **tournament_context(hub()))


@routes.post("/new")
def new() -> ResponseReturnValue:
    """Begin one."""
    people = [name for name in request.form.get("people", "").replace(",", "\n").splitlines() if name.strip()]
    rounds, pod = _number("rounds"), _number("pod")
    return _done(lambda: hub().tournament.begin(people, rounds, pod))


@routes.post("/enter")
def enter() -> ResponseReturnValue:
    """Let somebody in."""
    name = request.form.get("name", "")
    return _done(lambda: hub().tournament.change(lambda now: tournament.entered(now, name)))


@routes.post("/leave")
def leave() -> ResponseReturnValue:
    """Let somebody go."""
    name = request.form.get("name", "")
    return _done(lambda: hub().tournament.change(lambda now: tournament.gone(now, name)))


@routes.post("/draw")
def draw() -> ResponseReturnValue:
    """Draw the next round, and call people to their tables."""
    of = hub()
    there = [one for one in of.follower.tables().values() if one.state == "ready"]
    tables = [one.table for one in sorted(there, key=lambda one: (one.name.casefold(), one.table))]
    return _done(lambda: of.tournament.draw(tables))


@routes.post("/places")
def places() -> ResponseReturnValue:
    """Enter a pod's places from paper; none of them takes them back."""
    number, at = _number("round"), _number("pod")
    given = [one for one in request.form.getlist("place") if one.strip()]
    if not all(one.isascii() and one.isdigit() and len(one) < 3 for one in given):
        raise Refused(400, "cup-number")
    own = [int(one) for one in given]
    return _done(lambda: hub().tournament.change(lambda now: tournament.written(now, number, at, own)))


@routes.post("/end")
def end() -> ResponseReturnValue:
    """Put it away."""
    return _done(hub().tournament.end)


def _number(name: str) -> int:
    text = request.form.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise Refused(400, "http-400")
    return int(text)


def _done(act: Callable[[], None]) -> ResponseReturnValue:
    for_keeper()
    try:
        act()
    except CupFault as wrong:
        raise Refused(400, f"cup-{wrong.code}", **wrong.facts) from wrong
    board().changed()
    return redirect("/tournament", 303)
