"""The rules as one step: (state, event) → (state, verdicts). Total: what breaks them changes nothing."""

from msgspec.structs import replace

from companion.events import Pressed, Started, Tapped, seat_at
from companion.game import Judged, Misplay, Ruling, most_points
from companion.game.shared_rules import by_act, won

from .cards import value
from .state import Options, Phase, State


def begin(started: Started, options: Options) -> State:
    """Sit down."""
    seats = started.seats
    return State(seats, options, Phase.LAY, dict.fromkeys(seats, 0))


def unit(state: State) -> int:
    """Within a round, a card read twice is one act."""
    return state.round + state.over


def _tapped(state: State, event: Tapped) -> Judged[State]:
    seat, card = seat_at(event.place), event.card
    if seat is None:
        return state, (Misplay("wrong-pad", event.seq),)
    if state.laid.get(seat) == card or (seat, card) in state.open:
        return state, ()  # read again where it lies
    if state.over:
        return state, (Misplay("match-over", event.seq),)
    if card in state.used:
        return state, (Misplay("card-used", event.seq, {"card": card}),)
    # Whether somebody else has this card face down is sealed, so nothing is said of it here.
    laid = {**state.laid, seat: card}
    phase = Phase.FLIP if len(laid) == len(state.seats) else Phase.LAY
    after = replace(state, laid=laid, phase=phase)
    return after, () if seat in state.laid else (Ruling("laid", event.seq, {"seat": seat}),)


def _pressed(state: State, event: Pressed) -> Judged[State]:
    if state.phase is Phase.LAY:
        return state, (Misplay("not-all-laid", event.seq, {"seats": state.missing}),)
    highest = max(state.laid.values(), key=value)
    scored = tuple(seat for seat in state.seats if state.laid[seat] == highest)
    over = state.round == state.options.rounds
    after = replace(
        state,
        phase=Phase.OVER if over else Phase.LAY,
        round=state.round if over else state.round + 1,
        points={seat: points + (seat in scored) for seat, points in state.points.items()},
        laid={},
        open=tuple((seat, state.laid[seat]) for seat in state.seats),
        used=tuple(sorted({*state.used, *state.laid.values()})),
    )
    flipped = Ruling("flipped", event.seq, {"seats": scored, "card": highest})
    return after, (flipped, won(most_points(after), event.seq)) if over else (flipped,)


judge = by_act(_tapped, _pressed)
