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
    for earlier_press in state.presses:
        if abs(at - earlier_press) <= SAME_FLIP:
            return state, ()
    return turn_up(state, event.seq, (*state.presses[1 - IN_A_ROW :], at), to=event.seat)


def turn_up(state: State, seq: int, presses: tuple[int, ...], *, to: int | None = None) -> Judged[State]:
    """Turn up the cards on the oldest gangster, in the arrest and at the round's end, where it goes clockwise too.

    `to` is who hears that it was too early.
    """
    if state.phase is not Phase.ARREST and state.phase is not Phase.ROUND_END:
        return too_early(state, "flip", seq, to)
    playing = state.round
    arrest = state.phase is Phase.ARREST
    assert len(playing.out) == SLOTS or not arrest, "an arrest comes with four gangsters out"
    oldest = playing.out[0]
    still_out = playing.out[1:]
    gangster = oldest.gangster
    facts = {"card": oldest.gangster}
    stops = tuple(seat for seat in state.seats if oldest.laid[seat] in STOPS)
    flip = Flip(gangster, oldest.slot, oldest.laid, stops, arrest)
    flips = (*playing.flips, flip)
    captor = flip.captor
    if captor is None:
        playing = replace(playing, out=still_out, flips=flips, discard=(*playing.discard, gangster))
        code = ("fled" if arrest else "discarded") + ("-several" if stops else "-nobody")
        ruling = Ruling(code, seq, {**facts, "seats": stops} if stops else facts)
    else:
        assert captor not in playing.owned, "one STOP each: nobody captures two"
        playing = replace(playing, out=still_out, flips=flips, owned={**playing.owned, captor: gangster})
        ruling = Ruling("captured" if arrest else "taken", seq, {**facts, "seat": captor})
    check(playing)
    next_state = replace(state, presses=presses, round=playing)
    if arrest and captor is None:
        return _fled(next_state, seq, ruling)
    if still_out:
        return replace(next_state, phase=Phase.ROUND_END), (ruling,)
    return reward.won(next_state, seq, ruling)


def check(playing: Round) -> None:
    """Check that each of the ten gangsters is somewhere, once."""
    assert len(playing.pile) + len(playing.discard) + len(playing.out) + len(playing.owned) == len(GANGSTERS), (
        "ten gangsters"
    )


def _fled(state: State, seq: int, ruling: Ruling) -> Judged[State]:
    """Everybody takes their card back, and a new gangster comes; the pile is shuffled again if it must be."""
    playing = state.round
    rulings = [ruling]
    pile = playing.pile
    discard = playing.discard
    if not pile:
        pile = frozenset(discard)
        discard = ()
        rulings.append(Ruling("reshuffled", seq))
    playing = replace(playing, pile=pile, discard=discard, fled=playing.fled + 1)
    check(playing)
    if playing.fled == LONG:
        rulings.append(Ruling("long-round", seq, {"number": LONG}))
    return replace(state, phase=Phase.MISDEED, round=playing), tuple(rulings)
