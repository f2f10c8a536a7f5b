"""The rules of ¡Go! (Leo Colovini) as one step: (state, event) → (state, verdicts).

PLAYING ─call→ CALLED ─series told, every hand read→ scored → PLAYING … until somebody has four points, or a caller has
no penalty at all. A round that runs out of row cards, or that the host calls void, counts for nothing.
"""

from typing import Any

import msgspec

from companion.act_cards import PILE_EMPTY, ROW_EMPTY, VOID
from companion.events import Pressed, Said, Seat, Started, Tapped, seat_at
from companion.game import GameMoves, HowSaid, Judged, Misplay, Outcome, Presses, Taps, Word
from companion.games.go import calling, likely_acts, rounds, turns
from companion.games.go.cards import DECK
from companion.games.go.state import Options, Phase, State


def begin(started: Started, options: Options) -> State:
    """Sit down: the first player begins, nobody has a point."""
    seats = started.seats
    state = State(seats, options, seats[0], points=dict.fromkeys(seats, 0))
    return msgspec.structs.replace(state, turn=rounds.opening(state, state.first))


def outcome(state: State) -> Outcome:
    """The most points win, ties share the win; but a perfect call wins whatever the points."""
    return Outcome(state.points, state.winners)


def unit(state: State) -> int:
    """A card read twice within one round before the call, or within one call, is one act."""
    return state.stretch


def _shut(state: State) -> dict[int, str]:
    """Before a call a card counts only at the active player's seat, until they have taken one; then until a hand is
    complete.
    """
    if state.phase is Phase.OVER:
        return {}
    if state.call:
        return calling.shut(state.call)
    if state.turn:
        return turns.shut(state, state.turn)
    return dict.fromkeys(state.seats, "nobody-called")


def _whose(state: State, tap: Tapped) -> tuple[int, ...]:
    """Anybody may tap the row card and the first discard; a discard is the active player's, a card on the shared reader
    belongs to whoever's hand is being read.
    """
    call = state.call
    turn = state.turn
    if tap.place == "row" or (call and call.row is None and tap.place == "centre"):
        return state.seats
    if call:
        return (call.reading,) if call.reading is not None else ()
    if turn and tap.place == "discard":
        return (turn.active,) if turn.took else state.seats
    return ()


def _tapped(state: State, event: Tapped) -> Judged[State]:
    if state.call:
        return calling.tapped(state, state.call, event)
    if (event.place, event.card) == state.last:
        return state, ()
    if state.turn:
        return turns.tapped(state, state.turn, event)
    return state, (Misplay("nobody-called", event.seq, to=seat_at(event.place)),)


def _pressed(state: State, event: Pressed) -> Judged[State]:
    if state.call:
        return calling.pressed(state, state.call, event)
    if state.turn:
        return turns.pressed(state, state.turn, event)
    return calling.begin(state, event.seat, event, None)


def _series(state: State, event: Said) -> Judged[State]:
    if state.call is None:
        return state, (Misplay("not-now-series", event.seq),)
    return calling.series_told(state, state.call, event)


def _void(state: State, event: Said) -> Judged[State]:
    """Only the host can declare a round void."""
    if event.seat != "host":
        return state, (Misplay("only-host-voids", event.seq),)
    return rounds.cannot_be_mended(state, event)


def _last_row(state: State, event: Said) -> Judged[State]:
    if event.seat == "host":
        return state, (Misplay("only-taker-says", event.seq),)
    if state.call:
        return state, (Misplay("not-now-last-row", event.seq),)
    if state.turn:
        return turns.last_row(state, state.turn, event, event.seat)
    return rounds.row_is_gone(state, event.seat, event)


def _last_pile(state: State, event: Said) -> Judged[State]:
    """Whoever takes the last card of the pile must call; where turns are not followed, saying so is the call."""
    if event.seat == "host":
        return state, (Misplay("only-taker-says", event.seq),)
    if state.call:
        is_callers = event.seat == state.call.caller
        return state, () if is_callers else (Misplay("not-now-last-pile", event.seq),)
    if state.turn:
        return turns.last_pile(state, state.turn, event, event.seat)
    return calling.begin(state, event.seat, event, None, "called-last-pile")


def _void_on_card(state: State, card: str, seat: Seat | None) -> Said | None:
    """The round is void for all, wherever it is laid."""
    return Said(0, 0.0, "host", "void") if card == VOID else None


def _last_row_on_card(state: State, card: str, seat: Seat | None) -> Said | None:
    """Whoever takes the last card of the row lays it at their seat."""
    return Said(0, 0.0, seat, "last-row") if card == ROW_EMPTY and seat is not None else None


def _last_pile_on_card(state: State, card: str, seat: Seat | None) -> Said | None:
    """Whoever takes the last card of the pile lays it at their seat."""
    return Said(0, 0.0, seat, "last-pile") if card == PILE_EMPTY and seat is not None else None


def _may_be_series(value: Any) -> bool:
    return value == "best" or (isinstance(value, list) and set(value) <= {*DECK})


MOVES = GameMoves(
    taps=Taps(_tapped, at=("seat", "centre", "discard", "row"), likely=likely_acts.taps, whose=_whose, shut=_shut),
    presses=Presses(_pressed, likely=likely_acts.presses),
    words={
        "series": Word(
            _series,
            (HowSaid.PRESS, HowSaid.PHONE),
            likely=likely_acts.series,
            bears=_may_be_series,
            in_press=calling.series_by_press,
        ),
        "last-row": Word(_last_row, (HowSaid.CARD,), likely=likely_acts.last_row, on_card=_last_row_on_card),
        "last-pile": Word(_last_pile, (HowSaid.CARD,), likely=likely_acts.last_pile, on_card=_last_pile_on_card),
        "void": Word(_void, (HowSaid.CARD,), likely=likely_acts.void, on_card=_void_on_card, for_all=True),
    },
)
