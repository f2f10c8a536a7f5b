"""Souvenirs of a match: the table at every moment, to leaf through, and a picture to share."""

import base64
import functools
import hashlib
from bisect import bisect_right
from pathlib import Path

from flask import Blueprint, Response, abort, current_app, redirect, render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from companion import games
from companion.history.evening import evening
from companion.judge import views
from companion.web.http.language import language
from companion.web.http.security import HEADERS
from companion.web.render.page_names import Page
from companion.web.render.souvenir import Picture
from companion.web.routes.looking_back import album, goes_on, in_turn, looks_of, played_on, that_count
from companion.web.site import or_404, site

routes = Blueprint("souvenirs", __name__)


@routes.get("/results/<int:number>/then/<int:entry>")
def then(number: int, entry: int) -> str:
    """Show the table as it stood at an entry of a match's story."""
    archive = site().archive
    moment = or_404(in_turn(lambda: views.then(archive.match(number).match, entry)))
    context = site().screens.past(Page("then", of=f"{number}-{entry}"), language(), moment.view)
    at = max(0, bisect_right(moment.all, entry) - 1)
    more = {"match": number, "steps": moment.all, "at": at, "minute": moment.minute}
    return site().screens.whole("then.html", {**context, **more})


@routes.get("/results/<int:number>/then")
def nth(number: int) -> ResponseReturnValue:
    """Redirect to a moment by its number from 1, the position of a slider."""
    archive = site().archive
    number_of_moment = request.args.get("moment", 1, int)
    moments = in_turn(lambda: archive.match(number).moments)
    if not moments:
        abort(404)
    entry = moments[min(max(number_of_moment, 1), len(moments)) - 1]
    return redirect(f"/results/{number}/then/{entry}?lang={language()}")


@routes.get("/results/<int:number>/picture.svg")
def of_match(number: int) -> Response:
    """Return the picture of a match that is over."""
    archive = site().archive
    past = in_turn(lambda: archive.match(number))
    if not past.result.over:
        abort(404)
    view = views.view(past.match, None)
    faces = site().screens.past(Page("results", of=str(number)), language(), view)["faces"]
    return _drawn(album(lambda _: faces).picture_of_match(past.result))


@routes.get("/evening/<of>/picture.svg")
def of_evening(of: str) -> Response:
    """Return the picture of an evening on which people won."""
    counting = that_count(played_on(of))
    souvenir = or_404(evening(counting))
    return _drawn(album(looks_of(counting)).picture_of_evening(souvenir, counting, goes_on=goes_on(counting)))


def _drawn(of: Picture) -> Response:
    """Draw a picture with everything embedded: it is shown elsewhere, out of the table's reach."""
    drawings, letters = _inside(Path(current_app.static_folder or ""))
    digest = base64.b64encode(hashlib.sha256(letters.encode()).digest()).decode()
    # Opened by itself, its @font-face counts as an inline style, which the usual policy forbids.
    policy = f"{HEADERS['Content-Security-Policy']}; style-src 'sha256-{digest}'; font-src data:"
    emblem = Markup((games.known()[of.slug].folder / "pages/emblem.svg").read_text("utf-8")) if of.slug else ""
    text = render_template("picture.svg", of=of, emblem=emblem, drawings=Markup(drawings), letters=Markup(letters))
    return Response(text, mimetype="image/svg+xml", headers={"Content-Security-Policy": policy})


@functools.cache
def _inside(static: Path) -> tuple[str, str]:
    """Return the drawings of animals and signs, and the style that holds the font."""
    text = (static / "emblems.svg").read_text("utf-8")
    font = base64.b64encode((static / "display.woff2").read_bytes()).decode()
    source = f'url(data:font/woff2;base64,{font}) format("woff2")'
    letters = f"@font-face {{ font-family: Display; font-weight: 800; src: {source}; }}"
    return text[text.index(">") + 1 : text.rindex("</svg>")], letters
