"""What the table waits for, what everybody may know, and what is news."""

from typing import Any

from companion.game import Moment, Now, Observer
from companion.game.playing_cards import DECK

from .state import State

MOMENTS = {
    "snapped": Moment(2, who="seat"),
    "snapped-earlier": Moment(2, who="seat"),
    "nothing-there": Moment(who="seat"),
}


def now(state: State) -> Now:
    """Return what the table waits for; never whether there is something to snap."""
    return Now("now-over") if state.over else Now("now-turn", (state.active,))


def view(state: State, observer: Observer) -> dict[str, Any]:
    """Return what lies there."""
    return {
        "phase": state.phase.value,
        "active": None if state.over else state.active,
        "top": list(state.pile[-2:]),
        "number": len(state.pile),
        "left": len(DECK) - len(state.turned),
        "turned": list(state.turned),
        "taker": state.snap.seat if state.snap else None,
    }
