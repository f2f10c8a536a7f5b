"""Taking back what was wrong: an entry of the story, a seat's taps, or a move of simulated things."""

from collections.abc import Callable, Set
from typing import Any

import msgspec
from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion.events import Event, Retracted
from companion.game import Misplay, Observer, Verdict
from companion.judge.attribution import HOST, Doer, acts_behind, did, disturbs, shows
from companion.judge.contested_cards import counting_again
from companion.judge.match import Match
from companion.judge.views import UNSHOWN, view
from companion.live.pause import Paused, Why
from companion.live.simulation import NotPossible, Simulation
from companion.web.http import phone
from companion.web.http.form_answers import Refused, answered, at_table, words
from companion.web.http.named_match import named_match
from companion.web.render.verdicts import mark
from companion.web.routes import agreement
from companion.web.routes.agreement import NeedsAgreement, agreed, entered
from companion.web.routes.forms import typed_entry, typed_seat
from companion.web.routes.manual_entry import kept
from companion.web.site import dealing, site

routes = Blueprint("taking_back", __name__)


@routes.post("/take-back")
def take_back() -> ResponseReturnValue:
    """Take back an entry of the public story, a seat's taps of the count under way (of all cards or these), or both."""
    earlier = named_match()
    if earlier is None and (simulation := dealing()) is not None:
        return _take_move_back(simulation)
    keeps, form = kept(), request.form
    if "entry" not in form and "seat" not in form:
        raise Refused(400, "bad-entry")
    entry = typed_entry() if "entry" in form else None
    seat, cards = typed_seat("seat") if "seat" in form else None, form.getlist("card")
    code, said = form.get("code"), form.get("mark")
    if earlier is None and seat is not None and seat not in keeps and HOST not in keeps:
        raise Refused(403, "not-your-seat")
    observer = seat if earlier is None and seat in phone.me().parts else None

    def targets(match: Match, told: Verdict | None, asked: int) -> list[int]:
        taps = [] if seat is None else [seq for seq in _taps(match, seat, cards, observer) if seq <= asked]
        behind = [] if told is None else acts_behind(match, told, asked)
        return [*dict.fromkeys((*behind, *taps, *counting_again(match, taps)))]

    def plan(match: Match, now: float) -> tuple[Event, ...]:
        told = None if entry is None else _entry_of(match, entry, code, said)
        asked = len(match.events)
        found = targets(match, told, asked)

        def agreed(match: Match, now: float) -> tuple[Event, ...]:
            if told is not None:
                where_now(match, told)
            return tuple(Retracted(0, now, target, by="phone") for target in targets(match, told, asked))

        mine = seat in keeps if told is None else bool(did(match, found[:1])[told.seq] & keeps)
        if mine and not match.over and not disturbs(match, found):  # an end that everybody has seen is nobody's alone
            return agreed(match, now)
        if told is None:
            raise NeedsAgreement("ask-begin-again", {"seat": seat}, agreed)
        raise NeedsAgreement("ask-take-back", {"number": 0}, agreed, (told.code, told.facts))

    # The same words whether or not there was a tap to take back: nobody learns of another's count.
    done = "taken-back" if entry is not None else "taken-out" if cards else "begun-again"
    return entered(plan, lambda *_: words().say(done, {"number": 0}))


def _taps(match: Match, seat: int, cards: list[str], observer: Observer) -> list[int]:
    """Return a seat's standing taps in the count under way; if cards are named, only theirs.

    A card that a shared pad has read for another seat is left to that seat. So is a card that this observer does not
    see: its removal, or even the time that takes, would reveal what lies there.
    """
    nothing: dict[str, Any] = {}
    seen = msgspec.json.encode(match.tried("view", lambda: match.game.view(match.state, observer), nothing))
    shown = {card for card in cards if msgspec.json.encode(card) in seen}
    whose = did(match, match.taps_of(seat, shown)) if shown or not cards else {}
    return [seq for seq, doers in whose.items() if seat in doers]


