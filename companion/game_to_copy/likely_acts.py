"""Acts that may well come next: demonstrations and random matches choose from them."""

from companion.events import SEATS, Event, Pressed, Tapped, place_of

from .cards import DECK
from .state import Phase, State

FEW = 12
"""Cards from which one is chosen: enough for chance."""


def acts(state: State) -> tuple[Event, ...]:
    """Return the acts that move the match on, as events with `seq` 0 and `at` 0."""
    match state.phase:
        case Phase.LAY:
            lying = {*state.used, *state.laid.values()}
            free = [card for card in DECK if card not in lying]
            return tuple(
                Tapped(0, 0.0, place_of(seat), card)
                for seat in state.missing
                for card in free[seat :: len(SEATS)][:FEW]
            )
        case Phase.FLIP:
            return tuple(Pressed(0, 0.0, seat) for seat in state.seats)
    return ()
