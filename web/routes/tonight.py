"""The big screen's slide show between matches: the evening's highlights, its standings, who plays next."""

from flask import Blueprint, render_template

from companion.history.evening import evening as kept_of
from companion.history.standings import evening_of, standings
from companion.web.http.language import language
from companion.web.render.page_names import Page
from companion.web.routes.looking_back import album, goes_on, in_turn, known, looks_of, that_count
from companion.web.site import site

MOST_SLIPS = 3
"""As many as can be read across the room."""
MOST_ROWS = 6

routes = Blueprint("tonight", __name__)


@routes.get("/big/tonight")
def scenes() -> str:
    """Return the scenes, for the script of the big screen."""
    context = site().screens.frame(Page("big"), language())
    counting = that_count(in_turn(site().archive.latest))
    looks = looks_of(counting)
    pictures = album(looks)
    evening = kept_of(counting)
    more = {
        **known(looks),
        "tonight": bool(counting) and counting[0].evening == evening_of(site().live.local_time),
        "picture": pictures.picture_of_evening(evening, counting, goes_on=goes_on(counting)) if evening else None,
        "slips": pictures.of_evening(evening)[:MOST_SLIPS] if evening else (),
        "finish": next(iter(pictures.photos_of_evening(evening)), None) if evening else None,
        "rows": standings(counting)[:MOST_ROWS] if evening else (),
    }
    return render_template("tonight.html", **context, **more)
