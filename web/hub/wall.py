"""The wall: all tables at a glance, or the scene that the keeper chose; and each table by itself."""

from typing import cast

from flask import Blueprint, Response, current_app, make_response, redirect, render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from companion.web.http.language import language, switched
from companion.web.hub.board import Board
from companion.web.hub.current_hub import hub
from companion.web.hub.table_view import drawn
from companion.web.hub.wall_pages import FRONT, by_name, found, last_page
from companion.web.hub.way_back import way_back
from companion.web.render.without_a_match import page_context
from companion.web.routes.forms import whole
from companion.web.routes.streams import sent
from companion.web.site import or_404

TURNED = 15
"""Seconds after which a turning wall shows its next page."""

routes = Blueprint("wall", __name__)


def board() -> Board:
    """Return this app's screens, made at the first look: they belong to the serving thread."""
    if "board" not in current_app.extensions:
        current_app.extensions["board"] = Board(current_app.jinja_env, hub())
    return cast(Board, current_app.extensions["board"])


@routes.get("/")
def wall() -> Response:
    """Show the keeper's scene, or a page of tables; with `turn`, page after page while the scene is the wall."""
    of = hub()
    page = _page()
    context = page_context("wall", language())
    turning = "turn" in request.args
    last = last_page(len(of.follower.tables()))
    if turning and of.keeper.now.scene != "wall":
        page = None
    live = board().now(language(), page).whole.decode()
    answer = make_response(render_template("club.html", **context, club=of.club, live=live, at=page))
    if turning and last:
        answer.headers["Refresh"] = f"{TURNED}; url=/?page={((page or FRONT) + 1) % (last + 1)}&turn"
    return answer


@routes.get("/overlay")
def overlay() -> str:
    """Show the keeper's scene, or a page of tables, on a transparent ground."""
    page = _page()
    live = board().now(language(), page).whole.decode()
    return render_template("club-overlay.html", **page_context("wall", language()), club=hub().club, live=live, at=page)


@routes.get("/stream/wall")
def stream() -> Response:
    """Stream a screen, now and whenever it changes."""
    return sent(board().feed(language(), _page()))


@routes.get("/find")
def find() -> str:
    """Show the tables whose name, or a player's, contains the text."""
    of = hub()
    name = request.args.get("name", "")
    tables = found(by_name(of.follower.tables().values()), name)
    tiles = Markup("".join(board().tile(table, language(), with_picture=False).html for table in tables))
    context = {**page_context("club", language()), "club": of.club, "connected": of.follower.connected}
    return render_template("club-found.html", **context, wanted=name, found=tables, tiles=tiles)


def _page() -> int | None:
    """Return the page of tables asked for, at most the last; None if none was."""
    number = whole(request.args.get("page", ""), 5)
    return None if number is None else min(number, last_page(len(hub().follower.tables())))


@routes.get("/table/<table>")
def one(table: str) -> str:
    """Show a table large."""
    of = hub()
    known_table = or_404(of.follower.tables().get(table))
    about = {"club": of.club, "told_on": of.follower.told_on}
    live = drawn(current_app.jinja_env, "club-large.html", known_table, language(), **about)
    context = page_context("wall", language())
    return render_template("club-page.html", **context, club=of.club, live=live, title=known_table.name)


@routes.post("/language")
def switch() -> ResponseReturnValue:
    """Set this phone's language, and redirect to the page where it was chosen."""
    return switched(make_response(redirect(way_back(request.form.get("back", "")), 303)))
