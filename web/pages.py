"""The pages themselves: each a frame around its live part, complete also without a script."""

import io
from collections.abc import Iterator

import segno
from flask import Blueprint, Response, abort, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion import views
from companion.game import Game
from companion.match import Match
from web.answers import Refused, at_table, page_of_form
from web.fields import Field, fields
from web.names import Page
from web.sentences import Sentences
from web.site import site
from web.speech import COOKIE, NAMES, PageWords, language

A_YEAR = 365 * 24 * 3600

pages = Blueprint("pages", __name__)


@pages.get("/")
def score() -> str:
    """The score, for everybody."""
    return _page(Page("score"))


@pages.get("/big")
def big() -> str:
    """The same for a big screen, with the way in for phones."""
    return _page(Page("big"))


@pages.get("/seat/<int:seat>")
def seat(seat: int) -> str:
    """One player's phone."""
    return _page(_seated("seat", seat))


@pages.get("/host")
def host() -> str:
    """Whoever keeps the table: start, take back, start again."""
    shown = site().live.snapshot.views.get(None)
    names = {player["seat"]: player["name"] for player in shown["players"]} if shown else {}

    def options(game: Game) -> Iterator[Field]:
        return fields(game.options, game.slug, PageWords(game.slug, language()))

    return _page(Page("host"), names=names, options=options)


@pages.get("/host/codes")
def codes() -> str:
    """Every seat's code, to be scanned, or printed and stuck to the seats."""
    return _page(Page("codes"))


@pages.get("/host/<int:seat>")
def host_for(seat: int) -> str:
    """Enter for a seat what a sensor missed."""
    return _page(_seated("host", seat))


@pages.get("/table")
def table() -> str:
    """The virtual table."""
    if site().hand is None:
        abort(404)
    return _page(Page("table"))


@pages.get("/tags")
def tags() -> str:
    """Stickers are put on the cards here."""
    return _page(Page("tags"))


@pages.get("/story")
def story() -> str:
    """Everything the public may know that happened."""
    return _story(Page("story"))


@pages.get("/story/<int:seat>")
def story_of(seat: int) -> str:
    """Everything this seat may know that happened."""
    return _story(_seated("story", seat))


@pages.get("/qr.svg")
def qr() -> Response:
    """The page's address, to be scanned."""
    out = io.BytesIO()
    segno.make(site().address, error="m", micro=False).save(
        out, kind="svg", border=4, dark="#000", light="#fff", omitsize=True
    )
    return Response(out.getvalue(), mimetype="image/svg+xml")


@pages.post("/language")
def switch() -> ResponseReturnValue:
    """Remember the language this phone wants."""
    wish = request.form.get("language", "")
    if wish not in NAMES:
        raise Refused(400, "bad-language")
    answer = redirect(page_of_form().url, 303)
    answer.set_cookie(COOKIE, wish, max_age=A_YEAR, httponly=True, samesite="Strict")
    return answer


def _seated(kind: str, seat: int) -> Page:
    if not 1 <= seat <= 6:
        abort(404)
    return Page(kind, seat)


def _story(page: Page) -> str:
    live = site().live

    def whole(match: Match) -> list[dict[str, object]]:
        return views.story(match, page.observer)

    told = at_table(lambda: live.ask(whole)) if live.snapshot.match is not None else []
    sentences = Sentences(told, site().screens.words(language())).all
    return render_template("story.html", **site().screens.frame(page, language()), sentences=sentences[::-1])


def _page(page: Page, **more: object) -> str:
    screens, words = site().screens, language()
    live = screens.fragment(page, words).decode()
    return render_template("frame.html", **screens.frame(page, words), live=live, **more)
