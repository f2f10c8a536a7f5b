"""Where a card lies as far as everybody saw it: on the discard pile, or taken from there or from the row.

What somebody drew from the pile is sealed, so no judgement rests on it.
"""

from companion.events import Tapped
from companion.game import Misplay
from companion.games.go.cards import BIT
from companion.games.go.state import Turn


def elsewhere(turn: Turn, event: Tapped, holder: int | None, to: int | None) -> Misplay | None:
    """Return the misplay that this card is with `holder` (None: in nobody's hand); told to the seat `to`, or to all."""
    bit = BIT[event.card]
    if turn.discarded & bit:
        return Misplay("on-the-discard", event.seq, {"card": event.card}, to=to)
    if turn.shown & bit:
        taker = next(seat for seat, held in turn.held.items() if held & bit)
        if taker != holder:
            return Misplay("taken-by-other", event.seq, {"card": event.card, "other": taker}, to=to)
    return None
