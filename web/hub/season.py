"""The club's season, on a page and on every screen."""

from functools import partial
from typing import Any

from flask import Blueprint, render_template, request

from companion.club.hub.hub import Hub
from companion.web.http.language import language
from companion.web.hub.current_hub import hub
from companion.web.hub.wall_pages import sought
from companion.web.render.without_a_match import page_context
from companion.words import mean

MOST_ROWS = 50
"""Most people shown for each game; others are searched for by name."""

routes = Blueprint("season", __name__)


@routes.get("/season")
def season() -> str:
    """Show the standings, of all games together and of each."""
    of = hub()
    name = request.args.get("name", "")
    context = {**page_context("club", language()), **season_context(of, language())}
    is_sought = sought(name)
    more = name or any(len(rows) > MOST_ROWS for _, rows in context["standings"])
    context["standings"] = [
        (game, [row for row in rows if is_sought(row.name)][:MOST_ROWS]) for game, rows in context["standings"]
    ]
    around = {"club": of.club, "connected": of.follower.connected}
    return render_template("club-season.html", **context, **around, wanted=name, more=more)


def season_context(hub: Hub, language: str) -> dict[str, Any]:
    """Return the standings' context."""
    summary = hub.season.now
    return {
        "standings": summary.tables,
        "played": summary.played,
        "mean": partial(mean, language=language),
        "rated": summary.rated,
    }
