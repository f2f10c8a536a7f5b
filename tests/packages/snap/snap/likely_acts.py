"""What may well come next."""

from companion.events import Event, Pressed, Tapped
from companion.game.playing_cards import DECK

from .state import State


def acts(state: State) -> tuple[Event, ...]:
    """Turn any card that is left; press, mostly when there is something."""
    if state.over:
        return ()
    cards = tuple(Tapped(0, 0.0, "centre", card) for card in DECK if card not in state.turned)
    return (*cards, *(Pressed(0, 0.0, seat) for seat in state.seats)) if state.alike else cards
