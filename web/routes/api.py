"""The programs' interface: read-only, open to the network, and exactly what the pages show."""

import hashlib
from typing import Any

import msgspec
from flask import Blueprint, Response, render_template, request

from companion.judge import views
from companion.judge.views import PASSAGE
from companion.web.http.form_answers import Refused
from companion.web.http.language import language
from companion.web.render import api_values, openapi
from companion.web.render.page_names import API, Page
from companion.web.render.words import PageWords
from companion.web.routes.forms import whole
from companion.web.routes.looking_back import everything, in_turn, looked_through
from companion.web.routes.streams import feed, message, sent
from companion.web.site import site

routes = Blueprint("api", __name__)


@routes.get("/api/1/public")
def public() -> Response:
    """Return the current match."""
    return _json(site().screens.fragment(API, language()))


@routes.get("/api/1/stream")
def stream() -> Response:
    """Stream the current match, now and whenever it changes."""
    of = site()
    chosen_language = language()

    def look() -> bytes:
        state = of.screens.fragment(API, chosen_language)
        return b"id: %b\n%b" % (_id(state), message(state))

    hearing = feed(of, API, chosen_language, look)
    first = hearing.now().whole
    last = request.headers.get("Last-Event-ID", "").encode()
    return sent(hearing, had=first if first.startswith(b"id: %b\n" % last) else b"")


@routes.get("/api/1/results")
def results() -> Response:
    """Return the results of matches after number `after`, oldest first, a bounded number at a time."""
    newest_read = _number("after")
    results = looked_through(site().archive.results)
    return _json(msgspec.json.encode([result for result in results if result.match > newest_read][: openapi.MOST]))


@routes.get("/api/1/matches/<int:number>")
def match(number: int) -> Response:
    """Return one match: its score, a passage of its story, its charts."""
    archive = site().archive
    screens = site().screens
    chosen_language = language()
    since = _number("since")

    def describe() -> bytes:
        past = archive.match(number)
        match = past.match
        result = past.result
        view = views.view(match, None)
        story = views.passage(match, None, slice(since, since + PASSAGE))
        words = PageWords(match.game.slug, chosen_language, {player.seat: player.name for player in result.players})
        sentences = screens.story(story.told, words)
        return msgspec.json.encode(api_values.past_match(result, view, story, past.charts, sentences))

    return _json(in_turn(describe))


@routes.get("/api/1/people")
def people() -> Response:
    """Return the season's standings."""
    season = everything()
    return _json(msgspec.json.encode(api_values.everybody(season, site().phones.rights.people)))


@routes.get("/api/1/openapi.json")
def described() -> Response:
    """Return this interface's OpenAPI document."""
    return _json(msgspec.json.encode(openapi.document()))


@routes.get("/overlay")
def overlay() -> str:
    """Show score and news on a transparent page, to be laid over a video stream of the table."""
    context: Any = site().screens.frame(Page("score"), language())
    return render_template("overlay.html", **context)


def _number(name: str) -> int:
    """Read a whole number from the query; 0 if it is left out. Raises `Refused`."""
    number = whole(request.args.get(name, "0"), openapi.DIGITS)
    if number is None:
        raise Refused(400, "api-number", name=name)
    return number


def _json(data: bytes) -> Response:
    return Response(data, mimetype="application/json")


def _id(text: bytes) -> bytes:
    """Return an event's id, a hash of its bytes: it reveals nothing else, and a client never gets the same twice."""
    return hashlib.sha256(text).hexdigest()[:16].encode()
