"""Files that games bring to the pages besides templates, and every style sheet rewritten for older browsers."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import gevent
import msgspec
from flask import Blueprint, Response, abort, current_app, request, send_from_directory

from companion import games
from companion.game.playing_cards import PLAYING_CARDS
from companion.web.site import or_404

if TYPE_CHECKING:
    from companion.web.older.sheets import Older

routes = Blueprint("brought", __name__)


@routes.get("/games/<slug>/emblem.svg")
def emblem(slug: str) -> Response:
    """Send a game's emblem."""
    return send_from_directory(or_404(games.known().get(slug)).folder / "pages", "emblem.svg")


@routes.get("/games/<slug>/style.css")
def style(slug: str) -> Response:
    """Send a game's style sheet, joined with the ordinary deck's if it is played with one."""
    return _kept(Response(_style(slug), mimetype="text/css"))


@routes.get("/games/posters.css")
def posters() -> Response:
    """Send the style of every game's poster in one sheet, for pages where a game is chosen."""
    return _kept(Response(_posters(), mimetype="text/css"))


@routes.get("/static/<name>.older.<kind>")
def older_sheet(name: str, kind: str) -> Response:
    """Send one of the pages' sheets rewritten for older browsers, or the values that their script must set for it."""
    return _older(_sheet(_static_folder(), name), name, kind)


@routes.get("/games/<slug>/style.older.<kind>")
def older_style(slug: str, kind: str) -> Response:
    """Send a game's sheet for older browsers."""
    return _older(_style(slug), slug, kind)


@routes.get("/games/posters.older.<kind>")
def older_posters(kind: str) -> Response:
    """Send the posters' sheet for older browsers."""
    return _older(_posters(), "posters", kind)


@cache
def _posters() -> str:
    sheets = (game.folder / "pages/poster.css" for game in games.known().values())
    return "".join(sheet.read_text("utf-8") for sheet in sheets if sheet.exists())


@cache
def _style(slug: str) -> str:
    own = _sheet(or_404(games.known().get(slug)).folder / "pages", "style")
    if games.bearer_of(slug) == PLAYING_CARDS.slug:
        return _sheet(_static_folder(), PLAYING_CARDS.slug) + own
    return own


def _static_folder() -> Path:
    return Path(or_404(current_app.static_folder))


def _sheet(folder: Path, name: str) -> str:
    # Looked up, not joined: a name from a URL never becomes a path.
    return or_404(next((file for file in folder.glob("*.css") if file.stem == name), None)).read_text("utf-8")


def _older(sheet: str, stem: str, kind: str) -> Response:
    if kind not in ("css", "json"):
        abort(404)
    written: Older = gevent.get_hub().threadpool.apply(_written, (sheet, stem))
    if kind == "css":
        return _kept(Response(written.css, mimetype="text/css"))
    return _kept(Response(msgspec.json.encode(written.for_script), mimetype="application/json"))


def _kept(response: Response) -> Response:
    response.cache_control.max_age = current_app.get_send_file_max_age(None)
    response.add_etag()
    response.make_conditional(request)
    return response


@cache
def _written(sheet: str, stem: str) -> "Older":
    """Rewrite a sheet, once."""
    from companion.web.older.sheets import older  # imported late: most tables never need it

    return older(sheet, stem)
