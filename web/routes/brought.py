"""What a game brings to the pages beside its templates: its style and its emblem."""

from flask import Blueprint, Response, abort, send_from_directory

from companion import games

routes = Blueprint("brought", __name__)


@routes.get("/games/<slug>/style.css", defaults={"name": "style.css"})
@routes.get("/games/<slug>/emblem.svg", defaults={"name": "emblem.svg"})
def file(slug: str, name: str) -> Response:
    """Send a game's style or emblem, named as it lies in its folder."""
    game = games.known().get(slug)
    if game is None:
        abort(404)
    return send_from_directory(game.folder / "pages", name)
