"""What the table waits for, what an observer may know, and what is news."""

from typing import Any

from companion.game import Moment, Now, Observer

from .state import Phase, State

MOMENTS = {"taken": Moment(2, who="seat"), "cancelled": Moment(2)}


def now(state: State) -> Now:
    """Return what the table waits for."""
    match state.phase:
        case Phase.LAY:
            return Now("now-lay", state.missing)
        case Phase.FLIP:
            return Now("now-flip")
    return Now("now-over")


def view(state: State, observer: Observer) -> dict[str, Any]:
    """Return what a seat, or the public (None), may know: of what lies face down only its own card."""
    return {
        "phase": state.phase.value,
        "round": state.trick,
        "laid": [seat for seat in state.seats if seat in state.laid],
        "mine": state.laid.get(observer) if observer else None,
        "open": [{"seat": seat, "card": card} for seat, card in state.open],
        "taker": state.taker,
        "used": list(state.used),
    }
