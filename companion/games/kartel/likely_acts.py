"""Acts that may well come next in Kartel: demonstrations and random matches choose from them."""

from collections.abc import Iterator
from typing import Literal

from msgspec import UNSET, UnsetType

from companion.events import Place, place_of
from companion.games.kartel.cards import DIE
from companion.games.kartel.state import Phase, State


def taps(state: State) -> Iterator[tuple[Place, str]]:
    """Yield the tokens still to be read into the ring, or those that the player may take."""
    places: tuple[Place, ...] = ("centre",) if state.phase is Phase.RING else ("centre", place_of(state.active))
    for token in state.offered:
        for place in places:
            yield place, token


def rolls(state: State) -> Iterator[tuple[int, int]]:
    """Yield what the die may show, where moves are checked and it is not rolled yet."""
    if state.phase is Phase.PLAY and not state.offered:
        for number in DIE:
            yield state.active, number


def ring_done(state: State) -> Iterator[tuple[Literal["host"], UnsetType]]:
    """Yield the host once every token is read."""
    if state.phase is Phase.RING and not state.offered:
        yield "host", UNSET
