"""What a game brings to the pages besides its templates: its style and its emblem."""

from flask import Blueprint, Response, send_from_directory

from companion import games
from companion.web.site import there

routes = Blueprint("brought", __name__)


@routes.get("/games/<slug>/style.css", defaults={"name": "style.css"})
@routes.get("/games/<slug>/emblem.svg", defaults={"name": "emblem.svg"})
def file(slug: str, name: str) -> Response:
    """Send a game's style or emblem, by its file name."""
    return send_from_directory(there(games.known().get(slug)).folder / "pages", name)
