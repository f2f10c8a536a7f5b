"""What the table waits for, what an observer may know (built up from nothing), and how rulings are told."""

from typing import Any

from companion.game import KnownCards, Now, Observer, RulingKind
from companion.game.shared_rules import WINS

from .state import Phase, State

RULINGS = {
    "laid": RulingKind(sound="card"),
    "flipped": RulingKind(2, who="seats", sound="score", shows=True),
    **WINS,
}


def knows(state: State, observer: Observer) -> KnownCards:
    """Everybody sees the cards of the latest flip; all others are in hands, or lie face down."""
    return KnownCards() if observer else KnownCards(sees=[card for _, card in state.open])


def now(state: State) -> Now:
    """Return what the table waits for."""
    match state.phase:
        case Phase.LAY:
            return Now("now-lay", state.missing)
        case Phase.FLIP:
            return Now("now-flip")
    return Now("now-over")


def view(state: State, observer: Observer) -> dict[str, Any]:
    """Return what a seat, or the public (None), may know: face down, a seat knows only its own card."""
    return {
        "phase": state.phase.value,
        "round": state.round,
        "laid": [seat for seat in state.seats if seat in state.laid],
        "mine": state.laid.get(observer) if observer else None,
        "open": [{"seat": seat, "card": card} for seat, card in state.open],
        "used": list(state.used),
    }
