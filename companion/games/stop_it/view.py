"""What an observer may know of stop it!, built up from nothing.

Sealed: every count, told or tapped, until all are in; so this shows nobody a number or tap of a count under way.
"""

from typing import Any

import msgspec

from companion.game import Now, Observer
from companion.games.stop_it import counting
from companion.games.stop_it.cards import DECK
from companion.games.stop_it.state import Phase, State, Stop


def view(state: State, observer: Observer) -> dict[str, Any]:
    """Everybody sees the same; a seat's own messages come from its verdicts."""
    left = state.options.negatives - sum(state.points.values())
    return {
        "phase": state.phase.value,
        "negatives_left": max(0, left),
        "negatives_owed": max(0, -left),
        "last_calls": state.last_calls_since is not None,
        "caller": state.caller,
        "stop": state.stop,
        "colour": DECK[state.stop].colour if state.stop else None,
        "shouts": _shouts(state),
        "counted": [seat for seat in state.seats if seat in state.counts],
        "faults": sorted([seat, fault] for seat, fault in state.faults),
        "used": sorted(state.used),
        "colours": list(state.options.colours),
        "tie_window": state.options.tie_window,
        "head_starts": [[seat, span] for seat, span in sorted(state.head_starts.items())],
        "false_call": state.options.false_call,
        "round": len(state.history) + (state.phase not in (Phase.SCORED, Phase.OVER) or state.stop is None),
        "rounds": [_stop(stop) for stop in state.history],
    }


def now(state: State) -> Now:
    """What the table waits for. While all collect, nobody is told who took which card."""
    match state.phase:
        case Phase.READY:
            return Now("now-ready")
        case Phase.COLLECTING if state.last_calls_since is not None:
            return Now("now-last-calls", unseen=state.seats)
        case Phase.COLLECTING:
            return Now("now-collecting", unseen=state.seats)
        case Phase.SHOUTED if len(state.contenders) > 1:
            return Now("now-dead-heat", state.contenders)
        case Phase.SHOUTED:
            return Now("now-shouted", state.contenders, first=state.contenders[0])
        case Phase.COUNTING:
            waiting = tuple(seat for seat in state.seats if seat not in state.counts)
            assert state.stop is not None
            colour = DECK[state.stop].colour
            code = "now-counting" if colour else "now-counting-all"
            return Now(code, waiting, facts={"colour": colour}, counting=True)
        case Phase.SCORED:
            assert state.caller is not None
            return Now("now-restart", (state.caller,))
    return Now("now-over")


def _shouts(state: State) -> list[dict[str, int | None]]:
    """The presses of the call in order of time: how far behind the first, and by how much that may be off, in
    microseconds.

    Nobody knows how late a press by phone came: its `doubt` is None.
    """
    doubts = {shout.seat: None if shout.by_hand else state.window for shout in state.shouts}
    return [{"seat": seat, "behind": behind, "doubt": doubts[seat]} for seat, behind in counting.behind(state)]


def _stop(stop: Stop) -> dict[str, Any]:
    return {
        "caller": stop.caller,
        "card": stop.card,
        "lead": msgspec.to_builtins(stop.lead),
        "sure": stop.sure,
        "reactions": {str(seat): reaction for seat, reaction in sorted(stop.reactions.items())},
        "counts": {str(seat): count for seat, count in stop.counts.items()},
        "faults": sorted([seat, fault] for seat, fault in stop.faults),
        "points": {str(seat): points for seat, points in stop.points.items()},
    }
