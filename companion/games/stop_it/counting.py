"""The count after a stop: everybody's cards of its colour, told or tapped one by one, sealed until all are in.

Whoever has the fewest takes a negative point, the caller included; zero counts. Stop cards in hand count for nothing.
"""

from typing import Any

from msgspec.structs import replace

from companion.events import Pressed, Said, Tapped, seat_at
from companion.game import Card, Heard, Judged, Misplay, Ruling, with_gains
from companion.games.stop_it.cards import DECK, NEGATIVE, OF_A_COLOUR, PLAIN
from companion.games.stop_it.state import Lead, Phase, State, Stop


def told(state: State, event: Said) -> Judged[State]:
    """A player says how many cards they have."""
    seat = event.seat
    value = event.value
    if not isinstance(seat, int):
        return state, (Misplay("only-players-count", event.seq),)
    if seat in state.counts:
        return state, (Misplay("counted-already", event.seq, to=seat),)
    if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
        return state, (Misplay("count-is-a-number", event.seq, to=seat),)
    if not 0 <= value <= most(state):
        return state, (Misplay("count-impossible", event.seq, {"most": most(state)}, to=seat),)
    return _counted(state, seat, int(value), event.seq)


def tapped(state: State, event: Tapped, card: Card) -> Judged[State]:
    """A player's card of the colour on their own reader is one more; read twice, it is still one."""
    seat = seat_at(event.place)
    facts: dict[str, Any] = {"card": card.id}
    if card.id == state.stop:
        if seat in (None, state.caller):
            return state, ()
        return state, (Misplay("stop-shown-already", event.seq, facts, to=seat),)
    if card.kind == NEGATIVE:
        return state, (Misplay("negative-is-counted", event.seq, facts, to=seat),)
    if card.kind != PLAIN:
        return state, (Misplay("stops-do-not-count", event.seq, facts, to=seat),)
    colour = DECK[state.stop].colour if state.stop else None
    if colour is not None and card.colour != colour:
        facts |= {"colour": colour}
        return state, (Misplay("other-colour", event.seq, facts, to=seat),)
    if seat is None:
        return state, (Misplay("count-at-your-seat", event.seq, facts),)
    holder = state.tapped.get(card.id)
    if holder == seat:
        return state, ()
    if seat in state.counts:
        return state, (Misplay("counted-already", event.seq, to=seat),)
    if holder is not None:
        facts |= {"seats": (holder, seat)}
        misplay = Misplay("in-another-hand", event.seq, facts, heard=Heard.AFTERWARDS, in_two_places=True)
        return state, (misplay,)
    return replace(state, tapped={**state.tapped, card.id: seat}), ()


def pressed(state: State, event: Pressed) -> Judged[State]:
    """A player's own buzzer says "done": they have the cards that were tapped, or zero."""
    seat = event.seat
    if seat in state.counts:
        return state, ()
    count = [*state.tapped.values()].count(seat)
    return _counted(state, seat, count, event.seq)


def most(state: State) -> int:
    """How many cards the box holds of the colour, or of all colours for a special stop."""
    special = state.stop is not None and DECK[state.stop].colour is None
    return OF_A_COLOUR * (len(state.options.colours) if special else 1)


def _counted(state: State, seat: int, count: int, seq: int) -> Judged[State]:
    counts = {**state.counts, seat: count}
    if len(counts) < len(state.seats):
        ruling = Ruling("counted", seq, {"seat": seat})
        return replace(state, counts=counts), (ruling,)
    if sum(counts.values()) > most(state):
        return state, (Misplay("counts-impossible", seq, {"most": most(state)}),)
    return _scored(replace(state, counts=counts), seq)


def _scored(state: State, seq: int) -> Judged[State]:
    """One point each: for the fewest cards, for an unsorted hand, for dropped cards."""
    assert state.caller is not None
    assert state.stop is not None
    fewest = min(state.counts.values())
    due = {seat: _due(state, seat, fewest) for seat in state.seats}
    stop = Stop(
        state.caller,
        state.stop,
        state.counts,
        state.faults,
        due,
        lead(state),
        state.sure,
        {shout.seat: shout.happened_at - state.since for shout in state.shouts},
    )
    next_state = replace(
        state,
        phase=Phase.SCORED,
        used=state.used | {state.stop},
        points=with_gains(state.points, due),
        history=(*state.history, stop),
    )
    facts = {
        "card": state.stop,
        "fewest": fewest,
        "seats": tuple(seat for seat in state.seats if state.counts[seat] == fewest),
        "counts": tuple((seat, state.counts[seat]) for seat in state.seats),
    }
    return next_state, (Ruling("scored", seq, facts),)


def _due(state: State, seat: int, fewest: int) -> int:
    least = state.counts[seat] == fewest
    unsorted = (seat, "unsorted") in state.faults
    dropped = (seat, "dropped") in state.faults
    if not state.options.cumulative and least:
        unsorted = False
    return least + unsorted + dropped


def lead(state: State) -> Lead | None:
    """Return the caller's lead on the next shout; None: nobody else shouted."""
    callers_shouts = [shout for shout in state.shouts if shout.seat == state.caller]
    other_shouts = [shout for shout in state.shouts if shout.seat != state.caller]
    if not other_shouts or not callers_shouts:
        return None
    margin = other_shouts[0].at - callers_shouts[0].at
    return Lead(other_shouts[0].seat, margin, dead_heat=margin <= state.window)


def behind(state: State) -> tuple[tuple[int, int], ...]:
    """Return who shouted, and how many microseconds after the first, in order of time."""
    return tuple((shout.seat, shout.at - state.shouts[0].at) for shout in state.shouts)
