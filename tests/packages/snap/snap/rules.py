"""The rules of Snap: (state, event) → (state, verdicts). What breaks them changes nothing."""

from collections.abc import Iterator

from msgspec.structs import replace

from companion.events import Place, Pressed, Started, Tapped
from companion.game import GameMoves, Judged, Misplay, NoOptions, Presses, Ruling, Taps, most_points, with_gains
from companion.game.playing_cards import DECK
from companion.game.shared_rules import won

from .state import Snap, State


def begin(started: Started, options: NoOptions) -> State:
    """Sit down."""
    seats = started.seats
    return State(seats, dict.fromkeys(seats, 0))


def unit(state: State) -> int:
    """Read twice before the next card is turned, a card is one act."""
    return len(state.turned)


def _may_be_turned(state: State) -> Iterator[tuple[Place, str]]:
    """Any card that is left."""
    if not state.over:
        yield from (("centre", card) for card in DECK if card not in state.turned)


def _turned(state: State, event: Tapped) -> Judged[State]:
    card = event.card
    if event.place != "centre":
        return state, (Misplay("turn-in-the-middle", event.seq, {"card": card}),)
    if card in state.turned:
        again = () if card == state.turned[-1] else (Misplay("turned-already", event.seq, {"card": card}),)
        return state, again
    turned = (*state.turned, card)
    new_state = replace(state, turned=turned, pile=(*state.pile, card), snap=None, wrong=())
    ruling = Ruling("turned", event.seq, {"seat": state.active, "card": card})
    return new_state, (ruling, won(most_points(new_state), event.seq)) if new_state.over else (ruling,)


def _may_press(state: State) -> tuple[int, ...]:
    """Anybody, mostly when there is something."""
    return state.seats if state.alike and not state.over else ()


def _pressed(state: State, event: Pressed) -> Judged[State]:
    seat = event.seat
    at = event.microseconds
    if state.snap:
        return _pressed_too(state, state.snap, event)
    if state.alike:
        snap = Snap(seat, at, len(state.pile))
        new_state = replace(state, snap=snap, pile=(), points=with_gains(state.points, {seat: snap.number}))
        return new_state, (Ruling("snapped", event.seq, {"seat": seat, "number": snap.number}),)
    if seat in state.wrong:
        return state, ()
    new_state = replace(state, wrong=(*state.wrong, seat), points=with_gains(state.points, {seat: -1}))
    return new_state, (Ruling("nothing-there", event.seq, {"seat": seat}),)


def _pressed_too(state: State, first: Snap, event: Pressed) -> Judged[State]:
    """The pile is taken: too late, unless this press was the earlier one."""
    seat = event.seat
    behind = event.microseconds - first.at
    if seat == first.seat:
        return state, ()
    facts = {"seat": seat, "other": first.seat, "margin": abs(behind)}
    if behind >= 0:
        return state, (Ruling("too-late", event.seq, facts),)
    back = replace(state, points=with_gains(state.points, {first.seat: -first.number}))
    snap = Snap(seat, event.microseconds, first.number)
    new_state = replace(back, snap=snap, points=with_gains(back.points, {seat: snap.number}))
    return new_state, (Ruling("snapped-earlier", event.seq, {**facts, "number": snap.number}),)


MOVES = GameMoves(
    taps=Taps(_turned, at=("centre",), likely=_may_be_turned),
    presses=Presses(_pressed, likely=_may_press),
)
