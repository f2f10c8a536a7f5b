"""The pages: each a frame around its live part, complete even without a script."""

import random
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, abort, make_response, redirect, render_template, request
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from companion import games
from companion.acts import starting
from companion.events import SEATS, Player
from companion.game import AnyGame, head_starts
from companion.history.charts import charts
from companion.judge import corrections, views
from companion.judge.match import Match
from companion.judge.views import PASSAGE, UNTOLD, Passage
from companion.player_names import is_bots
from companion.web.http import phone
from companion.web.http.form_answers import Refused, at_table, page_of_form
from companion.web.http.language import language, switched, wished
from companion.web.http.reading_aloud import as_read_aloud
from companion.web.render import to_scan
from companion.web.render.fields import Field, as_chosen, fields
from companion.web.render.page_names import Page, named
from companion.web.render.verdicts import folded
from companion.web.render.words import PageWords
from companion.web.routes.forms import usual_options
from companion.web.site import dealing, or_404, site

_LOTS = random.SystemRandom()

routes = Blueprint("pages", __name__)


@routes.get("/")
def score() -> str:
    """Show the score, to everybody."""
    return shown(Page("score"), mine=phone.me())


@routes.get("/big")
def big() -> str:
    """Show the score on a big screen, with the QR code for phones."""
    return shown(Page("big"))


@routes.get("/seat/<int:seat>")
def seat(seat: int) -> str:
    """Show a player's own page."""
    return shown(as_read_aloud(_seated("seat", seat)))


@routes.get("/host")
def host() -> str:
    """Show the host what is needed now; before the first match, the form that starts it."""
    return shown(Page("host")) if site().live.snapshot.match is not None else _with_form(Page("host"))


@routes.get("/host/match")
def host_match() -> str:
    """Show the form that starts a match, or the next one."""
    return _with_form(Page("host", of="match"))


@routes.get("/host/table")
def host_table() -> str:
    """Show the state of the table itself: devices, seats' codes, the host's part."""
    return shown(Page("host", of="table"))


@routes.get("/host/codes")
def codes() -> str:
    """Show every seat's code, to be scanned, or printed and stuck to the seats."""
    return shown(Page("codes"))


@routes.get("/host/<int:seat>")
def host_for(seat: int) -> str:
    """Show the form that enters for a seat what a sensor missed."""
    return shown(_seated("host", seat))


@routes.get("/table")
def table() -> str:
    """Show the virtual table."""
    or_404(site().hand)
    return shown(Page("table"))


@routes.get("/tags")
def tags() -> str:
    """Show the page for putting stickers on cards."""
    return shown(Page("tags"))


@routes.get("/story")
def story() -> str:
    """Show the story as the public may know it."""
    return _story(Page("story"))


@routes.get("/story/<int:seat>")
def story_of(seat: int) -> str:
    """Show the story as this seat may know it."""
    return _story(_seated("story", seat))


@routes.get("/own")
def own() -> str:
    """Return the links to this phone's own seats, which a page's script asks for when they may have changed."""
    page = named(request.args.get("page", "")) or Page("score")
    return render_template("own-seats.html", **site().screens.frame(page, language()), asked_anew=True)


@routes.get("/qr.svg")
def qr() -> Response:
    """Draw the address where people sit down as a QR code."""
    return Response(to_scan.svg(site().join_address), mimetype="image/svg+xml")


@routes.post("/language")
def switch() -> ResponseReturnValue:
    """Set the language of this phone."""
    if not wished():
        raise Refused(400, "bad-language")
    return switched(make_response(redirect(page_of_form().url, 303)))


def _seated(kind: str, seat: int) -> Page:
    if seat not in SEATS:
        abort(404)
    return Page(kind, seat)


