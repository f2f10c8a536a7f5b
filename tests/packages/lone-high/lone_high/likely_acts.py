"""What may well come next."""

from companion.events import Event, Pressed, Tapped, place_of
from companion.game.playing_cards import DECK

from .state import Phase, State


def acts(state: State) -> tuple[Event, ...]:
    """Lay any card that was not turned up yet; press."""
    match state.phase:
        case Phase.LAY:
            free = [card for card in DECK if card not in state.used]
            return tuple(Tapped(0, 0.0, place_of(seat), card) for seat in state.missing for card in free[seat::3])
        case Phase.FLIP:
            return tuple(Pressed(0, 0.0, seat) for seat in state.seats)
    return ()
