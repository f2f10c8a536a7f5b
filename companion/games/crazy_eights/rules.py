"""The rules as one step: (state, event) → (state, verdicts). Total: what breaks them changes nothing."""

from collections.abc import Collection, Iterator
from typing import Any

from msgspec.structs import replace

from companion.events import CENTRE, Place, Pressed, Said, Seat, Started, Tapped
from companion.game import (
    GameMoves,
    HowSaid,
    Judged,
    Misplay,
    Presses,
    Ruling,
    Taps,
    Word,
    most_points,
    with_gains,
)
from companion.game.playing_cards import DECK, SUITS
from companion.game.shared_rules import won
from companion.game.turn_order import next_seat
from companion.games.crazy_eights.cards import fits, is_eight, points_of, suit
from companion.games.crazy_eights.state import Options, Phase, State

READ_TWICE = 1_000_000
"""Microseconds within which the last card of a count, read once more, is not the first of the next round."""

PRESSED_TWICE = 300_000
"""Microseconds within which a second press of one buzzer is no second card."""


def begin(started: Started, options: Options) -> State:
    """Sit down."""
    seats = started.seats
    return _with_new_round(State(seats, options, Phase.DEAL, dict.fromkeys(seats, 0)), 1)


def _with_new_round(state: State, number: int) -> State:
    fresh = replace(
        state,
        phase=Phase.DEAL,
        round=number,
        stack=(),
        suit="",
        namer=None,
        has_named=False,
        held=dict.fromkeys(state.seats, state.options.dealt),
        has_drawn=False,
        passed=0,
        turn=1,
        shown={},
    )
    return replace(fresh, active=fresh.dealer)


def unit(state: State) -> tuple[int, int, bool]:
    """Within a turn, and within the count of all hands, a card read twice is one act."""
    return state.round, state.turn, state.over


# Cards, all of them on the pad in the middle.


def _may_be_tapped(state: State) -> Iterator[tuple[Place, str]]:
    unseen = [card for card in DECK if card not in state.stack]
    match state.phase:
        case Phase.DEAL:
            yield from ((CENTRE, card) for card in unseen if not is_eight(card))
        case Phase.PLAY:
            yield from ((CENTRE, card) for card in unseen if fits(card, state.stack[-1], state.suit))
        case Phase.COUNT:
            cards_shown = state.cards_shown
            yield from ((CENTRE, card) for card in unseen if card not in cards_shown)


def _tapped(state: State, event: Tapped) -> Judged[State]:
    card = event.card
    if event.place != CENTRE:
        return state, (Misplay("onto-the-stack", event.seq, {"card": card}),)
    if card == state.last_shown and event.microseconds < state.shown_until:
        return state, ()  # read again where it lies
    if card in state.stack:
        again = card == state.stack[-1]
        return state, () if again else (Misplay("laid-already", event.seq, {"card": card}),)
    match state.phase:
        case Phase.DEAL:
            return _turned_up(state, event.seq, card)
        case Phase.PLAY:
            return _laid(state, event.seq, card)
    return _shown(state, event, card)


def _turned_up(state: State, seq: int, card: str) -> Judged[State]:
    if is_eight(card):
        return state, (Misplay("no-eight-first", seq, {"card": card}),)
    first = next_seat(state.seats, state.dealer, 1)
    turned = replace(state, phase=Phase.PLAY, active=first, stack=(card,), suit=suit(card))
    return turned, (Ruling("turned-up", seq, {"card": card}),)


def _laid(state: State, seq: int, card: str) -> Judged[State]:
    seat = state.active
    if not fits(card, state.stack[-1], state.suit):
        return state, (Misplay("does-not-fit", seq, {"card": card, "colour": state.suit}),)
    left = state.held[seat] - 1
    facts = {"seat": seat, "card": card}
    rulings = [
        Ruling("laid-eight", seq, {**facts, "colour": suit(card)}) if is_eight(card) else Ruling("laid", seq, facts)
    ]
    laid = replace(
        state,
        stack=(*state.stack, card),
        suit=suit(card),
        namer=seat if is_eight(card) else None,
        has_named=False,
        held={**state.held, seat: left},
        passed=0,
    )
    if left > 0:
        if left == 1:
            rulings.append(Ruling("last-card", seq, {"seat": seat}))
        return _next_turn(laid), tuple(rulings)
    rulings.append(Ruling("out", seq, {"seat": seat}))
    return _counting(replace(laid, wins=(*state.wins, seat))), tuple(rulings)


def _next_turn(state: State) -> State:
    return replace(state, active=next_seat(state.seats, state.active, 1), has_drawn=False, turn=state.turn + 1)


def _counting(state: State) -> State:
    """The round is over: the next who holds cards taps them first."""
    counting = replace(state, phase=Phase.COUNT, namer=None, turn=state.turn + 1)
    return replace(counting, active=_next_to_show(counting))


def _next_to_show(state: State) -> int:
    """Return the next seat further round whose hand was not tapped; the active one itself comes last."""
    further = (next_seat(state.seats, state.active, steps) for steps in range(1, len(state.seats) + 1))
    return next(seat for seat in further if state.held[seat] > len(state.shown.get(seat, ())))