def _take_move_back(simulation: Simulation) -> ResponseReturnValue:
    """Take back the move behind an entry of the story, and all since."""
    form, keeps, live = request.form, kept(), site().live
    if live.snapshot.ended:
        raise Paused(Why.ENDED)  # before anybody is asked
    if "entry" not in form:
        raise Refused(409, "simulated-only-moves")
    entry, code, said = typed_entry(), form.get("code"), form.get("mark")
    if entry < simulation.stays:
        raise Refused(409, "simulated-deal-stays")

    def asked(match: Match) -> tuple[Verdict, bool]:
        told = _entry_of(match, entry, code, said)
        # An end that everybody has seen belongs to nobody alone.
        theirs = simulation.mover(told.seq) in keeps and not match.over
        return told, theirs and _is_theirs(match, told.seq, keeps)

    def alone(match: Match) -> int:
        told, theirs = asked(match)
        if not theirs:
            raise Refused(409, "moved-on")
        return told.seq

    def act(find: Callable[[Match], int]) -> str:
        alone = len(agreement.seats() - simulation.bots.keys()) == 1
        practice = alone and at_table(lambda: live.ask(lambda match: _has_shown(match, verdict.seq)))
        try:
            since = at_table(lambda: simulation.take_back(find))
        except NotPossible:
            raise Refused(409, "moved-on") from None
        return words().say("taken-back-practice" if practice else "taken-back", {"number": since})

    verdict, theirs = at_table(lambda: live.ask(asked))
    if theirs:
        return answered(act(alone))
    about, since = (verdict.code, verdict.facts), at_table(lambda: simulation.since(verdict.seq))

    def still(match: Match) -> int:
        where_now(match, verdict)
        return verdict.seq

    return agreed("ask-take-back", {"number": since}, lambda: act(still), about=about)


def _is_theirs(match: Match, seq: int, keeps: frozenset[Doer]) -> bool:
    """Return whether all that everybody was told since this event is about seats for which this phone may act, none of
    it showed them what was sealed, and no other seat may have acted unseen since: what it did would be lost too. With
    bots alone nobody is there to be asked, so there the host may look.
    """
    rulings = _rulings_since(match, seq)
    if shows(match, rulings) or not all(whose & keeps for whose in did(match, {seq, *rulings}).values()):
        return False
    return all(_unseen(match.as_of(one)) <= keeps for one in {seq, *rulings})


def _has_shown(match: Match, seq: int) -> bool:
    """Return whether this event, or one since, showed somebody what was sealed from them."""
    return shows(match, _rulings_since(match, seq))


def _rulings_since(match: Match, seq: int) -> set[int]:
    return {told.seq for told in match.public if told.seq >= seq and not isinstance(told, Misplay)}


def _unseen(match: Match) -> Set[Doer]:
    """Return the seats that may act now without anybody being told, as far as everybody knows."""
    physics, table, seats = match.game.physics, view(match, None)["table"], frozenset(match.seats)
    if physics is None or table is UNSHOWN:
        return seats
    unseen = physics.unseen
    return match.tried("simulated world", lambda: {seat for seat in seats if unseen(table, seat)}, seats)


def _entry_of(match: Match, entry: int, code: str | None, said: str | None) -> Verdict:
    """Return an entry of the public story. Raises `Refused` if it says something else by now."""
    verdict = match.public[entry] if 0 <= entry < len(match.public) else None
    if verdict is None or verdict.code != code or said not in (None, mark(verdict.code, dict(verdict.facts))):
        raise Refused(409, "moved-on")
    return verdict


def where_now(match: Match, told: Verdict) -> int:
    """Return where an entry is by now: people agree to exactly what they were asked. Raises `Refused`."""
    for entry, one in enumerate(match.public):
        if (one.seq, one.code, one.facts) == (told.seq, told.code, told.facts):
            return entry
    raise Refused(409, "moved-on")
