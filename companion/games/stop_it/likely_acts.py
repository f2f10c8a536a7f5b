"""Acts that may well come next in stop it!: demonstrations and random matches choose from them."""

from companion.events import Elapsed, Event, Pressed, Said, Tapped
from companion.games.stop_it import counting
from companion.games.stop_it.cards import DECK, SPECIAL_STOP, STOP
from companion.games.stop_it.state import Phase, State

LIKELY_COUNTS = (0, 1, 2, 2, 3, 3, 4)
"""Likely counts of a colour: 17 cards among two to six players."""


def acts(state: State) -> tuple[Event, ...]:
    """Return the acts that move the match on, as events with `seq` 0 and `at` 0."""
    match state.phase:
        case Phase.READY:
            return tuple(Pressed(0, 0.0, seat) for seat in state.seats)
        case Phase.COLLECTING:
            shouts: tuple[Event, ...] = tuple(Pressed(0, 0.0, seat) for seat in state.seats)
            if state.last_calls_since is not None:
                return (*shouts, Elapsed(0, 0.0, "last-calls"))
            if len(state.history) >= 8:
                return (*shouts, Said(0, 0.0, "host", "piles-empty"))
            return shouts
        case Phase.SHOUTED:
            shown = tuple(Tapped(0, 0.0, "centre", card) for card in stops_left(state))
            silent = [seat for seat in state.seats if all(seat != shout.seat for shout in state.shouts)]
            late = tuple(Pressed(0, 0.0, seat) for seat in silent)
            return (*shown, *late, Said(0, 0.0, state.contenders[0], "no-stop"))
        case Phase.COUNTING:
            return _counts(state)
        case Phase.SCORED:
            assert state.caller is not None
            return (Pressed(0, 0.0, state.caller),)
    return ()


def stops_left(state: State) -> tuple[str, ...]:
    """Return the stop cards that may still be called."""
    kinds = (STOP, SPECIAL_STOP)
    colours = (None, *state.options.colours)
    stops = (card for card in DECK.values() if card.kind in kinds and card.colour in colours)
    return tuple(card.id for card in stops if card.id not in state.used)


def _counts(state: State) -> tuple[Event, ...]:
    waiting = [seat for seat in state.seats if seat not in state.counts]
    special = state.stop is not None and DECK[state.stop].kind == SPECIAL_STOP
    likely = tuple(range(7, 20)) if special else LIKELY_COUNTS
    left = counting.most(state) - sum(state.counts.values())
    ways = [count for count in likely if count <= left] or [0]
    return tuple(Said(0, 0.0, seat, "count", count) for seat in waiting for count in ways)