def _shown(state: State, event: Tapped, card: str) -> Judged[State]:
    seat = state.active
    seq = event.seq
    if card in state.shown.get(seat, ()):
        return state, ()
    if card in state.cards_shown:
        return state, (Misplay("shown-already", seq, {"card": card}),)
    cards = (*state.shown.get(seat, ()), card)
    with_card = replace(
        state,
        shown={**state.shown, seat: cards},
        last_shown=card,
        shown_until=event.microseconds + READ_TWICE,
    )
    if with_card.still_to_show:
        return with_card, (Ruling("shown", seq, {"seat": seat, "card": card}),)
    rulings = (Ruling("hand-shown", seq, {"seat": seat, "number": points_of(cards)}),)
    if sum(map(len, with_card.shown.values())) < sum(with_card.held.values()):
        return replace(with_card, active=_next_to_show(with_card)), rulings
    counted, counting = _counted(with_card, seq)
    return counted, (*rulings, *counting)


def _counted(state: State, seq: int) -> Judged[State]:
    """Whoever holds the fewest points gets what the others hold more; mostly they hold nothing."""
    held = {seat: points_of(state.shown.get(seat, ())) for seat in state.seats}
    fewest = min(held.values())
    gain = sum(number - fewest for number in held.values())
    gains = {seat: gain for seat, number in held.items() if number == fewest}
    points = with_gains(state.points, gains)
    counted = replace(state, points=points, history=(*state.history, points))
    hands = tuple(state.shown.items())
    ruling = Ruling("scored", seq, {"seats": tuple(gains), "number": gain, "hands": hands})
    if max(points.values()) >= state.options.limit:
        over = replace(counted, phase=Phase.OVER)
        return over, (ruling, won(most_points(over), seq))
    return _with_new_round(counted, state.round + 1), (ruling,)


# Presses: a card drawn, or a turn passed.


def _may_press(state: State) -> tuple[int, ...]:
    return (state.active,) if state.phase is Phase.PLAY else ()


def _pressed(state: State, event: Pressed) -> Judged[State]:
    if event.seat == state.presser and event.microseconds < state.press_until:
        return state, ()  # one press, felt twice
    if state.phase is not Phase.PLAY:
        return state, (Misplay("nothing-to-press", event.seq),)
    if event.seat != state.active:
        return state, (Misplay("not-your-turn", event.seq, {"seat": state.active}),)
    seat = state.active
    if state.pile and (not state.has_drawn or state.options.drawing == "until"):
        held = {**state.held, seat: state.held[seat] + 1}
        pressed = _with_press(state, event)
        drawn = replace(pressed, held=held, has_drawn=True, namer=None, passed=0)
        return drawn, (Ruling("drew", event.seq, {"seat": seat, "number": drawn.pile}),)
    next_turn = _next_turn(_with_press(state, event))
    passed = replace(next_turn, namer=None, passed=0 if state.has_drawn else state.passed + 1)
    ruling = Ruling("passed", event.seq, {"seat": seat})
    if passed.passed < len(state.seats):
        return passed, (ruling,)
    return _counting(passed), (ruling, Ruling("blocked", event.seq))


def _with_press(state: State, event: Pressed) -> State:
    return replace(state, presser=event.seat, press_until=event.microseconds + PRESSED_TWICE)


# The suit that an eight asks for.


def _may_name(state: State) -> Iterator[tuple[Seat, str]]:
    if state.naming is not None:
        yield from ((state.naming, name) for name in SUITS)


def _is_suit(value: Any) -> bool:
    return value in SUITS


def _named(state: State, event: Said) -> Judged[State]:
    if not _is_suit(event.value):
        return state, (Misplay("unknown-value", event.seq, {"what": event.what}),)
    if state.namer is None:
        return state, (Misplay("no-eight-to-name", event.seq),)
    if event.seat != state.namer:
        return state, (Misplay("not-your-eight", event.seq, {"seat": state.namer}),)
    colour = str(event.value)
    if state.has_named and colour == state.suit:
        return state, ()
    named = replace(state, suit=colour, has_named=True)
    return named, (Ruling("named", event.seq, {"seat": state.namer, "colour": colour}),)


def _named_by_press(state: State, press: Pressed) -> Said | None:
    """Whoever laid the eight presses for the next suit, until the screen shows the one they mean."""
    if state.namer is None or press.seat != state.namer:
        return None
    suits = (*SUITS, SUITS[0])
    return Said(0, press.at, press.seat, "suit", suits[suits.index(state.suit) + 1])


def _whose(state: State, event: Tapped) -> Collection[int]:
    return () if state.over else (state.active,)


MOVES = GameMoves(
    taps=Taps(_tapped, at=(CENTRE,), likely=_may_be_tapped, whose=_whose),
    presses=Presses(_pressed, likely=_may_press),
    words={
        "suit": Word(
            _named,
            (HowSaid.PRESS, HowSaid.PHONE),
            likely=_may_name,
            bears=_is_suit,
            in_press=_named_by_press,
        ),
    },
)
