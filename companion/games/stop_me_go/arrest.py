"""The arrest, and the round's end: a gangster's cards are turned up, and exactly one STOP captures it.

The judge knows what lies there before anybody turns it up; nothing here happens before the flip.
"""

from msgspec.structs import replace

from companion.events import Pressed
from companion.game import Judged, Ruling
from companion.games.stop_me_go import reward
from companion.games.stop_me_go.awaited import too_early
from companion.games.stop_me_go.cards import GANGSTERS, SLOTS, STOPS
from companion.games.stop_me_go.state import Flip, Phase, Round, State

SAME_FLIP = 500_000
"""Microseconds, before or after a press that turned something up."""
IN_A_ROW = 4
"""The number of flips at a round's end; no press is learned of so late that it could be an echo of an earlier one."""
LONG = 20
"""After this many gangsters fled in one round, the table is told; it is not a rule."""


def pressed(state: State, event: Pressed) -> Judged[State]:
    """Turn up a gangster's cards; everybody who pressed along with the first meant the same."""
    at = event.microseconds
    for before in state.presses:
        if abs(at - before) <= SAME_FLIP:
            return state, ()
    return turn_up(state, event.seq, (*state.presses[1 - IN_A_ROW :], at), to=event.seat)


def turn_up(state: State, seq: int, presses: tuple[int, ...], *, to: int | None = None) -> Judged[State]:
    """Turn up the cards on the oldest gangster, in the arrest and at the round's end, where it goes clockwise too.

    `to` is who hears that it was too early.
    """
    if state.phase is not Phase.ARREST and state.phase is not Phase.ROUND_END:
        return too_early(state, "flip", seq, to)
    now, arrest = state.round, state.phase is Phase.ARREST
    assert len(now.out) == SLOTS or not arrest, "an arrest comes with four gangsters out"
    oldest, rest = now.out[0], now.out[1:]
    gangster, facts = oldest.gangster, {"card": oldest.gangster}
    stops = tuple(seat for seat in state.seats if oldest.laid[seat] in STOPS)
    flip = Flip(gangster, oldest.slot, oldest.laid, stops, arrest)
    flips, captor = (*now.flips, flip), flip.captor
    if captor is None:
        now = replace(now, out=rest, flips=flips, discard=(*now.discard, gangster))
        code = ("fled" if arrest else "discarded") + ("-several" if stops else "-nobody")
        ruling = Ruling(code, seq, {**facts, "seats": stops} if stops else facts)
    else:
        assert captor not in now.owned, "one STOP each: nobody captures two"
        now = replace(now, out=rest, flips=flips, owned={**now.owned, captor: gangster})
        ruling = Ruling("captured" if arrest else "taken", seq, {**facts, "seat": captor})
    check(now)
    after = replace(state, presses=presses, round=now)
    if arrest and captor is None:
        return _fled(after, seq, ruling)
    if rest:
        return replace(after, phase=Phase.ROUND_END), (ruling,)
    return reward.won(after, seq, ruling)


def check(now: Round) -> None:
    """Check that each of the ten gangsters is somewhere, once."""
    assert len(now.pile) + len(now.discard) + len(now.out) + len(now.owned) == len(GANGSTERS), "ten gangsters"


def _fled(state: State, seq: int, ruling: Ruling) -> Judged[State]:
    """Everybody takes their card back, and a new gangster comes; the pile is shuffled again if it must be."""
    now, rulings = state.round, [ruling]
    pile, discard = now.pile, now.discard
    if not pile:
        pile, discard = frozenset(discard), ()
        rulings.append(Ruling("reshuffled", seq))
    now = replace(now, pile=pile, discard=discard, fled=now.fled + 1)
    check(now)
    if now.fled == LONG:
        rulings.append(Ruling("long-round", seq, {"number": LONG}))
    return replace(state, phase=Phase.MISDEED, round=now), tuple(rulings)
