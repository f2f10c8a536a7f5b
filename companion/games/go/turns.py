"""The turns before a call, where the table follows them: take one card, throw one away, call or not.

Everybody sees what is taken from the discard pile or the row; a card of the pile is sealed, like every ruling on a
hand.
"""

from typing import Any

from msgspec.structs import replace

from companion.events import Pressed, Said, Tapped, seat_at
from companion.game import Judged, Misplay, Ruling
from companion.game.turn_order import next_seat
from companion.games.go import calling, rounds
from companion.games.go.cards import BIT
from companion.games.go.seen import elsewhere
from companion.games.go.state import State, TakenFrom, Turn, Void

PILE, DISCARD, ROW = TakenFrom


def tapped(state: State, turn: Turn, event: Tapped) -> Judged[State]:
    """A card is taken, thrown away, or newly open on the row."""
    seat = seat_at(event.place)
    if seat is not None:
        return _take_card(state, turn, event, seat)
    if event.place == "discard":
        return _discarded(state, turn, event)
    if event.place == "row":
        return _opened(state, turn, event)
    return state, (Misplay("wrong-pad-for-turns", event.seq),)


def shut(state: State, turn: Turn) -> dict[int, str]:
    """Return the seats that can't take a card now."""
    waiting = {seat: "not-your-turn" for seat in state.seats if seat != turn.active}
    return {**waiting, turn.active: "taken-already"} if turn.took else waiting


def pressed(state: State, turn: Turn, event: Pressed) -> Judged[State]:
    """Whoever has thrown a card away may call, until the next player takes."""
    if event.seat == turn.ready:
        return calling.begin(state, event.seat, event, turn)
    if event.seat != turn.active:
        return state, (Misplay("not-your-call", event.seq, {"seat": turn.active}),)
    code = "discard-before-call" if turn.took else "take-before-call"
    return state, (Misplay(code, event.seq, {"seat": event.seat}),)


def last_row(state: State, turn: Turn, event: Said, seat: int) -> Judged[State]:
    """The taker says that it was the last row card; a judge that counted knows already."""
    last_round = state.history[-1] if state.history and turn == rounds.opening(state, seat) else None
    if isinstance(last_round, Void) and last_round.taker == seat:
        return state, ()
    # While a row card lies open, the last one is not taken; one that nobody tapped there looks like one of the pile.
    took = turn.took in (ROW, PILE) if seat == turn.active else seat == turn.ready
    if took and turn.row is None:
        return rounds.row_is_gone(state, seat, event)
    return state, (Misplay("not-now-last-row", event.seq),)


def last_pile(state: State, turn: Turn, event: Said, seat: int) -> Judged[State]:
    """The taker of the last card of the pile must call: their discard is the call, or has been."""
    if seat == turn.ready:
        return calling.begin(state, seat, event, turn, "called-last-pile")
    if seat != turn.active or turn.took is not PILE:
        return state, (Misplay("not-now-last-pile", event.seq),)
    if turn.must_call:
        return state, ()
    return _with_turn(state, replace(turn, must_call=True)), (Ruling("must-call", event.seq, {"seat": seat}),)


def _take_card(state: State, turn: Turn, event: Tapped, seat: int) -> Judged[State]:
    """The card at the active seat is the open row card, the top of the discard pile, or else one of the pile."""
    card = event.card
    bit = BIT[event.card]
    if turn.held.get(seat, 0) & bit:
        return state, ()
    if seat != turn.active:
        return state, (Misplay("not-your-turn", event.seq, {"seat": turn.active}, to=seat),)
    if turn.took:
        return state, (Misplay("taken-already", event.seq, to=seat),)
    facts = {"seat": seat, "card": card}
    if card == turn.row:
        next_turn = _takes(turn, ROW, card, row=None, row_taken=turn.row_taken + 1, shown=turn.shown | bit)
        ruling = Ruling("took-row", event.seq, facts)
        if next_turn.row_taken == state.row_size:
            return rounds.row_is_gone(state, seat, event, (ruling,))
        return _with_turn(state, next_turn), (ruling,)
    if turn.discards and card == turn.discards[-1]:
        left_on_pile = turn.discards[:-1]
        next_turn = _takes(
            turn, DISCARD, card, discards=left_on_pile, discarded=turn.discarded & ~bit, shown=turn.shown | bit
        )
        return _with_turn(state, next_turn), (Ruling("took-discard", event.seq, facts),)
    if turn.discarded & bit:
        return state, (Misplay("not-the-top", event.seq, {"card": card}, to=seat),)
    lies = elsewhere(turn, event, seat, to=seat)
    if lies:
        return state, (lies,)
    return _with_turn(state, _takes(turn, PILE, card)), (Ruling("took-pile", event.seq, {"seat": seat}),)


def _takes(turn: Turn, source: TakenFrom, card: str, **changes: Any) -> Turn:
    """A drawn card is sealed: it must not show in the view of whoever was thought to hold it."""
    held = dict(turn.held) if source is PILE else _without(turn, BIT[card])
    held[turn.active] = held.get(turn.active, 0) | BIT[card]
    return replace(turn, took=source, card=card, ready=None, held=held, **changes)


def _without(turn: Turn, bit: int) -> dict[int, int]:
    """Nobody holds a card that was just seen: a draw that was misread must not hinder the play."""
    return {seat: held & ~bit for seat, held in turn.held.items()}


def _discarded(state: State, turn: Turn, event: Tapped) -> Judged[State]:
    """The active player's card goes on the discard pile; before the first turn, the card turned up from the pile."""
    card = event.card
    bit = BIT[event.card]
    if turn.discarded & bit:
        return state, ()
    begins = not turn.took and not turn.discards and turn.ready is None
    if not turn.took and not begins:
        return state, (Misplay("take-first", event.seq, {"seat": turn.active}),)
    if card == turn.row:
        return state, (Misplay("lies-on-the-row", event.seq, {"card": card}),)
    lies = elsewhere(turn, event, turn.active, to=None)
    if lies:
        return state, (lies,)
    next_turn = replace(
        turn,
        discards=(*turn.discards, card),
        discarded=turn.discarded | bit,
        held=_without(turn, bit),
        shown=turn.shown & ~bit,
    )
    if begins:
        return _with_turn(state, next_turn), (Ruling("discard-open", event.seq, {"card": card}),)
    ruling = Ruling("discarded", event.seq, {"seat": turn.active, "card": card})
    next_turn = replace(
        next_turn, active=next_seat(state.seats, turn.active), took=None, card=None, must_call=False, ready=turn.active
    )
    if turn.must_call:
        called, verdicts = calling.begin(state, turn.active, event, next_turn, "called-last-pile")
        return called, (ruling, *verdicts)
    return _with_turn(state, next_turn), (ruling,)


def _opened(state: State, turn: Turn, event: Tapped) -> Judged[State]:
    """The row card on which no other lies."""
    card = event.card
    if card == turn.row:
        return state, ()
    if turn.row is not None:
        return state, (Misplay("row-known", event.seq, {"card": turn.row}),)
    lies = elsewhere(turn, event, None, to=None)
    if lies:
        return state, (lies,)
    next_turn = replace(turn, row=card, held=_without(turn, BIT[card]))
    return _with_turn(state, next_turn), (Ruling("row-open", event.seq, {"card": card}),)


def _with_turn(state: State, turn: Turn) -> State:
    return replace(state, turn=turn, last=None)
