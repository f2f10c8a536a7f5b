"""What the table waits for, and what an observer may know, built up from nothing."""

from typing import Any

from companion.game import Now, Observer
from companion.game.playing_cards import DECK
from companion.games.crazy_eights.state import Phase, State


def now(state: State) -> Now:
    """Return what the table waits for: first for whoever names an eight's suit, then for the next player."""
    if state.naming is not None:
        return Now("now-name", (state.naming,))
    match state.phase:
        case Phase.OVER:
            return Now("now-over")
        case Phase.DEAL:
            return Now("now-deal", (state.active,), facts={"number": state.options.dealt})
        case Phase.COUNT:
            return Now("now-count", (state.active,), facts={"number": state.still_to_show})
        case Phase.PLAY if state.has_drawn:
            return Now("now-drawn", (state.active,), facts={"colour": state.suit})
        case _:
            return Now("now-lay", (state.active,), facts={"colour": state.suit})


def view(state: State, observer: Observer) -> dict[str, Any]:
    """Return what lies on the table, the same for everybody: hands are in hands."""
    cards_shown = state.cards_shown
    return {
        "phase": state.phase.value,
        "round": state.round,
        "target": state.options.limit,
        "four_colours": state.options.four_colours,
        "dealer": state.dealer,
        "dealt": state.options.dealt,
        "drawing": state.options.drawing,
        "active": None if state.over else state.active,
        "top": state.stack[-1] if state.stack else None,
        "lies": [{"card": state.stack[-1]}] if state.stack else [],
        "suit": state.suit or None,
        "namer": state.namer,
        "has_named": state.has_named,
        "has_drawn": state.has_drawn,
        "pile": state.pile,
        "held": {str(seat): number for seat, number in state.held.items()},
        "unseen": [card for card in DECK if card not in state.stack and card not in cards_shown],
        "shown": {str(seat): list(cards) for seat, cards in state.shown.items()},
        "wins": list(state.wins),
        "history": [{str(seat): points for seat, points in row.items()} for row in state.history],
    }
