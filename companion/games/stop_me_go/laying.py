"""The intervention: everybody lays one card face down on the newest gangster; the first card says a player's colour.

Which card it is stays sealed, so nothing is said of laying another one, of reading the same one twice, or of any card
where one lies that stays; otherwise only its owner is told, at the centre too.
"""

from collections.abc import Collection

from msgspec.structs import replace

from companion.events import Tapped
from companion.game import NOBODY, Card, Heard, Judged, Misplay, Ruling
from companion.games.stop_me_go.awaited import too_early, too_early_unheard
from companion.games.stop_me_go.cards import COLOURS, GO, SLOTS, STOP, STOPS, of_colour
from companion.games.stop_me_go.state import Laid, Out, Phase, State


def tapped(state: State, event: Tapped, card: Card, seat: int | None) -> Judged[State]:
    """An Action card: at a seat it must be of that seat's colour, at the centre its colour says whose it is."""
    colour = card.colour
    assert colour is not None
    holder = state.holders.get(colour)
    if holder is not None and (seat is None or seat == holder):
        return _lay(state, event, holder)
    facts = {"colour": colour}
    if seat is None:
        code = "colour-not-played" if len(state.holders) == len(state.seats) else "colour-of-nobody-yet"
        return state, (Misplay(code, event.seq, facts),)
    if holder is not None or seat in state.holders.values():
        said_twice = holder is not None
        return state, (Misplay("not-your-colour", event.seq, facts, to=seat, in_two_places=said_twice),)
    return _take_colour(state, event, colour, seat)


def meant(state: State, card: str) -> str | None:
    """Turn "red-go" or "red-stop", as pages offer them, into a card: the four GO look alike. "red" chooses a colour;
    once a gangster waits it is `None`, because a card of that colour would be laid.

    A GO is the one on the newest gangster, or else one that lies nowhere. Once nothing can be changed any more it is a
    card that does not lie there, whatever does: the judge's answer must not give it away.
    """
    colour, _, kind = card.partition("-")
    if colour in COLOURS and not kind:
        return None if state.phase is Phase.INTERVENTION else meant(state, f"{colour}-{GO}")
    if kind not in (GO, STOP):
        return card
    copies = of_colour(colour)
    out = state.round.out
    newest = state.laying if state.phase is Phase.INTERVENTION else out[-1].laid if out else {}
    laid = [copy for copy in copies if copy in newest.values()]
    if laid and not (state.phase is Phase.INTERVENTION and state.options.allow_change):
        return next(copy for copy in copies if copy not in laid)
    if kind == STOP:
        return card
    lying = [copy for older in out for copy in older.laid.values()]
    likely = [*laid, *(copy for copy in copies if copy not in lying)]
    return next((copy for copy in likely if copy not in STOPS), card)


def _take_colour(state: State, event: Tapped, colour: str, seat: int) -> Judged[State]:
    """The first card at a seat gives it its colour; if a gangster waits, the card is laid as well."""
    took = Ruling("took-colour", event.seq, {"seat": seat, "colour": colour})
    next_state = replace(state, holders={**state.holders, colour: seat})
    if state.phase is Phase.INTERVENTION:
        next_state, laid = _lay(next_state, event, seat)
        return next_state, (took, *laid)
    return replace(next_state, shown=state.shown | {event.card}), (took,)


def _lay(state: State, event: Tapped, holder: int) -> Judged[State]:
    card = event.card
    if state.phase is not Phase.INTERVENTION:
        lying = _lying(state, holder)
        if card in lying:
            return state, ()
        if lying:
            return too_early_unheard(state, "card", event.seq)
        return too_early(state, "card", event.seq, holder)
    laid_card = state.laying.get(holder)
    if laid_card == card:
        return state, ()
    if laid_card is not None and not state.options.allow_change:
        return state, (Misplay("laid-already", event.seq, to=NOBODY),)
    for older in state.round.out:
        if older.laid.get(holder) == card:
            # Until a card of theirs is laid, everybody sees that the table still waits for one.
            heard = Heard.AT_ONCE if laid_card is None else Heard.PRIVATELY
            return state, (Misplay("lies-already", event.seq, to=holder, heard=heard),)
    laying = {**state.laying, holder: card}
    if laid_card is not None:
        return replace(state, laying=laying), ()
    if len(laying) < len(state.seats):
        return replace(state, laying=laying), (Ruling("laid", event.seq, {"seat": holder}),)
    return _all_laid(state, laying, holder, event.seq)


def _all_laid(state: State, laid: Laid, last: int, seq: int) -> Judged[State]:
    """Everybody has laid: the next gangster comes, or with the fourth the arrest of the oldest."""
    newest = state.round.out[-1]
    out = (*state.round.out[:-1], Out(newest.gangster, newest.slot, laid))
    next_state = replace(state, laying={}, round=replace(state.round, out=out))
    if len(out) < SLOTS:
        return replace(next_state, phase=Phase.MISDEED), (Ruling("all-laid", seq, {"seat": last}),)
    ruling = Ruling("all-laid-arrest", seq, {"seat": last, "card": out[0].gangster})
    return replace(next_state, phase=Phase.ARREST), (ruling,)


def _lying(state: State, holder: int) -> Collection[str]:
    """Return the card that still lies on the newest gangster, or that has only just said its colour."""
    if state.phase is Phase.READY:
        own_colour = next(colour for colour, seat in state.holders.items() if seat == holder)
        return state.shown.intersection(of_colour(own_colour)) if state.lays == 0 else ()
    if state.phase in (Phase.VALUES, Phase.OVER):
        return ()
    return ((state.round.out or state.round.flips)[-1].laid[holder],)
