"""The wall: every table at a glance, or what the keeper chose for all screens; and each table by itself."""

from typing import cast

from flask import Blueprint, Response, current_app, make_response, redirect, render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from companion.web.http.language import language, switched
from companion.web.hub.board import Board
from companion.web.hub.current_hub import hub
from companion.web.hub.table_view import drawn
from companion.web.hub.wall_pages import FRONT, by_name, found, last_page
from companion.web.render.without_a_match import page_context
from companion.web.routes.forms import whole
from companion.web.routes.streams import sent
from companion.web.site import there

TURNED = 15
"""Seconds after which a wall that turns its pages shows the next."""

routes = Blueprint("wall", __name__)


def board() -> Board:
    """Return the screens of this app, made when somebody first looks."""
    found = current_app.extensions.get("board")
    if found is None:
        found = current_app.extensions["board"] = Board(current_app.jinja_env, hub())
    return cast(Board, found)


@routes.get("/")
def wall() -> Response:
    """Show what is on every screen, or a page of all tables; with `turn`, page after page unless the keeper shows
    something else.
    """
    of, wanted, page = hub(), language(), _page()
    context = page_context("wall", wanted)
    turning, last = "turn" in request.args, last_page(len(of.follower.tables()))
    if turning and of.keeper.now.scene != "wall":
        page = None
    live = board().now(wanted, page).whole.decode()
    answer = make_response(render_template("club.html", **context, club=of.club, live=live, at=page))
    if turning and last:
        answer.headers["Refresh"] = f"{TURNED}; url=/?page={((page or FRONT) + 1) % (last + 1)}&turn"
    return answer


@routes.get("/stream/wall")
def stream() -> Response:
    """Send the screen now, and then its changes."""
    return sent(board().feed(language(), _page()))


@routes.get("/find")
def find() -> str:
    """Show the tables with this in their name, or in a player's."""
    of, wanted, name = hub(), language(), request.args.get("name", "")
    here = found(by_name(of.follower.tables().values()), name)
    tiles = Markup("".join(board().tile(one, wanted, with_picture=False).html for one in here))
    context = {**page_context("club", wanted), "club": of.club, "connected": of.follower.connected}
    return render_template("club-found.html", **context, wanted=name, found=here, tiles=tiles)


def _page() -> int | None:
    """Return the page of the tables that was asked for, or the last one; None: none was."""
    asked = whole(request.args.get("page", ""), 5)
    return None if asked is None else min(asked, last_page(len(hub().follower.tables())))


@routes.get("/table/<table>")
def one(table: str) -> str:
    """Show one table large, as it stands."""
    of, wanted = hub(), language()
    found = there(of.follower.tables().get(table))
    live = drawn(current_app.jinja_env, "club-large.html", found, wanted, club=of.club, told_on=of.follower.told_on)
    return render_template("club-page.html", **page_context("wall", wanted), club=of.club, live=live, title=found.name)


@routes.post("/language")
def switch() -> ResponseReturnValue:
    """Remember the language that this phone wants."""
    return switched(make_response(redirect("/", 303)))
