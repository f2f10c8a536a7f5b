"""Plans to enter what a sensor missed, as the same events, and plans of the virtual hand."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from companion import games
from companion.acts.match_acts import EnterCards, EnterPress, EnterWord
from companion.acts.outcome import Consent, Needs, PlannedAct, Refuse, Refusing, not_now, not_yours, wrong
from companion.acts.sentence import Saying
from companion.acts.table import Actor, Situation
from companion.acts.table_acts import LayCards, PressBuzzer
from companion.events import Event, Pressed, Said, Tapped, seat_at
from companion.judge import corrections
from companion.judge.attribution import HOST, Doer, doers_of_each
from companion.judge.match import Match

Entered = EnterPress | EnterCards | EnterWord
MOVED_ON = not_now("moved-on")


def enter(act: Entered, actor: Actor, situation: Situation) -> PlannedAct | Refuse:
    """Enter an act: for one's own seats alone. The host may enter for others' seats with one other's consent; so are
    words entered that affect everybody.
    """
    match = situation.match
    if match is None:
        return not_now("no-match-yet")
    refused = (None if situation.earlier else _stands_still(situation)) or _has_moved_on(match, act.unit)
    if refused is not None:
        return refused
    events = _events(act, match)
    if isinstance(events, Refuse):
        return events
    events = tuple(replace(event, at=situation.at) for event in events)
    # What others agree to is decided again later, so it names the unit and the cards that are meant today.
    repeated_act = replace(act, unit=unit_of(match))
    if isinstance(repeated_act, EnterCards):
        repeated_act = replace(repeated_act, cards=tuple(event.card for event in events if isinstance(event, Tapped)))
    plan = PlannedAct(repeated_act, events=events)
    others_doers = _others_of(match, events, situation.keeps(actor.who))
    if others_doers and not actor.who.host:
        return not_yours("not-your-seat")
    if others_doers:
        return replace(plan, needs=Needs(Consent.OTHERS, Saying("ask-enter", {"seat": _first_seat(others_doers)})))
    if isinstance(act, EnterWord) and match.game.moves.is_for_all(act.what):
        return replace(plan, needs=Needs(Consent.OTHERS, Saying("ask-for-all"), Saying(f"say-{act.what}")))
    return plan


def laid_by_hand(act: LayCards, actor: Actor, situation: Situation) -> PlannedAct | Refuse:
    """Have the virtual hand lay cards; at a seat that another phone holds it needs consent, as entering them does."""
    match = situation.match
    if match is None:
        return not_now("no-match-yet")
    refused = _stands_still(situation) or _has_moved_on(match, act.unit)
    if refused is not None:
        return refused
    cards = act.cards if act.unit is not None else _meant_at(match, act.place, act.cards)
    if isinstance(cards, Refuse):
        return cards
    copies = cards if act.unit is not None else tuple(_copies(match, cards))
    repeated_act = replace(act, cards=copies, unit=unit_of(match))
    events = tuple(Tapped(0, situation.at, act.place, card) for card in copies)
    return PlannedAct(repeated_act, needs=_as_if_entered(match, events, situation.keeps(actor.who)))


def pressed_by_hand(act: PressBuzzer, actor: Actor, situation: Situation) -> PlannedAct | Refuse:
    """Have the virtual hand press a buzzer, with consent as for cards; before the first match anybody may try it."""
    match = situation.match
    if match is None:
        return PlannedAct(act)
    refused = _stands_still(situation) or _has_moved_on(match, act.unit)
    if refused is not None:
        return refused
    events = (Pressed(0, situation.at, act.seat),) if act.seat in match.seats else ()
    return PlannedAct(
        replace(act, unit=unit_of(match)), needs=_as_if_entered(match, events, situation.keeps(actor.who))
    )


def unit_of(match: Match) -> str:
    """Name the lay, count, call or round that is going on; no later one has the same name."""
    return repr(match.unit)


def _stands_still(situation: Situation) -> Refuse | None:
    """Refuse an entry while the match is paused."""
    if situation.play is None or situation.play.pause is None:
        return None
    return Refuse(Refusing.PAUSED, "paused-no-act" if situation.play.pause == "break" else "ended-no-act")


def _has_moved_on(match: Match, unit: str | None) -> Refuse | None:
    """Refuse an act that people were asked about in another lay, count, call or round."""
    return MOVED_ON if unit not in (None, unit_of(match)) else None


def _events(act: Entered, match: Match) -> tuple[Event, ...] | Refuse:
    match act:
        case EnterPress(seat=seat):
            return (Pressed(0, 0.0, seat, by="phone"),)
        case EnterWord(seat=seat, what=what, value=value):
            return (Said(0, 0.0, seat, what, value),)
        case EnterCards(place=place, cards=cards):
            meant = cards if act.unit is not None else _meant_at(match, place, cards)
            if isinstance(meant, Refuse):
                return meant
            return tuple(Tapped(0, 0.0, place, card, by="phone") for card in meant)


def _as_if_entered(match: Match, events: tuple[Event, ...], keeps: frozenset[Doer]) -> Needs | None:
    others_doers = _others_of(match, events, keeps)
    return Needs(Consent.OTHERS, Saying("ask-enter", {"seat": _first_seat(others_doers)})) if others_doers else None


def _others_of(match: Match, events: tuple[Event, ...], keeps: frozenset[Doer]) -> list[frozenset[Doer]]:
    """Return the doers of those events that this phone may not enter alone; the host's may enter what is nobody's."""
    doers_of_all = doers_of_each(match, events)
    return [doers for doers in doers_of_all if not (doers & keeps or (not doers and HOST in keeps))]


def _first_seat(others_doers: Sequence[frozenset[Doer]]) -> int | None:
    """Return the first seat, which the question names; None: there is none."""
    return min((seat for doers in others_doers for seat in doers if isinstance(seat, int)), default=None)


def _meant_at(match: Match, place: str, offered: Sequence[str]) -> tuple[str, ...] | Refuse:
    """Return the ids of the cards meant, all of which may lie at this place."""
    if place not in games.places() or seat_at(place) not in (None, *match.seats):
        return wrong("bad-place")
    as_offered: list[str | None] = [*offered]
    meant = match.tried(
        "meant", lambda: [match.game.moves.taps.meant(match.state, card) for card in offered], as_offered
    )
    cards = tuple(card for card in meant if card is not None)
    if len(cards) < len(offered):
        return not_now("page-from-before")
    return cards if all(card in match.game.deck for card in cards) else wrong("bad-card")


def _copies(match: Match, cards: Sequence[str]) -> Iterator[str]:
    """Yield for each card one that looks like it and was not told yet: a page offers cards that look alike once."""
    deck = match.game.deck
    named_cards = corrections.named(match)
    for card in cards:
        alike = (copy for copy in deck if copy not in named_cards and deck[copy].look == deck[card].look)
        yield card if card not in named_cards else next(alike, card)
