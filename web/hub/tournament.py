"""The tournament: pods and standings for everybody, and the keeper's controls."""

import sys
from collections import Counter
from collections.abc import Callable
from datetime import date

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.club.hub import tournament
from companion.club.hub.draw import CupFault
from companion.club.hub.paper_results import written
from companion.web.http.form_answers import Refused
from companion.web.hub import keeper_pages
from companion.web.hub.current_hub import hub
from companion.web.hub.keeper_pages import around, for_keeper, said
from companion.web.hub.tournament_page import tournament_context
from companion.web.hub.wall import board
from companion.web.hub.wall_pages import by_name
from companion.web.routes.forms import whole

HONOURED = 3
"""The last place that gets a certificate without a search."""

routes = Blueprint("tournament", __name__, url_prefix="/tournament")


@routes.get("")
def show(message: str = "") -> str:
    """Show the tournament; `message` says what is wrong with the input, which is kept."""
    typed = {"typed": request.form.to_dict(), "typed_places": request.form.getlist("place")}
    context = tournament_context(hub(), request.args.get("name", ""))
    last = len(context["cup"].of.drawn) - 1 if context["cup"] else -1
    number = min(_number("round"), last)
    people = tuple(request.form.getlist("player"))
    entered = _number("pod") if "pod" in request.args else None
    if people and last >= 0:
        pods = context["cup"].of.drawn[number].pods
        entered = next((at for at, pod in enumerate(pods) if pod.people == people), None)
    chosen = {"number": number, "entered": entered}
    return render_template("club-tournament.html", **around(), **context, message=message, **chosen, **typed)


@routes.errorhandler(Refused)
def refused(wrong: Refused) -> ResponseReturnValue:
    """Show a refusal above the form, keeping its input; others than the keeper get the page for the keeper's code."""
    return keeper_pages.refused(wrong) if wrong.status == 403 else (show(said(wrong)), wrong.status)


@routes.get("/sheet")
def sheet() -> str:
    """Show the round for printing, in case the machines fail."""
    return render_template("club-paper.html", **around(), **tournament_context(hub()))


@routes.get("/standings")
def standings() -> str:
    """Show the full standings; the tournament's page has only the first, and those searched for."""
    return render_template("club-cup-standings.html", **around(), **tournament_context(hub()))


@routes.get("/certificates")
def certificates() -> str:
    """Show certificates for printing: for the first three of every group, or for the people searched for."""
    searched = request.args.get("name", "")
    context = tournament_context(hub(), searched)
    played = [standing for standing in context["standing"] if standing.played]
    certified = [standing for standing in played if searched or standing.place <= HONOURED]
    in_group = Counter(standing.group for standing in context["cup"].standings) if context["cup"] else {}
    shown = {"certified": certified, "in_group": in_group, "today": date.today().isoformat()}
    return render_template("club-certificates.html", **around(), **context, **shown)


@routes.post("/new")
def new() -> ResponseReturnValue:
    """Begin a tournament."""
    people = names_typed()
    rounds = _number("rounds")
    kind = next((kind for kind in tournament.KINDS if kind == request.form.get("kind", "groups")), None)
    if kind is None:
        raise Refused(400, "hub-400")
    pod_size = _number("pod") if request.form.get("pod") else tournament.USUAL_PODS[kind]
    return _done(lambda: hub().tournament.begin(people, rounds, pod_size, kind))


@routes.post("/enter")
def enter() -> ResponseReturnValue:
    """Add a person."""
    name = request.form.get("name", "")
    return _done(lambda: hub().tournament.change(lambda cup: tournament.entered(cup, name)))


@routes.post("/leave")
def leave() -> ResponseReturnValue:
    """Remove a person."""
    name = request.form.get("name", "")
    return _done(lambda: hub().tournament.leave(name))


@routes.post("/draw")
def draw() -> ResponseReturnValue:
    """Draw the round that the page offered, and call people to their tables.

    The field `sure` is the round that the keeper agrees to leave unfinished.
    """
    number = _number("round")
    sure = _number("sure")
    return _done(lambda: hub().tournament.draw(number, tables_there(), sure))


@routes.post("/places")
def places() -> ResponseReturnValue:
    """Enter a pod's places from paper; an empty form takes them back."""
    number = _number("round")
    people = request.form.getlist("player")
    typed = [text for text in request.form.getlist("place") if text.strip()]
    places = [place for text in typed if (place := whole(text, 2)) is not None]
    if len(places) < len(typed):
        raise Refused(400, "cup-number")
    page = f"/tournament?round={number}"
    return changed(page, lambda: hub().tournament.change(lambda cup: written(cup, number, people, places)))


@routes.post("/end")
def end() -> ResponseReturnValue:
    """End the tournament."""
    return _done(hub().tournament.end)


def _number(name: str) -> int:
    """Read a number from the form or the query; if there is none, one too large for any use, so that it is refused."""
    number = whole(request.values.get(name, "").strip(), 5)
    return sys.maxsize if number is None else number


def _done(act: Callable[[], None]) -> ResponseReturnValue:
    return changed("/tournament", act)


def changed(page: str, act: Callable[[], None]) -> ResponseReturnValue:
    """Carry out a keeper's act, update every screen, and redirect to the page."""
    for_keeper()
    try:
        act()
    except CupFault as wrong:
        raise Refused(400, f"cup-{wrong.code}", **wrong.facts) from wrong
    board().changed()
    return redirect(page, 303)


def names_typed() -> list[str]:
    """Return the names in the form, one per line or separated by commas."""
    return [name for name in request.form.get("people", "").replace(",", "\n").splitlines() if name.strip()]


def tables_there() -> list[str]:
    """Return the online tables."""
    return [table.table for table in by_name(hub().follower.tables().values()) if table.state == "ready"]
