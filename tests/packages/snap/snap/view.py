"""What the table waits for, what everybody may know, and how rulings are told."""

from typing import Any

from companion.game import Now, Observer, RulingKind
from companion.game.playing_cards import DECK
from companion.game.shared_rules import WINS

from .state import State

RULINGS = {
    "turned": RulingKind(sound="card"),
    "snapped": RulingKind(2, who="seat", sound="first"),
    "snapped-earlier": RulingKind(2, who="seat", sound="first"),
    "too-late": RulingKind(),
    "nothing-there": RulingKind(1, who="seat", sound="stamp"),
    **WINS,
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
