"""The schedule: its page for everybody, and the keeper's times and calls."""

import time
from datetime import datetime

from flask import Blueprint, Response, make_response, render_template, request
from flask.typing import ResponseReturnValue

from companion.club.hub import bracket, tournament
from companion.club.hub.schedule import moved
from companion.web.http.form_answers import Refused
from companion.web.hub import keeper_pages
from companion.web.hub.current_hub import hub
from companion.web.hub.keeper_pages import around, said
from companion.web.hub.schedule_page import (
    LOOKED_AGAIN,
    call_context,
    is_due,
    moment_of,
    schedule_context,
    tables_to_move_to,
)
from companion.web.hub.tournament import changed, tables_there
from companion.web.routes.forms import whole

routes = Blueprint("schedule", __name__, url_prefix="/schedule")


@routes.get("")
def show(message: str = "") -> Response:
    """Show the schedule, or one person's part of it, which reloads by itself; `message` is a refusal."""
    searched = request.args.get("name", "")
    context = {**schedule_context(hub(), searched), **call_context(hub()), "typed": request.form.to_dict()}
    moving = request.args.get("move", "")
    if moving:
        due = [appointment for appointment in context["appointments"] if moving in appointment.people]
        context |= {"appointments": due, "to_move_to": tables_to_move_to(hub())}
    answer = make_response(render_template("club-schedule.html", **around(), **context, moving=moving, message=message))
    if searched:
        answer.headers["Refresh"] = str(LOOKED_AGAIN)
    return answer


@routes.errorhandler(Refused)
def refused(wrong: Refused) -> ResponseReturnValue:
    """Show a refusal above the form; others than the keeper get the page for the keeper's code."""
    return keeper_pages.refused(wrong) if wrong.status == 403 else (show(said(wrong)), wrong.status)


@routes.post("/times")
def times() -> ResponseReturnValue:
    """Set the round's begin and the minutes for a match."""
    begins = moment_of(request.form.get("begins", ""), datetime.now().astimezone())
    minutes = whole(request.form.get("minutes", "").strip(), 3)
    if begins is None or minutes is None:
        raise Refused(400, "cup-time", most=tournament.MOST_MINUTES)
    return changed("/schedule", lambda: hub().tournament.change(lambda cup: tournament.timed(cup, begins, minutes)))


@routes.post("/call")
def call() -> ResponseReturnValue:
    """Call people to their table, on every screen."""
    people = tuple(request.form.getlist("player"))
    if not is_due(hub(), people):
        raise Refused(400, "cup-no-pod")
    return changed("/schedule", lambda: hub().keeper.call(people, time.time()))


@routes.post("/move")
def move() -> ResponseReturnValue:
    """Move a pod or a duel to another table."""
    people = tuple(request.form.getlist("player"))
    table = request.form.get("table", "")
    if not is_due(hub(), people) or table not in ("", *tables_there()):
        raise Refused(400, "cup-no-pod")
    cup = hub().tournament.now()
    if cup is not None and any(pod.people == people for drawn in cup.of.drawn[-1:] for pod in drawn.pods):
        return changed("/schedule", lambda: hub().tournament.change(lambda cup: moved(cup, people, table)))
    return changed("/schedule", lambda: hub().bracket.change(lambda duels: bracket.moved(duels, people, table)))
