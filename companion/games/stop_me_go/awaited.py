"""What the table waits for, as facts for a sentence; and what to say of an act that comes too early."""

from typing import Any

from companion.game import NOBODY, Judged, Misplay, Now
from companion.games.stop_me_go.state import Phase, State

_FIRST = {
    Phase.READY: "gangster",
    Phase.MISDEED: "gangster",
    Phase.INTERVENTION: "lays",
    Phase.ARREST: "flip",
    Phase.ROUND_END: "flip",
    Phase.REWARD: "token",
    Phase.VALUES: "values",
    Phase.OVER: "gangster",  # never told: the match itself says that it is over
}


def now(state: State) -> Now:
    """What the table waits for: the gangster concerned, and the seats."""
    code = f"now-{state.phase.value}"
    out = state.round.out
    won = state.round.won
    match state.phase:
        case Phase.INTERVENTION:
            may_change = tuple(state.laying) if state.options.allow_change else ()
            return Now(code, state.waiting, may_change, facts={"card": out[-1].gangster})
        case Phase.ARREST | Phase.ROUND_END:
            return Now(code, facts={"card": out[0].gangster})
        case Phase.MISDEED if state.round.fled and not state.round.discard:
            return Now("now-shuffle")
        case Phase.REWARD if won is not None:
            return Now(code, (won.seat,))
    return Now(code)


def facts(state: State) -> dict[str, Any]:
    """Put the same facts into a sentence of another code."""
    waited = now(state)
    return {**waited.facts, "seats": waited.seats} if waited.seats else dict(waited.facts)


def too_early(state: State, act: str, seq: int, to: int | None = None) -> Judged[State]:
    """Return the misplay that says what comes before this "card", "gangster", "flip" or "token"."""
    return state, (_too_early_misplay(state, act, seq, to),)


def too_early_unheard(state: State, act: str, seq: int) -> Judged[State]:
    """Return the same, told to nobody: that this "card" or "token" is not the one already there would reveal which one
    is."""
    return state, (_too_early_misplay(state, act, seq, NOBODY),)


def _too_early_misplay(state: State, act: str, seq: int, to: int | None) -> Misplay:
    return Misplay(f"{act}-before-{_FIRST[state.phase]}", seq, facts(state), to)
