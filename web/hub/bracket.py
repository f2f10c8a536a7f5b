"""The bracket of duels: who meets whom, for everybody; and the controls, for the keeper."""

from functools import partial

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from companion.club.hub import bracket
from companion.web.http.form_answers import Refused
from companion.web.hub import keeper_pages
from companion.web.hub.current_hub import hub
from companion.web.hub.keeper_pages import around, said
from companion.web.hub.tournament import changed, names_typed, tables_there
from companion.web.hub.tournament_page import bracket_context

routes = Blueprint("bracket", __name__, url_prefix="/bracket")


@routes.get("")
def show(message: str = "") -> str:
    """Show the bracket; `message` says what is wrong with the input, which stays."""
    more = {"typed": request.form.to_dict(), "entered": request.args.get("duel", "")}
    return render_template("club-bracket.html", **around(), **bracket_context(hub()), message=message, **more)


@routes.errorhandler(Refused)
def refused(wrong: Refused) -> ResponseReturnValue:
    """Say above the form what can't be done; tell anybody but the keeper who may."""
    return keeper_pages.refused(wrong) if wrong.status == 403 else (show(said(wrong)), wrong.status)


@routes.get("/sheet")
def sheet() -> str:
    """Show it for printing, to be filled in by hand."""
    return render_template("club-bracket-paper.html", **around(), **bracket_context(hub()))


@routes.post("/new")
def new() -> ResponseReturnValue:
    """Begin one."""
    people = names_typed()
    by_lot = request.form.get("order") != "written"
    return changed("/bracket", lambda: hub().bracket.begin(people, tables_there(), by_lot=by_lot))


@routes.post("/leave")
def leave() -> ResponseReturnValue:
    """Take somebody out, or let them play again: a form sent twice does the same once."""
    step = bracket.back if "back" in request.form else bracket.withdrawn
    name = request.form.get("back") or request.form.get("name", "")
    return changed("/bracket", lambda: hub().bracket.change(lambda duels: step(duels, name)))


@routes.post("/won")
def won() -> ResponseReturnValue:
    """Enter from paper who won a duel, or take that back: a form sent twice does the same once."""
    winner = request.form.get("winner", "")
    loser = request.form.get("loser", "")
    if "back" in request.form:
        take_back = partial(bracket.cleared_won, winner=winner, loser=loser)
        return changed("/bracket", lambda: hub().bracket.change(take_back))
    return changed("/bracket", lambda: hub().bracket.enter_won(winner, loser))


@routes.post("/end")
def end() -> ResponseReturnValue:
    """Put it away."""
    return changed("/bracket", hub().bracket.end)
