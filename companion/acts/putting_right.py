"""Plans to take back an entry of the story, a seat's taps or a simulated move, and to correct a misread card."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.acts.match_acts import LiesAt, PutRight, TakeBack
from companion.acts.outcome import Consent, Needs, PlannedAct, Refuse, not_now, not_yours, wrong
from companion.acts.sentence import Saying, quoted
from companion.acts.table import Actor, DealtThings, Made, Situation
from companion.acts.told import entry_of, named
from companion.events import Elapsed, Event, Lifted, Retracted
from companion.game import Misplay, Observer, Verdict
from companion.judge import contested_cards, corrections
from companion.judge.attribution import HOST, Doer, acts_behind, did, disturbs, shows
from companion.judge.contested_cards import counting_again
from companion.judge.foreseen import foresee
from companion.judge.match import Match
from companion.judge.taken_back import standing

MOVED_ON = not_now("moved-on")
"""The story has changed since the phone showed it."""
NO_MATCH = not_now("no-match-yet")
NOT_MISREAD = not_now("dealt-not-misread")
"""The table itself dealt and read the cards, and it misreads none."""


def take_back(act: TakeBack, actor: Actor, situation: Situation) -> PlannedAct | Refuse:
    """Take back an entry, a seat's taps, or both. One's own act needs no consent if nothing rests on it."""
    match = situation.match
    if match is None:
        return NO_MATCH
    if situation.dealt is not None and situation.earlier is None:
        return _take_move_back(act, actor, situation, situation.dealt, match)
    if act.told is None and act.seat is None:
        return wrong("bad-entry")
    keeps = situation.keeps(actor.who)
    is_earlier = situation.earlier is not None
    if act.seat is not None and act.seat not in keeps and HOST not in keeps and not is_earlier:
        return not_yours("not-your-seat")
    entry = None if act.told is None else entry_of(match, act.told)
    if act.told is not None and entry is None:
        return MOVED_ON
    ruling = None if entry is None else match.public[entry]
    repeated_act = replace(act, until=len(match.events) if act.until is None else act.until)
    targets = _targets(
        match, repeated_act, ruling, act.seat if act.seat in actor.who.parts and not is_earlier else None
    )
    # The same words whether or not there was a tap to take back: nobody learns of another's count.
    done = "taken-back" if ruling is not None else "taken-out" if act.cards else "begun-again"
    plan = PlannedAct(
        repeated_act if entry is None else replace(repeated_act, told=named(match, entry)),
        Saying(done, {"number": 0}),
        events=tuple(Retracted(0, situation.at, target, by="phone") for target in targets),
    )
    is_mine = act.seat in keeps if ruling is None else bool(did(match, targets[:1])[ruling.seq] & keeps)
    if is_mine and not match.over and not disturbs(match, targets):  # an end that everybody has seen is nobody's alone
        return plan
    if ruling is None:
        return replace(plan, needs=Needs(Consent.OTHERS, Saying("ask-begin-again", {"seat": act.seat})))
    asks = Saying("ask-take-back", {"number": 0})
    brings = () if entry is None else _brings(match, entry, plan.events)
    return replace(plan, needs=Needs(Consent.OTHERS, asks, quoted(ruling.code, ruling.facts), brings=brings))


def put_right(act: PutRight, actor: Actor, situation: Situation) -> PlannedAct | Refuse:
    """Replace a misread card. One's own needs no consent as long as no other ruling has been told since."""
    match = situation.match
    if match is None:
        return NO_MATCH
    if situation.is_dealt:
        return NOT_MISREAD
    if act.card not in match.game.deck:
        return wrong("bad-card")
    if act.card == act.wrong:
        return wrong("same-card")
    entry = entry_of(match, act.told)
    seq = None if entry is None else corrections.cards(match, entry).get(act.wrong)
    if entry is None or seq is None:
        return MOVED_ON
    plan = PlannedAct(
        replace(act, told=named(match, entry)),
        Saying("put-right"),
        events=corrections.correction(match, seq, act.card, situation.at),
    )
    if did(match, [seq])[seq] & situation.keeps(actor.who) and corrections.is_last(match, entry):
        return plan
    asking = Saying("ask-right", {"cards": [act.wrong], "card": act.card})
    brings = _brings(match, entry, plan.events)
    return replace(plan, needs=Needs(Consent.OTHERS, asking, _quote(match, entry), brings=brings))


def lies_at(act: LiesAt, situation: Situation) -> PlannedAct | Refuse:
    """Count a card that was read at several seats at one of them, with consent, because it concerns the others."""
    match = situation.match
    if match is None:
        return NO_MATCH
    if situation.is_dealt:
        return NOT_MISREAD
    read = next((read for read in contested_cards.contested(match) if read.card == act.card), None)
    if read is None or act.seat not in read.seats or act.seat == read.counts_at:
        return MOVED_ON
    needs = Needs(Consent.OTHERS, Saying("ask-lies-at", {"card": act.card, "seat": act.seat}))
    events = contested_cards.moved_to(match, read, act.seat, situation.at)
    return PlannedAct(act, Saying("put-right"), needs, events)


