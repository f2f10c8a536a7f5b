"""The club's season, on a page and on every screen."""

from typing import Any

from flask import Blueprint, render_template

from companion.club.hub.hub import Hub
from companion.web.club.site import hub
from companion.web.http.language import language
from companion.web.render.bare import page_context

routes = Blueprint("season", __name__)


@routes.get("/season")
def season() -> str:
    """Show the standings: all games together, and each by itself."""
    of, wanted = hub(), language()
    context = {**page_context("club", wanted), **season_context(of, wanted)}
    return render_template("club-season.html", **context, club=of.club, connected=of.follower.connected)


def season_context(hub: Hub, language: str) -> dict[str, Any]:
    """Return what the standings show."""
    now = hub.season.now

    def mean(place: float) -> str:
        return f"{place:.1f}".replace(".", "," if language == "fr" else ".")

    return {"standings": now.tables, "played": now.played, "mean": mean, "rated": now.rated}
