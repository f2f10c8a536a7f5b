"""What the table waits for, and what an observer may know, built up from nothing."""

from typing import Any

from companion.game import Now, Observer
from companion.games.speed_duel.cards import CARDS_OF
from companion.games.speed_duel.state import Phase, State


def now(state: State) -> Now:
    """Return what the table waits for."""
    match state.phase:
        case Phase.OVER:
            return Now("now-over")
        case Phase.TURN:
            waited_for = tuple(seat for seat in state.seats if seat not in state.turned)
            return Now("now-turn", waited_for, at_once=True)
        case Phase.RACE:
            waited_for = tuple(seat for seat in state.seats if seat not in state.stuck)
            # Whoever is stuck is not waited for, but may still lay.
            facts = {"other": state.stuck[0]} if state.stuck else {}
            return Now("now-race", waited_for, facts=facts, at_once=True)


def view(state: State, observer: Observer) -> dict[str, Any]:
    """Return what lies on the table, the same for everybody: hands are in hands."""
    points = state.points
    latest = state.laid[-1] if state.laid else ""
    return {
        "phase": state.phase.value,
        "tops": list(state.tops),
        "lies": [{"card": card} for card in state.tops if card],
        "latest": {"card": latest, "seat": state.seat_of(latest)} if latest else None,
        "target": state.options.cards,
        "left": {str(seat): state.options.cards - points[seat] for seat in state.seats},
        "turned": list(state.turned),
        "stuck": list(state.stuck),
        "stuck_times": state.stuck_times,
        "red": state.seats[0],
        "unseen": {
            str(seat): [card for card in cards if card not in state.laid]
            for seat, cards in zip(state.seats, CARDS_OF, strict=True)
        },
    }
