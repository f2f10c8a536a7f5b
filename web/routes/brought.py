"""What a game brings to the pages besides its templates, and every style sheet rewritten for older browsers."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import gevent
import msgspec
from flask import Blueprint, Response, current_app, send_from_directory

from companion import games
from companion.web.site import there

if TYPE_CHECKING:
    from companion.web.older.sheets import Older

routes = Blueprint("brought", __name__)


@routes.get("/games/<slug>/style.css", defaults={"name": "style.css"})
@routes.get("/games/<slug>/emblem.svg", defaults={"name": "emblem.svg"})
def file(slug: str, name: str) -> Response:
    """Send a game's style or emblem, by its file name."""
    return send_from_directory(there(games.known().get(slug)).folder / "pages", name)


@routes.get("/static/<name>.older.<kind>")
def older_sheet(name: str, kind: str) -> Response:
    """Send a style sheet of the pages, as older browsers can read it, or what their script must set for it."""
    return _sent(Path(there(current_app.static_folder)), name, name, kind)


@routes.get("/games/<slug>/style.older.<kind>")
def older_style(slug: str, kind: str) -> Response:
    """Send a game's style sheet likewise."""
    return _sent(there(games.known().get(slug)).folder / "pages", "style", slug, kind)


def _sent(folder: Path, name: str, stem: str, kind: str) -> Response:
    sheet = there(next((file for file in folder.glob("*.css") if file.stem == name), None))
    written: Older = gevent.get_hub().threadpool.apply(_written, (sheet, stem))
    match kind:
        case "css":
            response = Response(written.css, mimetype="text/css")
        case "json":
            response = Response(msgspec.json.encode(written.for_script), mimetype="application/json")
        case _:
            there(None)
    response.cache_control.max_age = current_app.get_send_file_max_age(name)
    return response


@cache
def _written(sheet: Path, stem: str) -> "Older":
    """Rewrite a sheet, once: it takes a moment."""
    from companion.web.older.sheets import older  # most tables never need it

    return older(sheet.read_text("utf-8"), stem)