def moves_told(dealt: DealtThings, match: Match, since: int) -> set[int]:
    """Return the numbers of the publicly told moves after number `since`; an elapsed delay belongs to none."""
    told_seqs = (ruling.seq for ruling in match.public if not isinstance(match.events[ruling.seq - 1], Elapsed))
    return {number for number in (move_behind(dealt.moves, seq) for seq in told_seqs) if number > since}


def move_behind(moves: Sequence[Made], seq: int) -> int:
    """Return the number of the move that caused an event; 0 if it was dealt."""
    return next((number for number in reversed(range(len(moves))) if moves[number].before < seq), 0)


def back_to(match: Match, events_before: int, at: float) -> tuple[Retracted, ...]:
    """Return retractions of all that stands after the first `events_before` events, except lifted cards."""
    since = (event for event in standing(match.events) if event.seq > events_before and not isinstance(event, Lifted))
    return tuple(Retracted(0, at, event.seq, by="phone") for event in since)


def _take_move_back(
    act: TakeBack, actor: Actor, situation: Situation, dealt: DealtThings, match: Match
) -> PlannedAct | Refuse:
    """Take back the move behind an entry with all later ones, because the simulated world can only go back as one."""
    if act.told is None:
        return not_now("simulated-only-moves")
    if act.told.seq is None and act.told.entry < dealt.stays:
        return not_now("simulated-deal-stays")
    entry = entry_of(match, act.told)
    number = 0 if entry is None else move_behind(dealt.moves, match.public[entry].seq)
    if entry is None or not number:
        return MOVED_ON
    seq = match.public[entry].seq
    events_before = dealt.moves[number].before
    since = {"number": len(moves_told(dealt, match, number))}
    alone = len(situation.seats - dealt.bots) == 1
    practice = alone and shows(match, _rulings_since(match, seq))
    plan = PlannedAct(
        replace(act, told=named(match, entry)),
        Saying("taken-back-practice" if practice else "taken-back", since),
        events=back_to(match, events_before, situation.at),
    )
    keeps = situation.keeps(actor.who)
    # An end that everybody has seen belongs to nobody alone.
    if dealt.moves[number].seat in keeps and not match.over and _is_theirs(match, seq, keeps):
        return plan
    brings = _brings(match, entry, plan.events)
    return replace(
        plan, needs=Needs(Consent.OTHERS, Saying("ask-take-back", since), _quote(match, entry), brings=brings)
    )


def _targets(match: Match, act: TakeBack, ruling: Verdict | None, observer: Observer) -> list[int]:
    """Return the events to retract."""
    until = len(match.events) if act.until is None else act.until
    behind = [] if ruling is None else acts_behind(match, ruling, until)
    taps = (
        []
        if act.seat is None
        else [seq for seq in _standing_taps(match, act.seat, act.cards, observer) if seq <= until]
    )
    return [*dict.fromkeys((*behind, *taps, *counting_again(match, taps)))]


def _standing_taps(match: Match, seat: int, cards: Iterable[str], observer: Observer) -> list[int]:
    """Return a seat's standing taps in the count under way; if cards are named, only those of these cards.

    A card that a shared pad has read for another seat is left out. So is a card that this observer does not see: its
    removal, or even the time that takes, would reveal what lies there.
    """
    cards = [*cards]
    nothing: dict[str, Any] = {}
    view = msgspec.json.encode(match.tried("view", lambda: match.game.view(match.state, observer), nothing))
    shown_cards = {card for card in cards if msgspec.json.encode(card) in view}
    doers_of_taps = did(match, match.taps_of(seat, shown_cards)) if shown_cards or not cards else {}
    return [seq for seq, doers in doers_of_taps.items() if seat in doers]


def _is_theirs(match: Match, seq: int, keeps: frozenset[Doer]) -> bool:
    """Return whether taking back everything since this event concerns only seats for which this phone may act.

    That is so if every public ruling since is on their acts, none showed them something sealed, and no other seat may
    have acted unseen, which would be lost too.
    """
    rulings = _rulings_since(match, seq)
    if shows(match, rulings) or not all(event_doers & keeps for event_doers in did(match, {seq, *rulings}).values()):
        return False
    return all(_unseen(match.as_of(event)) <= keeps for event in {seq, *rulings})


def _rulings_since(match: Match, seq: int) -> set[int]:
    return {ruling.seq for ruling in match.public if ruling.seq >= seq and not isinstance(ruling, Misplay)}


def _unseen(match: Match) -> frozenset[Doer]:
    """Return the seats that may, by public knowledge, act now without anybody being told."""
    everybody = frozenset[Doer](match.seats)
    if match.game.physics is None:  # the laws check `unseen` only of games with simulated things
        return everybody
    return match.tried("now", lambda: frozenset(match.game.now(match.state).unseen), everybody)


def _quote(match: Match, entry: int) -> Saying:
    return quoted(match.public[entry].code, match.public[entry].facts)


def _brings(match: Match, entry: int, events: Sequence[Event]) -> tuple[Saying, ...]:
    """Return what these events would bring to a match that is over, unless that would reveal what is sealed."""
    if not match.over or corrections.is_sealed_since(match, entry):
        return ()
    foreseen = foresee(match, events)
    goes_on = (Saying("brings-goes-on"),) if foreseen.goes_on else ()
    misplays = (Saying("brings-misplays", {"number": foreseen.misplays}),) if foreseen.misplays else ()
    return (*goes_on, *misplays)
