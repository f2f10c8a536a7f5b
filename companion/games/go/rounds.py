"""How a round of ¡Go! ends: scored, perfect or void; and how the next one begins."""

from collections.abc import Mapping

from msgspec.structs import replace

from companion.events import Event, Tapped
from companion.game import Judged, Outcome, Ruling, Verdict, with_gains
from companion.game.shared_rules import won
from companion.games.go import best_division
from companion.games.go.cards import COLOUR
from companion.games.go.state import Call, Phase, Scored, State, Turn, Void


def scored(state: State, call: Call, event: Event, verdicts: tuple[Verdict, ...]) -> Judged[State]:
    """Every hand is in. Whoever has no more penalty than the caller scores; if nobody does, the caller scores."""
    assert call.division is not None
    assert call.row is not None
    caller = call.caller
    callers_division = call.division
    row = COLOUR[call.row]
    divisions = {
        seat: callers_division if seat == caller else best_division.of_other(hand, row, callers_division.series)
        for seat, hand in call.hands.items()
    }
    better = tuple(seat for seat in divisions if seat != caller and divisions[seat].penalty <= callers_division.penalty)
    scoring = better or (caller,)
    entry = Scored(caller, call.row, divisions, {seat: int(seat in scoring) for seat in divisions})
    penalties = sorted(
        ((seat, divisions[seat].penalty) for seat in state.seats), key=lambda seat_and_penalty: seat_and_penalty[1]
    )
    tied = sum(divisions[seat].penalty == callers_division.penalty for seat in better)
    facts = {
        "seats": scoring,
        "caller": caller,
        "penalty": callers_division.penalty,
        "penalties": tuple(penalties),
        "tied": tied,
    }
    verdicts += (Ruling("scored-others" if better else "scored-caller", event.seq, facts, call.rests),)
    points = with_gains(state.points, entry.points)
    winners = tuple(sorted(seat for seat in points if points[seat] >= state.options.target))
    if not winners:
        return _next(state, caller, entry, event, points), verdicts
    return _end(state, entry, points, winners), (*verdicts, won(Outcome(points, winners), event.seq))


def perfect(state: State, call: Call, event: Event, verdicts: tuple[Verdict, ...]) -> Judged[State]:
    """A caller without penalty wins at once, whatever the points; nobody else's hand is read."""
    assert call.division is not None
    assert call.row is not None
    entry = Scored(call.caller, call.row, {call.caller: call.division}, dict.fromkeys(state.seats, 0), perfect=True)
    ruling = Ruling("perfect", event.seq, {"seat": call.caller}, call.rests)
    return _end(state, entry, state.points, (call.caller,)), (*verdicts, ruling)


def row_is_gone(state: State, taker: int, event: Event, verdicts: tuple[Verdict, ...] = ()) -> Judged[State]:
    """The last row card is taken: the round is void at once, its taker plays first in the next one."""
    next_state = _next(state, taker, Void(taker), event, state.points)
    return next_state, (*verdicts, Ruling("void-row", event.seq, {"seat": taker}))


def cannot_be_mended(state: State, event: Event) -> Judged[State]:
    """The host calls a round void; the same player plays first again."""
    next_state = _next(state, state.first, Void(None), event, state.points)
    return next_state, (Ruling("void-host", event.seq, {"seat": state.first}),)


def opening(state: State, first: int) -> Turn | None:
    """Return the turns at the start of a round, or None if the table does not follow them."""
    return Turn(first) if state.options.tracking == "turns" else None


def _next(state: State, first: int, entry: Scored | Void, event: Event, points: Mapping[int, int]) -> State:
    return replace(
        state,
        first=first,
        phase=Phase.PLAYING,
        stretch=state.stretch + 1,
        turn=opening(state, first),
        call=None,
        last=(event.place, event.card) if isinstance(event, Tapped) else None,
        points=points,
        history=(*state.history, entry),
    )


def _end(state: State, entry: Scored, points: Mapping[int, int], winners: tuple[int, ...]) -> State:
    return replace(
        state,
        phase=Phase.OVER,
        stretch=state.stretch + 1,
        call=None,
        points=points,
        winners=winners,
        history=(*state.history, entry),
    )
