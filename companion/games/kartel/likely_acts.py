"""Acts that may well come next in Kartel: demonstrations and random matches choose from them."""

from companion.events import Event, Place, Said, Tapped, place_of
from companion.games.kartel.cards import DIE
from companion.games.kartel.state import Phase, State


def acts(state: State) -> tuple[Event, ...]:
    """Return the acts that move the match on, as events with `seq` 0 and `at` 0."""
    offered = state.offered
    match state.phase:
        case Phase.RING if not offered:
            return (Said(0, 0.0, "host", "ring-done"),)
        case Phase.RING:
            return tuple(Tapped(0, 0.0, "centre", token) for token in offered)
        case Phase.PLAY if not offered:
            return tuple(Said(0, 0.0, state.active, "roll", value) for value in DIE)
    places: tuple[Place, ...] = ("centre", place_of(state.active))
    return tuple(Tapped(0, 0.0, place, token) for token in offered for place in places)
