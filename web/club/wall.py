"""The wall: every table at a glance, or what the keeper has chosen for all screens; and each table by itself."""

from typing import cast

from flask import Blueprint, Response, abort, current_app, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.web.club.board import Board
from companion.web.club.picture import drawn
from companion.web.club.site import hub
from companion.web.http.language import COOKIE, language
from companion.web.render.bare import page_context
from companion.web.routes.streams import sent

A_YEAR = 365 * 24 * 3600

routes = Blueprint("wall", __name__)


def board() -> Board:
    """Return the screens of this app; made when somebody first looks."""
    found = current_app.extensions.get("board")
    if found is None:
        found = current_app.extensions["board"] = Board(current_app.jinja_env, hub())
    return cast(Board, found)


@routes.get("/")
def wall() -> str:
    """Show what is on every screen."""
    of, wanted = hub(), language()
    context = page_context("wall", wanted)
    return render_template("club.html", **context, club=of.club, live=board().now(wanted).whole.decode())


@routes.get("/stream/wall")
def stream() -> Response:
    """Send the screen now, and what of it changes."""
    return sent(board().feed(language()))


@routes.get("/table/<table>")
def one(table: str) -> str:
    """Show one table large, as it stands."""
    of, wanted = hub(), language()
    found = of.follower.tables().get(table)
    if found is None:
        abort(404)
    live = drawn(current_app.jinja_env, "club-large.html", found, wanted, club=of.club, told_on=of.follower.told_on)
    return render_template("club-page.html", **page_context("wall", wanted), club=of.club, live=live, title=found.name)


@routes.post("/language")
def switch() -> ResponseReturnValue:
    """Remember the language that this phone wants."""
    wish = request.form.get("language", "")
    answer = redirect("/", 303)
    if wish in ("en", "fr"):
        answer.set_cookie(COOKIE, wish, max_age=A_YEAR, httponly=True, samesite="Strict")
    return answer
