"""The rules as one step: (state, event) → (state, verdicts). Total: what breaks them changes nothing.

Both play at once. On the one pad in the middle a card tells by its colour whose it is, and by its rank on which of the
two piles it goes. Whether somebody could lay a card is in their hand, so whoever can't says so by a press.
"""

from collections.abc import Collection, Iterator

from msgspec.structs import replace

from companion.events import CENTRE, Place, Pressed, Started, Tapped
from companion.game import GameMoves, Judged, Misplay, Presses, Ruling, Taps, most_points
from companion.game.playing_cards import DECK
from companion.game.shared_rules import won
from companion.games.speed_duel.cards import pile_for
from companion.games.speed_duel.state import Options, Phase, State

BOUNCE = 300_000
"""Microseconds within which a worn button presses twice."""

FEW = 5
"""A hand: whoever has so many cards left has no other."""


def begin(started: Started, options: Options) -> State:
    """Sit down."""
    return State(started.seats, options)


def unit(state: State) -> int:
    """Until the next card lies there, a card read twice is one act."""
    return len(state.laid)


def _may_be_tapped(state: State) -> Iterator[tuple[Place, str]]:
    unseen = [card for card in DECK if card not in state.laid]
    match state.phase:
        case Phase.TURN:
            yield from ((CENTRE, card) for card in unseen if state.seat_of(card) not in state.turned)
        case Phase.RACE:
            yield from ((CENTRE, card) for card in unseen if pile_for(card, state.tops) is not None)


def _tapped(state: State, event: Tapped) -> Judged[State]:
    card = event.card
    if event.place != CENTRE:
        return state, (Misplay("lay-in-the-middle", event.seq, {"card": card}),)
    if card in state.tops:
        return state, ()  # read again where it lies
    if card in state.laid:
        return state, (Misplay("laid-already", event.seq, {"card": card}),)
    return _turned(state, event) if state.phase is Phase.TURN else _laid(state, event)


def _turned(state: State, event: Tapped) -> Judged[State]:
    """Whatever is turned up lies on one's own side; once both have, the race goes on."""
    seat = state.seat_of(event.card)
    if seat in state.turned:
        return state, (Misplay("turned-already", event.seq, {"seat": seat, "other": state.other(seat)}),)
    turned = (*state.turned, seat)
    all_turned = len(turned) == len(state.seats)
    lying = replace(
        _with_card(state, event, state.seats.index(seat)),
        phase=Phase.RACE if all_turned else Phase.TURN,
        turned=() if all_turned else turned,
    )
    return _over_if_out(lying, Ruling("turned", event.seq, {"seat": seat, "card": event.card}))


def _laid(state: State, event: Tapped) -> Judged[State]:
    seat = state.seat_of(event.card)
    place = pile_for(event.card, state.tops)
    if place is None:
        return state, (Misplay("does-not-fit", event.seq, {"seat": seat, "card": event.card, "cards": state.tops}),)
    lying = _with_card(state, event, place)
    return _over_if_out(lying, Ruling("laid", event.seq, {"seat": seat, "card": event.card}))


def _with_card(state: State, event: Tapped, place: int) -> State:
    """Whoever was stuck may not be on this card."""
    red_pile, black_pile = state.tops
    return replace(
        state,
        tops=(event.card, black_pile) if place == 0 else (red_pile, event.card),
        laid=(*state.laid, event.card),
        stuck=(),
        last_at=event.microseconds,
    )


def _over_if_out(state: State, ruling: Ruling) -> Judged[State]:
    """Say how few cards are left; who has none left wins."""
    seat = ruling.facts["seat"]
    left = state.options.cards - state.points[seat]
    if left == 0:
        over = replace(state, phase=Phase.OVER)
        other = state.other(seat)
        facts = {"seat": seat, "other": other, "number": state.options.cards - state.points[other]}
        return over, (ruling, Ruling("last-card", ruling.seq, facts), won(most_points(over), ruling.seq))
    if left == FEW:
        return state, (ruling, Ruling("few-left", ruling.seq, {"seat": seat, "number": left}))
    return state, (ruling,)


def _may_press(state: State) -> tuple[int, ...]:
    return tuple(seat for seat in state.seats if seat not in state.stuck) if state.phase is Phase.RACE else ()


def _pressed(state: State, event: Pressed) -> Judged[State]:
    """Whoever presses is stuck; once both are, each turns up a card."""
    if state.phase is Phase.TURN or event.seat in state.stuck:
        return state, ()
    pressed_at = state.pressed_at.get(event.seat)
    if pressed_at is not None and event.microseconds < pressed_at + BOUNCE:
        return state, ()  # one press, felt twice
    if event.microseconds < state.last_at:
        return state, ()  # told late: it was about cards that are covered
    stuck = (*state.stuck, event.seat)
    pressed = replace(
        state,
        pressed_at={**state.pressed_at, event.seat: event.microseconds},
        stuck_times=state.stuck_times + 1,
    )
    ruling = Ruling("stuck", event.seq, {"seat": event.seat})
    if len(stuck) < len(state.seats):
        return replace(pressed, stuck=stuck), (ruling,)
    return replace(pressed, phase=Phase.TURN, stuck=()), (ruling, Ruling("both-stuck", event.seq))


def _whose(state: State, event: Tapped) -> Collection[int]:
    """A card's colour says it."""
    if state.over or event.card not in DECK:
        return ()
    return (state.seat_of(event.card),)


MOVES = GameMoves(
    taps=Taps(_tapped, at=(CENTRE,), likely=_may_be_tapped, whose=_whose),
    presses=Presses(_pressed, likely=_may_press),
)
