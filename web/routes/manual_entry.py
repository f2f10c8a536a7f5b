"""Entering by hand what a sensor missed, and taking back what was wrong: the same events as the real thing."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from flask import Blueprint, request
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from companion.events import PLACES, SEATS, Event, Pressed, Retracted, Said, Tapped, seat_at
from companion.game import Misplay, Observer, Verdict
from companion.judge.attribution import HOST, Doer, did, disturbs, doers_of_each, unheard_since
from companion.judge.match import Match
from companion.judge.record_file import check_readable
from companion.live.pause import Paused
from companion.web.http import phone
from companion.web.http.form_answers import Refused, page_of_form, words
from companion.web.render.verdicts import mark
from companion.web.routes.agreement import NeedsAgreement, entered
from companion.web.site import site

LONGEST_WORD = 40
LONGEST_VALUE = 2000
MOST_CARDS = 50
"""In one form; no deck's set-up needs more at a time."""

Entry = Callable[[Match], tuple[Event, ...]]
"""What a form says is to be entered, with the match as it stands."""

routes = Blueprint("manual_entry", __name__)


@routes.post("/enter")
def enter() -> ResponseReturnValue:
    """Enter one act, or several cards tapped one after the other; answer what the judge says, as far as this page may
    know.
    """
    makers: dict[str, Callable[[], Entry]] = {"pressed": _pressed, "tapped": _tapped, "said": _said}
    maker = makers.get(request.form.get("kind", ""))
    if maker is None:
        raise Refused(400, "bad-kind")
    entry, keeps, host = maker(), kept(), phone.me().host
    see_that_it_goes_on()

    def plan(match: Match, now: float) -> tuple[Event, ...]:
        unit, events = match.unit, entry(match)

        def agreed(match: Match, now: float) -> tuple[Event, ...]:
            if match.unit != unit:
                raise Refused(409, "moved-on")
            return _at(now, events)

        whose = doers_of_each(match, _at(now, events))
        # What is nobody's the host may enter.
        others = [mine for mine in whose if not (mine & keeps or (not mine and HOST in keeps))]
        if others and not host:
            raise Refused(403, "not-your-seat")
        if others:
            seats = sorted(seat for mine in others for seat in mine if isinstance(seat, int))
            raise NeedsAgreement("ask-enter", {"seat": seats[0] if seats else None}, agreed)
        for event in events:
            if isinstance(event, Said) and event.what in match.game.for_all:
                raise NeedsAgreement("ask-for-all", {}, agreed, (f"say-{event.what}", {}))
        return _at(now, events)

    return entered(plan, _what_was_said)


@routes.post("/take-back")
def take_back() -> ResponseReturnValue:
    """Take back an entry of the public story, a seat's taps of the count under way (of all cards or these), or both."""
    keeps, form = kept(), request.form
    if "entry" not in form and "seat" not in form:
        raise Refused(400, "bad-entry")
    entry = whole(form["entry"], "bad-entry") if "entry" in form else None
    seat, cards = _seat() if "seat" in form else None, form.getlist("card")
    code, said = form.get("code"), form.get("mark")
    if seat is not None and seat not in keeps and HOST not in keeps:
        raise Refused(403, "not-your-seat")
    observer = seat if seat in phone.me().parts else None

    def targets(match: Match, told: Verdict | None) -> list[int]:
        found = [] if seat is None else _taps(match, seat, cards, observer)
        if told is None:
            return found
        # With a lay go its changes: if one stood for it, everybody would see that there was one.
        return [told.seq, *unheard_since(match, [told.seq]), *found]

    def plan(match: Match, now: float) -> tuple[Event, ...]:
        told = None if entry is None else entry_of(match, entry, code, said)
        found = targets(match, told)

        def agreed(match: Match, now: float) -> tuple[Event, ...]:
            if told is not None:
                where_now(match, told)
            return tuple(Retracted(0, now, target, by="phone") for target in targets(match, told))

        mine = seat in keeps if told is None else bool(did(match, found[:1])[told.seq] & keeps)
        if mine and not match.over and not disturbs(match, found):  # an end that everybody has seen is nobody's alone
            return agreed(match, now)
        if told is None:
            raise NeedsAgreement("ask-begin-again", {"seat": seat}, agreed)
        raise NeedsAgreement("ask-take-back", {"number": 0}, agreed, (told.code, told.facts))

    # The same words whether or not there was a tap to take back: nobody learns of another's count.
    done = "taken-back" if entry is not None else "taken-out" if cards else "begun-again"
    return entered(plan, lambda _: words().say(done, {"number": 0}))


