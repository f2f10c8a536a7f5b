"""The rules as one step: (state, event) → (state, verdicts). Total: what breaks them changes nothing."""

from collections.abc import Iterator

from msgspec.structs import replace

from companion.events import SEATS, Place, Pressed, Started, Tapped, place_of, seat_at
from companion.game import GameMoves, Judged, Misplay, Presses, Ruling, Taps, most_points, with_gains
from companion.game.shared_rules import won

from .cards import DECK, value
from .state import Options, Phase, State

FEW = 12
"""Cards from which one is chosen: enough for chance."""


def begin(started: Started, options: Options) -> State:
    """Sit down."""
    seats = started.seats
    return State(seats, options, Phase.LAY, dict.fromkeys(seats, 0))


def unit(state: State) -> int:
    """Within a round, a card read twice is one act."""
    return state.round + state.over


def _may_be_laid(state: State) -> Iterator[tuple[Place, str]]:
    """Whoever has not laid lays any card that was not turned up."""
    if state.phase is Phase.LAY:
        lying = {*state.used, *state.laid.values()}
        free = [card for card in DECK if card not in lying]
        for seat in state.missing:
            yield from ((place_of(seat), card) for card in free[seat :: len(SEATS)][:FEW])


def _tapped(state: State, event: Tapped) -> Judged[State]:
    seat = seat_at(event.place)
    card = event.card
    if seat is None:
        return state, (Misplay("wrong-pad", event.seq),)
    if state.laid.get(seat) == card or (seat, card) in state.open:
        return state, ()  # read again where it lies
    if card in state.used:
        return state, (Misplay("card-used", event.seq, {"card": card}),)
    # Whether somebody else has this card face down is sealed, so nothing is said of it here.
    laid = {**state.laid, seat: card}
    phase = Phase.FLIP if len(laid) == len(state.seats) else Phase.LAY
    new_state = replace(state, laid=laid, phase=phase)
    return new_state, () if seat in state.laid else (Ruling("laid", event.seq, {"seat": seat}),)


def _may_press(state: State) -> tuple[int, ...]:
    """Once all have laid, anybody presses."""
    return state.seats if state.phase is Phase.FLIP else ()


def _pressed(state: State, event: Pressed) -> Judged[State]:
    if state.phase is Phase.LAY:
        return state, (Misplay("not-all-laid", event.seq, {"seats": state.missing}),)
    highest = max(state.laid.values(), key=value)
    scored = tuple(seat for seat in state.seats if state.laid[seat] == highest)
    over = state.round == state.options.rounds
    new_state = replace(
        state,
        phase=Phase.OVER if over else Phase.LAY,
        round=state.round if over else state.round + 1,
        points=with_gains(state.points, dict.fromkeys(scored, 1)),
        laid={},
        open=tuple((seat, state.laid[seat]) for seat in state.seats),
        used=tuple(sorted({*state.used, *state.laid.values()})),
    )
    flipped = Ruling("flipped", event.seq, {"seats": scored, "card": highest})
    return new_state, (flipped, won(most_points(new_state), event.seq)) if over else (flipped,)


MOVES = GameMoves(taps=Taps(_tapped, likely=_may_be_laid), presses=Presses(_pressed, likely=_may_press))
