"""What a game brings to the pages beside its templates: its style and its emblem."""

from flask import Blueprint, Response, send_from_directory

from companion import games
from companion.web.site import there

routes = Blueprint("brought", __name__)


@routes.get("/games/<slug>/style.css", defaults={"name": "style.css"})
@routes.get("/games/<slug>/emblem.svg", defaults={"name": "emblem.svg"})
def file(slug: str, name: str) -> Response:
    """Send a game's style or emblem, named as it lies in its folder."""
    return send_from_directory(there(games.known().get(slug)).folder / "pages", name)
