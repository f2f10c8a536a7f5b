"""What the table waits for, as facts for a sentence; and what to say of an act that comes before its time."""

from typing import Any

from companion.game import Misplay
from companion.games.stop_me_go.state import Judged, Phase, State

READY, MISDEED, INTERVENTION, ARREST, ROUND_END, REWARD, VALUES, OVER = Phase

_FIRST = {
    READY: "gangster",
    MISDEED: "gangster",
    INTERVENTION: "lays",
    ARREST: "flip",
    ROUND_END: "flip",
    REWARD: "token",
    VALUES: "values",
    OVER: "gangster",  # never told: the match itself says that it is over
}


def facts(state: State) -> dict[str, Any]:
    """Name the gangster that is dealt with, and the seats that are waited for."""
    phase, out = state.phase, state.round.out
    if phase is INTERVENTION:
        return {"card": out[-1].gangster, "seats": state.waiting}
    if phase is ARREST or phase is ROUND_END:
        return {"card": out[0].gangster}
    if phase is REWARD:
        assert state.round.won is not None
        return {"seats": (state.round.won.seat,)}
    return {}


def too_early(state: State, act: str, seq: int, to: int | None = None) -> Judged:
    """Say of a "card", "gangster", "flip" or "token" what comes before it."""
    return state, (Misplay(f"{act}-before-{_FIRST[state.phase]}", seq, facts(state), to),)
