"""What the table waits for, and what an observer may know, built up from nothing."""

from typing import Any

from companion.game import Now, Observer
from companion.game.playing_cards import DECK
from companion.games.speed_snap.state import Phase, State


def now(state: State) -> Now:
    """Return what the table waits for; never whether there is something to snap."""
    match state.phase:
        case Phase.OVER:
            return Now("now-over")
        case Phase.LAST:
            return Now("now-last", unseen=state.seats, at_once=True)
        case Phase.DEAL | Phase.TURN:
            assert state.active is not None
            turns = state.phase is Phase.TURN
            return Now(f"now-{state.phase.value}", (state.active,), unseen=state.seats, at_once=turns)


def view(state: State, observer: Observer) -> dict[str, Any]:
    """Return what lies on the table, the same for everybody: nobody looks at their own cards."""
    return {
        "phase": state.phase.value,
        "deal": state.deal,
        "deals": state.options.deals,
        "tie_window": state.options.tie_window,
        "head_starts": [[seat, span] for seat, span in sorted(state.head_starts.items())],
        "active": state.active,
        "top": list(state.pile[-2:]),
        "lies": [{"card": card} for card in state.pile[-2:]],
        "number": len(state.pile),
        "left": len(DECK) - len(state.turned),
        "unseen": [card for card in DECK if card not in state.turned],
        "taker": state.taker,
        "pressed": list(dict.fromkeys(shout.seat for shout in state.shouts)),
        "snaps": [{"seat": seat, "number": number} for seat, number in state.all_snaps],
    }
