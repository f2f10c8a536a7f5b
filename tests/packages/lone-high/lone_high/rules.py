"""The rules of Lone High: (state, event) → (state, verdicts). What breaks them changes nothing."""

from collections import Counter
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from companion.events import Place, Pressed, Started, Tapped, place_of, seat_at
from companion.game import GameMoves, Judged, Misplay, Presses, Ruling, Taps, most_points
from companion.game.playing_cards import DECK
from companion.game.shared_rules import won

from .state import Options, Phase, State


def begin(started: Started, options: Options) -> State:
    """Sit down."""
    seats = started.seats
    return State(seats, options, Phase.LAY, dict.fromkeys(seats, 0))


def unit(state: State) -> int:
    """Within a trick a card that is read twice is no second act."""
    return state.trick + state.over


def taker(laid: Mapping[int, str]) -> int | None:
    """Return who laid the highest value that nobody else laid; None: all cancel out."""
    values = {seat: DECK[card].value or 0 for seat, card in laid.items()}
    often = Counter(values.values())
    alone = [seat for seat in values if often[values[seat]] == 1]
    return max(alone, key=values.__getitem__, default=None)


def _may_be_laid(state: State) -> Iterator[tuple[Place, str]]:
    """Whoever has not laid lays any card that was not turned up yet."""
    if state.phase is Phase.LAY:
        free = [card for card in DECK if card not in state.used]
        for seat in state.missing:
            yield from ((place_of(seat), card) for card in free[seat::3])


def _tapped(state: State, event: Tapped) -> Judged[State]:
    seat = seat_at(event.place)
    card = event.card
    if seat is None:
        return state, (Misplay("wrong-pad", event.seq),)
    if state.laid.get(seat) == card or (seat, card) in state.open:
        return state, ()  # read again where it lies
    if card in state.used:
        return state, (Misplay("card-used", event.seq, {"card": card}),)
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
    takes = taker(state.laid)
    over = state.trick == state.options.tricks
    new_state = replace(
        state,
        phase=Phase.OVER if over else Phase.LAY,
        trick=state.trick if over else state.trick + 1,
        points={seat: points + (seat == takes) for seat, points in state.points.items()},
        laid={},
        open=tuple((seat, state.laid[seat]) for seat in state.seats),
        taker=takes,
        used=tuple(sorted({*state.used, *state.laid.values()})),
    )
    facts = {"seat": takes, "card": state.laid[takes]} if takes is not None else {}
    ruling = Ruling("taken" if facts else "cancelled", event.seq, facts)
    return new_state, (ruling, won(most_points(new_state), event.seq)) if over else (ruling,)


MOVES = GameMoves(taps=Taps(_tapped, likely=_may_be_laid), presses=Presses(_pressed, likely=_may_press))
