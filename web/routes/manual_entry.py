"""Entering by hand what a sensor missed: the same events as the real thing."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import msgspec
from flask import Blueprint, request
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from companion.events import PLACES, SEATS, Event, Pressed, Said, Tapped, seat_at
from companion.game import Misplay, Verdict
from companion.judge.attribution import HOST, Doer, doers_of_each
from companion.judge.match import Match
from companion.judge.record_file import check_readable
from companion.live.pause import Paused
from companion.web.agreement import EarlierMatch
from companion.web.http import phone
from companion.web.http.form_answers import Refused, page_of_form
from companion.web.http.named_match import named_match
from companion.web.routes.about_match import words_of
from companion.web.routes.agreement import NeedsAgreement, entered
from companion.web.routes.forms import offered_cards, typed_seat
from companion.web.site import site

LONGEST_WORD = 40
LONGEST_VALUE = 2000

Entry = Callable[[Match], tuple[Event, ...]]
"""What to enter from a form, given the match as it stands."""

routes = Blueprint("manual_entry", __name__)


@routes.post("/enter")
def enter() -> ResponseReturnValue:
    """Enter one act, or several cards tapped in turn; answer with what the judge says, as far as this page may know."""
    makers: dict[str, Callable[[], Entry]] = {"pressed": _pressed, "tapped": _tapped, "said": _said}
    maker = makers.get(request.form.get("kind", ""))
    if maker is None:
        raise Refused(400, "bad-kind")
    entry, keeps, host = maker(), kept(), phone.me().host
    if named_match() is None:
        see_that_it_goes_on()

    def plan(match: Match, now: float) -> tuple[Event, ...]:
        unit, events = match.unit, entry(match)

        def agreed(match: Match, now: float) -> tuple[Event, ...]:
            if match.unit != unit:
                raise Refused(409, "moved-on")
            return _at(now, events)

        others = others_of(match, _at(now, events), keeps)
        if others and not host:
            raise Refused(403, "not-your-seat")
        if others:
            raise NeedsAgreement("ask-enter", {"seat": first_seat(others)}, agreed)
        for event in events:
            if isinstance(event, Said) and event.what in match.game.for_all:
                raise NeedsAgreement("ask-for-all", {}, agreed, (f"say-{event.what}", {}))
        return _at(now, events)

    return entered(plan, _what_was_said)


def others_of(match: Match, events: tuple[Event, ...], keeps: frozenset[Doer]) -> list[frozenset[Doer]]:
    """Return who may enter those of these events that are not this phone's; the host may enter what is nobody's."""
    whose = doers_of_each(match, events)
    return [mine for mine in whose if not (mine & keeps or (not mine and HOST in keeps))]


def first_seat(others: Sequence[frozenset[Doer]]) -> int | None:
    """Return the seat that a question about them names; None: there is none."""
    return min((seat for mine in others for seat in mine if isinstance(seat, int)), default=None)


def _at(now: float, events: tuple[Event, ...]) -> tuple[Event, ...]:
    return tuple(replace(event, at=now) for event in events)


def see_that_it_goes_on() -> None:
    """Refuse while nothing counts; a real table can only say so in large letters. Raises `Paused`."""
    why = site().live.snapshot.pause
    if why is not None:
        raise Paused(why)


def kept() -> frozenset[Doer]:
    """Return for whom this phone may act by itself: its seats and, if it is the host's, those that no phone holds. In a
    match that is over or was ended, nobody acts alone.
    """
    if named_match() is not None:
        return frozenset()
    who, held = phone.me(), site().phones.rights.holders
    own = {seat for seat in SEATS if seat in who.parts}
    return frozenset({HOST, *own, *(seat for seat in SEATS if seat not in held)} if who.host else own)


def _what_was_said(verdicts: tuple[Verdict, ...], earlier: EarlierMatch | None) -> str:
    speech = words_of(earlier)
    observer = page_of_form().observer if earlier is None else None  # of a page that this phone may see
    now = [verdict for verdict in verdicts if not isinstance(verdict, Misplay) or verdict.at_once]
    mine = [partial(speech.say, verdict.code, verdict.facts) for verdict in now if verdict.to in (None, observer)]
    said = [site().live.faults.tried(speech.slug or "", "words", say, str) for say in mine]
    return " ".join(filter(None, said)) or speech.say("noted")


def _pressed() -> Entry:
    event = Pressed(0, 0.0, typed_seat("seat"), by="phone")
    return lambda _: (event,)


def _tapped() -> Entry:
    place, offered = request.form.get("place", ""), offered_cards()

    def taps(match: Match) -> tuple[Event, ...]:
        cards = meant_at(match, place, offered)
        return tuple(Tapped(0, 0.0, place, card, by="phone") for card in cards)  # type: ignore[arg-type]

    return taps


def _said() -> Entry:
    what = request.form.get("what", "")
    if not 0 < len(what) <= LONGEST_WORD:
        raise Refused(400, "bad-what")
    seat: Any = "host" if request.form.get("seat") == "host" else typed_seat("seat")
    event = Said(0, 0.0, seat, what, _value())
    try:
        check_readable(event)
    except ValueError:
        raise Refused(400, "bad-value") from None
    return lambda _: (event,)


def _value() -> Any:
    """Read what is said: `value` is JSON, `value.` an item of a list, `value.KEY` an item of the list under that key.

    An empty field adds nothing: with one of them a form says that its list may stay empty. `value.KEY.1`, `value.KEY.2`
    … belong to one list too, because radio buttons need different names.
    """
    form = request.form
    parts = [(name.split(".")[1], text) for name, text in form.items(multi=True) if name.startswith("value.")]
    if sum(len(text) for text in (form.get("value", ""), *(text for _, text in parts))) > LONGEST_VALUE:
        raise Refused(400, "bad-value")
    if not parts:
        return _json(form["value"]) if form.get("value") else msgspec.UNSET
    lists: dict[str, list[Any]] = {key: [] for key, _ in parts}
    for key, text in parts:
        if text:
            lists[key].append(_json(text))
    return lists[""] if lists.keys() == {""} else lists


def _json(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (ValueError, RecursionError):
        raise Refused(400, "bad-value") from None


def meant_at(match: Match, place: str, offered: Sequence[str]) -> list[str]:
    """Return the ids of the cards meant, all of which may lie at this place. Raises `Refused`."""
    if place not in PLACES or seat_at(place) not in (None, *match.seats):
        raise Refused(400, "bad-place")
    as_offered: list[str | None] = [*offered]
    meant = match.tried("meant", lambda: [match.game.meant(match.state, card) for card in offered], as_offered)
    cards = [card for card in meant if card is not None]
    if len(cards) < len(offered):
        raise Refused(409, "page-from-before")
    if any(card not in match.game.deck for card in cards):
        raise Refused(400, "bad-card")
    return cards
