"""What a card says of its seat, such as its colour, counts where it was said last, as long as nothing rests on it.

The judge gives a colour to the first seat that lays a card of it, since a record is judged in its order. Whoever has
laid their first card on a neighbour's pad lays one on their own next, and expects that this is enough. So in the same
unit the live table takes the earlier saying back, if the later one then counts. Which card was laid plays no part, only
what everybody was told of it: what is sealed must not decide.
"""

from itertools import takewhile

import msgspec

from companion.events import Retracted, Tapped
from companion.game import Misplay
from companion.judge.attribution import acts_behind
from companion.judge.match import Match

SAID_AGAIN = "said again"
"""By whom a saying is taken back that a later card contradicts."""


def claimed(match: Match, tap: Tapped, now: float) -> tuple[Retracted, ...]:
    """Return what to enter so that this refused tap counts: nothing, if it does not contradict what was said in this
    unit, or would be refused all the same. `now` is in seconds.

    Only what a reader has sensed claims anything: whoever enters a card on a phone may not have it.
    """
    if tap.by is not msgspec.UNSET or not match.game.claims:
        return ()
    of_tap = takewhile(lambda verdict: verdict.seq >= tap.seq, reversed(match.verdicts))
    refused = next((verdict for verdict in of_tap if verdict.seq == tap.seq), None)
    if not isinstance(refused, Misplay):
        return ()
    in_unit = takewhile(lambda ruling: ruling.seq >= match.unit_began, reversed(match.public))
    contradicted = match.game.claims.get(refused.code)
    for ruling in in_unit:
        if ruling.code == contradicted and refused.facts.items() <= ruling.facts.items():
            retractions = tuple(Retracted(0, now, seq, by=SAID_AGAIN) for seq in acts_behind(match, ruling))
            return retractions if _counts_without(match, tap, retractions) else ()
    return ()


def _counts_without(match: Match, tap: Tapped, retractions: tuple[Retracted, ...]) -> bool:
    left = match.as_of(len(match.events))
    left.add_all(retractions)
    return any(verdict.seq == tap.seq and not isinstance(verdict, Misplay) for verdict in left.verdicts)