def _story(page: Page) -> str:
    """Show the newest passage of a story, or the passage before an entry."""
    live = site().live
    chosen_language = language()
    before_entry = request.args.get("before", type=int)
    part = (
        slice(-PASSAGE, None) if before_entry is None else slice(max(0, before_entry - PASSAGE), max(0, before_entry))
    )
    mending = page.seat is None and phone.me().host and not live.snapshot.ended

    def read_passage(match: Match) -> tuple[Passage, frozenset[int]]:
        passage = views.passage(match, page.observer, part)
        return passage, corrections.offered(match, len(match.public) - passage.first) if mending else frozenset()

    passage = UNTOLD
    mends: frozenset[int] = frozenset()
    if live.snapshot.match is not None:
        passage, mends = at_table(lambda: live.ask(read_passage))
    sentences = site().screens.story(passage.told, site().screens.words(chosen_language))
    newest, folds = folded(
        [(sentence, int(at // 60)) for sentence, at in zip(sentences, passage.times, strict=True)][::-1]
    )
    more = {"newest": newest, "folds": folds, "mends": mends, "passage": passage, "most": PASSAGE}
    return render_template("story.html", **site().screens.frame(page, chosen_language), **more)


def _with_form(page: Page) -> str:
    """Show the form that starts a match, filled in with the last choices."""
    live = site().live
    chosen_language = language()
    last = at_table(lambda: live.ask(lambda match: match.started)) if live.snapshot.match is not None else None
    people_here = site().phones.rights.people
    played = {player.seat: player.name for player in last.players} if last and not live.snapshot.demo else {}
    seated = {seat: guest.name for seat, guest in people_here.seated.items() if guest.phone is None}
    names = {seat: name for seat, name in (seated if people_here.seated else played).items() if not is_bots(name)}
    drawn = bool(request.args.get("drawn"))
    if drawn:
        names = dict(zip(names, _LOTS.sample(list(names.values()), len(names)), strict=True))
    people = names | {seat: guest.name for seat, guest in people_here.seated.items()}
    last_options: Mapping[str, Any] = {}
    if last and dealing() is None:  # nobody chose at a simulated table
        players = tuple(Player(seat, name) for seat, name in people.items())
        last_options = starting.played_by(last, players or last.players).options

    def options(game: AnyGame) -> list[Field]:
        option_fields = fields(game.options, game.slug, PageWords(game.slug, chosen_language))
        chosen = last_options if last and last.game == game.slug else usual_options(game)
        return [_with_what_makes_even(as_chosen(field, chosen), game) for field in option_fields]

    asked_for = request.args.get("game")
    form = {
        "names": names,
        "options": options,
        "kept": last.game if last_options and last else None,
        "drawn": drawn,
        "known": [person.name for person in people_here.known],
        "asked_for": asked_for,
        "wanted": asked_for or (last.game if last else next(iter(games.known()))),
    }
    return shown(page, mine=phone.me(), **form)


def _with_what_makes_even(field: Field, game: AnyGame) -> Field:
    """Add to the head-start field which head starts would have made the last match even: a suggestion only."""
    if field.key != f"{game.slug}.{game.head_starts}":
        return field

    def even_head_starts(match: Match | None) -> tuple[Mapping[int, int], Mapping[int, str]]:
        if match is None or not match.over or match.game.slug != game.slug:
            return {}, {}
        reactions = next((chart.rows for chart in charts(match) if chart.code == head_starts.REACTIONS), {})
        persons = {seat: name for seat, name in match.names.items() if not is_bots(name)}
        return head_starts.that_make_even({seat: reactions.get(seat, ()) for seat in persons}), persons

    spans, names = site().live.look(even_head_starts)
    if not spans:
        return field
    words = PageWords(game.slug, language(), names)
    even = words.say("head-starts-even", {"head_starts": tuple(spans.items())})
    return replace(field, why=f"{field.why} {even}")


def shown(page: Page, **more: object) -> str:
    """Render a page around its live part."""
    screens = site().screens
    chosen_language = language()
    live = screens.fragment(page, chosen_language).decode()
    return render_template("frame.html", **screens.frame(page, chosen_language), live=live, **more)
