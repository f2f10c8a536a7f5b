"""The table's own cards, to print and cut out."""

from collections.abc import Mapping
from functools import cache

from flask import Blueprint, render_template

from companion import games
from companion.act_cards import ACT_CARDS
from companion.events import Player, Started
from companion.game import AnyGame
from companion.judge.match import Match
from companion.web.http.language import language
from companion.web.render.page_names import Page
from companion.web.site import site

routes = Blueprint("act_cards", __name__)


@routes.get("/act-cards")
def show() -> str:
    """Show all act cards on one sheet."""
    context = site().screens.frame(Page("act-cards"), language())
    return render_template("act-cards.html", **context, printed=_titles_by_card())


@cache
def _titles_by_card() -> Mapping[str, list[str]]:
    """Return, by act card, the titles of the games that have a word on it; none if it means the same in every game."""
    begun = [(game, _begun(game)) for game in games.known().values()]
    return {card: [game.title for game, match in begun if _says(match, card)] for card in ACT_CARDS.deck}


def _begun(game: AnyGame) -> Match:
    return Match(Started(1, 0.0, game.slug, (Player(1, ""), Player(2, "")), {}))


def _says(match: Match, card: str) -> bool:
    words = (match.game.moves.word_on(match.state, card, seat) for seat in (1, None))
    return any(word is not None for word in words)