def _at(now: float, events: tuple[Event, ...]) -> tuple[Event, ...]:
    return tuple(replace(event, at=now) for event in events)


def see_that_it_goes_on() -> None:
    """Say so where nothing counts just now; a real table can but say it in large letters. Raises `Paused`."""
    why = site().live.snapshot.pause
    if why is not None:
        raise Paused(why)


def kept() -> frozenset[Doer]:
    """Return for whom this phone may act by itself: its seats, and as the host's the seats that no phone holds."""
    who, held = phone.me(), site().phones.rights.holders
    own = {seat for seat in SEATS if seat in who.parts}
    return frozenset({HOST, *own, *(seat for seat in SEATS if seat not in held)} if who.host else own)


def _taps(match: Match, seat: int, cards: list[str], observer: Observer) -> list[int]:
    """Return a seat's standing taps of the count under way; where cards are named, only those of them.

    A card that a shared pad has read for another seat is left to that seat. So is a card that this observer does not
    see: to see it go, and already the time that takes, would tell what lies there.
    """
    seen = msgspec.json.encode(match.game.view(match.state, observer))
    shown = {card for card in cards if msgspec.json.encode(card) in seen}
    whose = did(match, match.taps_of(seat, shown)) if shown or not cards else {}
    return [seq for seq, doers in whose.items() if seat in doers]


def entry_of(match: Match, entry: int, code: str | None, said: str | None) -> Verdict:
    """Return an entry of the public story. Raises `Refused` where it says something else by now."""
    verdict = match.public[entry] if 0 <= entry < len(match.public) else None
    if verdict is None or verdict.code != code or said not in (None, mark(verdict.code, dict(verdict.facts))):
        raise Refused(409, "moved-on")
    return verdict


def where_now(match: Match, told: Verdict) -> int:
    """Return where an entry stands by now: what somebody agrees to is what they were asked. Raises `Refused`."""
    for entry, one in enumerate(match.public):
        if (one.seq, one.code, one.facts) == (told.seq, told.code, told.facts):
            return entry
    raise Refused(409, "moved-on")


def _what_was_said(verdicts: tuple[Verdict, ...]) -> str:
    speech, observer = words(), page_of_form().observer  # of a page that this phone may see
    now = [verdict for verdict in verdicts if not isinstance(verdict, Misplay) or verdict.at_once]
    mine = [speech.say(verdict.code, verdict.facts) for verdict in now if verdict.to in (None, observer)]
    return " ".join(mine) or speech.say("noted")


def _pressed() -> Entry:
    event = Pressed(0, 0.0, _seat(), by="phone")
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
    seat: Any = "host" if request.form.get("seat") == "host" else _seat()
    event = Said(0, 0.0, seat, what, _value())
    try:
        check_readable(event)
    except ValueError:
        raise Refused(400, "bad-value") from None
    return lambda _: (event,)


def _value() -> Any:
    """Read what is said: `value` is JSON, `value.` an item of a list, `value.KEY` an item of the list under that key.

    An empty field adds nothing: by one of them a form says that its list may stay empty. `value.KEY.1`, `value.KEY.2` …
    are fields of one list too, where radio buttons need different names.
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


def offered_cards() -> list[str]:
    """Return the cards of the form, as its page offered them."""
    offered = [card for card in request.form.getlist("card") if card]
    if not offered:
        raise Refused(400, "no-card")
    if len(offered) > MOST_CARDS:
        raise Refused(400, "bad-card")
    return offered


def meant_at(match: Match, place: str, offered: Sequence[str]) -> list[str]:
    """Return the ids of the cards that are meant, all of which may lie at this place. Raises `Refused`."""
    if place not in PLACES or seat_at(place) not in (None, *match.seats):
        raise Refused(400, "bad-place")
    meant = [match.game.meant(match.state, card) for card in offered]
    cards = [card for card in meant if card is not None]
    if len(cards) < len(offered):
        raise Refused(409, "page-from-before")
    if any(card not in match.game.deck for card in cards):
        raise Refused(400, "bad-card")
    return cards


def _seat() -> int:
    seat = whole(request.form.get("seat", ""), "bad-seat")
    if seat not in SEATS:
        raise Refused(400, "bad-seat")
    return seat


def whole(text: str, otherwise: str) -> int:
    """Read a number of a form. Raises `Refused`."""
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise Refused(400, otherwise)
    return int(text)
