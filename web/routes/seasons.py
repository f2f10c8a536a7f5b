"""Seasons: all that was played at a table, and the periods that the host has named."""

from flask import Blueprint, Response, abort, request
from flask.typing import ResponseReturnValue

from companion import player_names
from companion.access import player_looks
from companion.access.people import Term
from companion.acts.table_acts import DropSeason, NameSeason
from companion.history import spreadsheet
from companion.history.standings import Season, within
from companion.history.standings import season as season_of
from companion.web.http import phone
from companion.web.http.language import language
from companion.web.render.page_names import Page
from companion.web.routes.acting import done
from companion.web.routes.looking_back import (
    as_csv,
    everything,
    looks_of,
    shown_past,
    so_far,
    that_count,
    ways_to,
)
from companion.web.site import site

routes = Blueprint("seasons", __name__)


@routes.get("/season")
def latest() -> str:
    """Show the season that began last; if none is named, all that was played."""
    terms = site().phones.rights.people.terms
    return _shown(Page("season"), len(terms))


@routes.get("/season/<int:number>")
def one(number: int) -> str:
    """Show a season by its number, from 1; 0 is all that was played at this table."""
    return _shown(Page("season", of=str(number)), number)


@routes.get("/season/<int:number>.csv")
def its_standings(number: int) -> Response:
    """Return a season's standings, of all games together and of each."""
    season = _played_in(_term(number), everything())
    return as_csv(f"season-{number}", spreadsheet.standings(season.tables, language()))


@routes.post("/season/set")
def keep() -> ResponseReturnValue:
    """Set a season's name and days; the field `before` holds the name that it had."""
    name, begins, ends = (player_names.written(request.form.get(field, "")) for field in ("name", "begins", "ends"))
    return done(NameSeason(name, begins, ends, request.form.get("before", "")))


@routes.post("/season/drop")
def drop() -> ResponseReturnValue:
    """Delete a season; its matches stay."""
    return done(DropSeason(request.form.get("name", "")), "/season")


def _term(number: int) -> Term | None:
    """Return a season's term by its number; None: all that was played."""
    terms = site().phones.rights.people.terms
    if number > len(terms):
        abort(404)
    return terms[number - 1] if number else None


def _played_in(term: Term | None, season: Season) -> Season:
    if term is None:
        return season
    return season_of(within(season.results, term.begins, term.ends), site().live.snapshot.simulated)


def _shown(page: Page, number: int) -> str:
    terms = site().phones.rights.people.terms
    term = _term(number)
    every, lacking = so_far()
    season = _played_in(term, every)
    more = {"term": term, "lacking": lacking, "number": number, "terms": terms, "sets": phone.me().host}
    evenings = ways_to(season.evenings, language())
    # Among more people than there are animals, many would look alike: then only chosen looks are shown.
    few = bool(season.tables) and len(season.tables[0][1]) <= len(player_looks.ANIMALS)
    looks = looks_of(that_count(season.results)) if few else None
    return shown_past("season.html", page, season.tables, season.played, looks, evenings=evenings, **more)
