"""Putting misreadings right: the host chooses the entry, then which card it really was."""

from collections.abc import Mapping

import msgspec
from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from companion.events import Event
from companion.game import Card, Verdict
from companion.judge import contested_cards, corrections, views
from companion.judge.attribution import did
from companion.judge.match import Match
from companion.web.http.form_answers import Refused, words
from companion.web.http.language import language
from companion.web.http.named_match import named_match
from companion.web.render.context import Context
from companion.web.render.page_names import Page
from companion.web.render.verdicts import mark
from companion.web.routes.about_match import ask_match
from companion.web.routes.agreement import NeedsAgreement, entered
from companion.web.routes.forms import typed_seat
from companion.web.routes.manual_entry import kept
from companion.web.routes.taking_back import where_now
from companion.web.site import site

routes = Blueprint("corrections", __name__)


class _Found(msgspec.Struct, frozen=True):
    """An entry of the story, the cards that it revealed, and all that it may have been."""

    verdict: Verdict
    cards: tuple[str, ...]
    known: frozenset[str]
    """The cards that everybody has been told about: of two that look alike, another one is meant."""
    deck: Mapping[str, Card]


@routes.get("/right/<int:number>")
def choose(number: int) -> str:
    """Offer the cards of an entry; once one is named, what it may have been, cards of the same kind first."""
    of, marked = named_match(), request.args.get("mark", "")
    found = ask_match(of, lambda match: _found(match, number, marked))
    if found is None:
        raise Refused(409, "moved-on")
    wrong = found.cards[0] if len(found.cards) == 1 else request.args.get("wrong", "")
    wrong = wrong if wrong in found.cards else ""
    context = site().screens.frame(Page("host"), language()) if of is None else _around_an_earlier(of)
    speech = context["words"]
    deck = found.deck
    looks: dict[str, str] = {}
    for card in sorted(deck, key=lambda card: (card != wrong, card in found.known)):
        looks.setdefault(speech.card(card), card)
    alike: list[str] = []
    others: list[str] = []
    for card in deck:
        if card in looks.values():
            (alike if wrong and deck[card].kind == deck[wrong].kind else others).append(card)
    return render_template(
        "right.html",
        **context,
        number=number,
        mark=marked,
        said=speech.say(found.verdict.code, found.verdict.facts),
        misread=found.cards,
        wrong=wrong,
        alike=alike,
        others=others,
    )


@routes.post("/right/<int:number>")
def put_right(number: int) -> ResponseReturnValue:
    """Replace the misread card by another."""
    form, keeps = request.form, kept()
    marked, wrong, card = form.get("mark", ""), form.get("wrong", ""), form.get("card", "")
    if card not in ask_match(named_match(), lambda match: match.game.deck):
        raise Refused(400, "bad-card")
    if card == wrong:
        raise Refused(400, "same-card")

    def plan(match: Match, now: float) -> tuple[Event, ...]:
        seq, verdict = _seq(match, number, marked, wrong), match.public[number]

        def agreed(match: Match, now: float) -> tuple[Event, ...]:
            return corrections.correction(match, _seq(match, where_now(match, verdict), marked, wrong), card, now)

        if did(match, [seq])[seq] & keeps and corrections.is_last(match, number):
            return agreed(match, now)
        raise NeedsAgreement("ask-right", {"cards": (wrong,), "card": card}, agreed, (verdict.code, verdict.facts))

    return entered(plan, lambda *_: words().say("put-right"))


@routes.post("/lies-at")
def lies_at() -> ResponseReturnValue:
    """Count a card that was read at several seats at one of them."""
    card = request.form.get("card", "")
    seat = typed_seat("seat")

    def plan(match: Match, now: float) -> tuple[Event, ...]:
        def agreed(match: Match, now: float) -> tuple[Event, ...]:
            read = next((read for read in contested_cards.contested(match) if read.card == card), None)
            if read is None or seat not in read.seats or seat == read.counts_at:
                raise Refused(409, "moved-on")
            return contested_cards.moved_to(match, read, seat, now)

        agreed(match, now)  # refused before anybody is asked
        raise NeedsAgreement("ask-lies-at", {"card": card, "seat": seat}, agreed)

    return entered(plan, lambda *_: words().say("put-right"))


def _around_an_earlier(number: int) -> Context:
    """Return what the page needs around a match that is over or was ended."""
    view = ask_match(number, lambda match: views.view(match, None))
    return site().screens.past(Page("results", of=str(number)), language(), view)


def _found(match: Match, entry: int, marked: str) -> _Found | None:
    cards = corrections.cards(match, entry) if _says(match, entry, marked) else {}
    return _Found(match.public[entry], tuple(cards), corrections.named(match), match.game.deck) if cards else None


def _seq(match: Match, entry: int, marked: str, wrong: str) -> int:
    """Return the tap that read the wrong card. Raises `Refused` if the story has moved on."""
    seq = corrections.cards(match, entry).get(wrong) if _says(match, entry, marked) else None
    if seq is None:
        raise Refused(409, "moved-on")
    return seq


def _says(match: Match, entry: int, marked: str) -> bool:
    """Whether the entry still says what it said on the page."""
    if not 0 <= entry < len(match.public):
        return False
    verdict = match.public[entry]
    return mark(verdict.code, dict(verdict.facts)) == marked
