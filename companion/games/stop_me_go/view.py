"""What an observer may know of STOP me GO, built up from nothing.

Sealed: which card a seat laid, until that gangster's cards are turned up; what a hand holds; a token's value, until the
match ends with all tokens won. Not even a seat's own view shows its own card: remembering is the game. A GO is named
like the other three of its colour, because nobody can tell them apart.
"""

from typing import Any

from companion.game import Observer
from companion.games.stop_me_go.cards import COLOURS, GO, HAND, SLOTS, STOP
from companion.games.stop_me_go.state import Flip, Phase, Round, State


def view(state: State, observer: Observer) -> dict[str, Any]:
    """Everybody sees the same; a seat's own messages come from its verdicts."""
    playing = state.round
    seats = state.seats
    colours = {seat: colour for colour, seat in state.holders.items()}
    return {
        "phase": state.phase.value,
        "round": len(state.history) + (state.phase not in (Phase.VALUES, Phase.OVER)),
        "slots": [_slot(state, slot) for slot in range(SLOTS)],
        "laid": [seat for seat in seats if seat in state.laying],
        "hands": {str(seat): _hand(state, seat) for seat in seats},
        "owned": {str(seat): playing.owned.get(seat) for seat in seats},
        "fled": playing.fled,
        "pile": _in_order(playing.pile),
        "discard": list(playing.discard),
        "flips": [_flip(flip, seats) for flip in playing.flips],
        "won": _won(playing),
        "tokens": {str(seat): len(state.tokens[seat]) for seat in seats},
        "tokens_left": state.tokens_left,
        "target": state.options.target,
        "values": state.values and {str(seat): list(state.values[seat]) for seat in seats},
        "colours": {str(seat): colours.get(seat) for seat in seats},
        "free_colours": [colour for colour in COLOURS if colour not in state.holders],
        "allow_change": state.options.allow_change,
        "reshuffle": state.options.reshuffle,
        "rounds": [_round(played, seats) for played in state.history],
    }


def _slot(state: State, slot: int) -> dict[str, Any] | None:
    """A place around the pile: the gangster there, or, from a capture to the next round, what was turned up there."""
    playing = state.round
    for lying in playing.out:
        if lying.slot == slot:
            return {
                "gangster": lying.gangster,
                "laid": [seat for seat in state.seats if seat in (lying.laid or state.laying)],
                "oldest": lying is playing.out[0],
                "newest": lying is playing.out[-1],
                "flip": None,
            }
    for flip in reversed(playing.flips if playing.owned else ()):
        if flip.slot == slot:
            return {
                "gangster": flip.gangster,
                "laid": list(state.seats),
                "oldest": False,
                "newest": False,
                "flip": _flip(flip, state.seats),
            }
    return None


def _hand(state: State, seat: int) -> int:
    """Count the cards in a hand; after a capture nobody takes any back before the round is over."""
    if state.phase in (Phase.ROUND_END, Phase.REWARD):
        return HAND - SLOTS
    return HAND - sum(seat in laid for laid in (state.laying, *(out.laid for out in state.round.out)))


def _flip(flip: Flip, seats: tuple[int, ...]) -> dict[str, Any]:
    return {
        "gangster": flip.gangster,
        "arrest": flip.arrest,
        "cards": {str(seat): STOP if seat in flip.stops else GO for seat in seats},
        "stops": list(flip.stops),
        "captor": flip.captor,
    }


def _won(played: Round) -> dict[str, Any] | None:
    if played.won is None:
        return None
    return {"seat": played.won.seat, "gangster": played.won.gangster, "over": played.won.over}


def _round(played: Round, seats: tuple[int, ...]) -> dict[str, Any]:
    return {
        "flips": [_flip(flip, seats) for flip in played.flips],
        "owned": {str(seat): played.owned.get(seat) for seat in seats},
        "won": _won(played),
    }


def _in_order(gangsters: frozenset[str]) -> list[str]:
    return sorted(gangsters, key=lambda gangster: int(gangster.partition("-")[2]))
