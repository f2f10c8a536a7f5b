"""Acts that may well come next in stop it!: demonstrations and random matches choose from them."""

from collections.abc import Iterator
from typing import Literal

from msgspec import UNSET, UnsetType

from companion.events import Place
from companion.games.stop_it import counting
from companion.games.stop_it.cards import DECK, SPECIAL_STOP, STOP
from companion.games.stop_it.state import Phase, State

LIKELY_COUNTS = (0, 1, 2, 2, 3, 3, 4)
"""Likely counts of a colour: 17 cards among two to six players."""
MANY_CALLS = 8
"""After so many calls the piles may well be empty."""


def taps(state: State) -> Iterator[tuple[Place, str]]:
    """Yield the stop cards that whoever shouted may show."""
    if state.phase is Phase.SHOUTED:
        for card in _stops_left(state):
            yield "centre", card


def presses(state: State) -> tuple[int, ...]:
    """Return who may start, shout or start again; while all count, they tell their numbers instead."""
    match state.phase:
        case Phase.READY | Phase.COLLECTING:
            return state.seats
        case Phase.SHOUTED:
            return tuple(seat for seat in state.seats if all(seat != shout.seat for shout in state.shouts))
        case Phase.SCORED:
            assert state.caller is not None
            return (state.caller,)
    return ()


def no_stop(state: State) -> Iterator[tuple[int, UnsetType]]:
    """Yield whoever shouted first."""
    if state.phase is Phase.SHOUTED:
        yield state.contenders[0], UNSET


def counts(state: State) -> Iterator[tuple[int, int]]:
    """Yield likely counts of those who have not told theirs."""
    if state.phase is not Phase.COUNTING:
        return
    special = state.stop is not None and DECK[state.stop].kind == SPECIAL_STOP
    likely = tuple(range(7, 20)) if special else LIKELY_COUNTS
    left = counting.most(state) - sum(state.counts.values())
    possible = [count for count in likely if count <= left] or [0]
    for seat in state.seats:
        if seat not in state.counts:
            for count in possible:
                yield seat, count


def piles_empty(state: State) -> Iterator[tuple[Literal["host"], UnsetType]]:
    """Yield the host, late in a match."""
    if state.phase is Phase.COLLECTING and state.last_calls_since is None and len(state.history) >= MANY_CALLS:
        yield "host", UNSET


def _stops_left(state: State) -> tuple[str, ...]:
    """Return the stop cards that may still be called."""
    kinds = (STOP, SPECIAL_STOP)
    colours = (None, *state.options.colours)
    stops = (card for card in DECK.values() if card.kind in kinds and card.colour in colours)
    return tuple(card.id for card in stops if card.id not in state.used)
