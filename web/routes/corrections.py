"""Corrections of misread cards: the host chooses the entry, then the card that it really was."""

from collections.abc import Mapping

import msgspec
from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from companion.acts.match_acts import LiesAt, PutRight
from companion.acts.putting_right import NOT_MISREAD
from companion.acts.told import EntryTold, entry_of
from companion.game import Card, Verdict
from companion.judge import corrections, views
from companion.judge.match import Match
from companion.web.http.form_answers import Refused, at_table
from companion.web.http.language import language
from companion.web.http.named_match import named_match
from companion.web.render.page_names import Page
from companion.web.render.subjects.page import Context
from companion.web.routes.about_match import ask_match
from companion.web.routes.acting import done
from companion.web.routes.forms import typed_seat
from companion.web.site import site

routes = Blueprint("corrections", __name__)


class _MarkedEntry(msgspec.Struct, frozen=True):
    """An entry of the story, the cards that it revealed, and the deck from which the right card is chosen."""

    verdict: Verdict
    cards: tuple[str, ...]
    known: frozenset[str]
    """Cards named in public so far; of two that look alike, one that is not among them is offered."""
    deck: Mapping[str, Card]


@routes.get("/right/<int:number>")
def choose(number: int) -> str:
    """Offer the cards of an entry; once one is named, the cards that it may have been, those of its kind first."""
    of = named_match()
    live = site().live
    entry = None if of is None else at_table(lambda: live.entry(of))
    if entry is not None and entry.dealt:
        raise Refused(409, NOT_MISREAD.code)
    marked = request.args.get("mark", "")
    marked_entry = ask_match(of, lambda match: _marked_entry(match, number, marked))
    if marked_entry is None:
        raise Refused(409, "moved-on")
    wrong = marked_entry.cards[0] if len(marked_entry.cards) == 1 else request.args.get("wrong", "")
    wrong = wrong if wrong in marked_entry.cards else ""
    context = site().screens.frame(Page("host"), language()) if of is None else _around_an_earlier(of)
    speech = context["words"]
    deck = marked_entry.deck
    looks: dict[str, str] = {}
    for card in sorted(deck, key=lambda card: (card != wrong, card in marked_entry.known)):
        looks.setdefault(speech.card(card), card)
    alike: list[str] = []
    other_cards: list[str] = []
    for card in deck:
        if card in looks.values():
            (alike if wrong and deck[card].kind == deck[wrong].kind else other_cards).append(card)
    return render_template(
        "right.html",
        **context,
        number=number,
        mark=marked,
        said=speech.say(marked_entry.verdict.code, marked_entry.verdict.facts),
        misread=marked_entry.cards,
        wrong=wrong,
        alike=alike,
        others=other_cards,
    )


@routes.post("/right/<int:number>")
def put_right(number: int) -> ResponseReturnValue:
    """Replace a misread card by another."""
    form = request.form
    return done(
        PutRight(
            EntryTold(number, mark=form.get("mark", "")), form.get("wrong", ""), form.get("card", ""), named_match()
        )
    )


@routes.post("/lies-at")
def lies_at() -> ResponseReturnValue:
    """Count a card that was read at several seats at one of them."""
    return done(LiesAt(request.form.get("card", ""), typed_seat("seat"), named_match()))


def _around_an_earlier(number: int) -> Context:
    """Return the page's context for a match that is over or was ended."""
    view = ask_match(number, lambda match: views.view(match, None))
    return site().screens.past(Page("results", of=str(number)), language(), view)


def _marked_entry(match: Match, entry: int, marked: str) -> _MarkedEntry | None:
    """Return the entry with this number; None if it names no cards, or is no longer the one that the phone saw."""
    if entry_of(match, EntryTold(entry, mark=marked)) is None:
        return None
    cards = corrections.cards(match, entry)
    if not cards:
        return None
    return _MarkedEntry(match.public[entry], tuple(cards), corrections.named(match), match.game.deck)
