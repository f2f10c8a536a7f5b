"""The bracket of duels: its page for everybody, and the keeper's controls."""

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
    """Show the bracket; `message` says what is wrong with the input, which is kept."""
    more = {"typed": request.form.to_dict(), "entered": request.args.get("duel", "")}
    return render_template("club-bracket.html", **around(), **bracket_context(hub()), message=message, **more)


@routes.errorhandler(Refused)
def refused(wrong: Refused) -> ResponseReturnValue:
    """Show a refusal above the form; others than the keeper get the page for the keeper's code."""
    return keeper_pages.refused(wrong) if wrong.status == 403 else (show(said(wrong)), wrong.status)


@routes.get("/sheet")
def sheet() -> str:
    """Show the bracket for printing, to be filled in by hand."""
    return render_template("club-bracket-paper.html", **around(), **bracket_context(hub()))


@routes.post("/new")
def new() -> ResponseReturnValue:
    """Begin a bracket."""
    people = names_typed()
    by_lot = request.form.get("order") != "written"
    return changed("/bracket", lambda: hub().bracket.begin(people, tables_there(), by_lot=by_lot))


@routes.post("/leave")
def leave() -> ResponseReturnValue:
    """Withdraw a player, or let them play again. Idempotent: a form may be sent twice."""
    step = bracket.back if "back" in request.form else bracket.withdrawn
    name = request.form.get("back") or request.form.get("name", "")
    return changed("/bracket", lambda: hub().bracket.change(lambda duels: step(duels, name)))


@routes.post("/won")
def won() -> ResponseReturnValue:
    """Enter the winner of a duel from paper, or take that back. Idempotent: a form may be sent twice."""
    winner = request.form.get("winner", "")
    loser = request.form.get("loser", "")
    if "back" in request.form:
        take_back = partial(bracket.cleared_won, winner=winner, loser=loser)
        return changed("/bracket", lambda: hub().bracket.change(take_back))
    return changed("/bracket", lambda: hub().bracket.enter_won(winner, loser))


@routes.post("/end")
def end() -> ResponseReturnValue:
    """End the bracket."""
    return changed("/bracket", hub().bracket.end)
