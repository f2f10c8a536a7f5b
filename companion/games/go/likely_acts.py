"""Acts that may well come next in ¡Go!: demonstrations and random matches choose from them.

Chance is theirs: what is offered here follows from the state alone. The round's number shuffles the cards, so that no
card is in two hands and the caller's hand is one that a player would call with.
"""

import functools
import zlib
from collections.abc import Iterator

from companion.events import Event, Pressed, Said, Tapped, place_of
from companion.games.go import best_division
from companion.games.go.cards import BIT, COLOUR, DECK, HAND, IDS, ids
from companion.games.go.state import Call, Phase, State, TakenFrom, Turn

OFFERED = 3
"""How many cards to choose from in each pile or hand."""
CALLERS_SERIES, OTHERS_SERIES = 8, 6
"""Roughly how many cards of a hand fit together when somebody calls."""


def acts(state: State) -> tuple[Event, ...]:
    """Return the acts that move the match on, as events with `seq` 0 and `at` 0."""
    if state.call:
        return tuple(_called(state, state.call))
    if state.turn:
        return tuple(_turn(state, state.turn))
    return tuple(_playing(state)) if state.phase is Phase.PLAYING else ()


def _playing(state: State) -> Iterator[Event]:
    """Somebody calls, now and then because the pile is empty; or nobody does because the row is."""
    lot = _lot(state, str(sorted(state.points.items())))
    seat = state.seats[lot % len(state.seats)]
    yield Pressed(0, 0.0, seat)
    if lot % 7 == 0:
        yield Said(0, 0.0, seat, "last-row")
    if lot % 7 == 1:
        yield Said(0, 0.0, seat, "last-pile")


def _turn(state: State, turn: Turn) -> Iterator[Event]:
    away = turn.discarded | turn.shown | (BIT[turn.row] if turn.row else 0)
    for held in turn.held.values():
        away |= held
    unseen = [card for card in _shuffled(f"{state.stretch}/{len(turn.discards)}") if not BIT[card] & away][:OFFERED]
    if not turn.discards and not turn.took and turn.ready is None:
        yield from (Tapped(0, 0.0, "discard", card) for card in unseen)
    elif turn.row is None:
        yield from (Tapped(0, 0.0, "row", card) for card in unseen)
        if turn.took is TakenFrom.ROW and _lot(state, str(turn.card)) % 7 == 0:
            yield Said(0, 0.0, turn.active, "last-row")
    elif turn.took:
        mine = ids(turn.held[turn.active])[:OFFERED]
        yield from (Tapped(0, 0.0, "discard", card) for card in (*mine, *unseen))
        if turn.took is TakenFrom.PILE and _lot(state, turn.row) % 7 == 1:
            yield Said(0, 0.0, turn.active, "last-pile")
    else:
        yield from (Tapped(0, 0.0, place_of(turn.active), card) for card in (*unseen, turn.row, *turn.discards[-1:]))
        if turn.ready is not None:
            yield Pressed(0, 0.0, turn.ready)


def _called(state: State, call: Call) -> Iterator[Event]:
    if call.row is None:
        free = [card for card in _shuffled(str(state.stretch)) if not any(BIT[card] & hand for hand in _hands(call))]
        yield from (Tapped(0, 0.0, "centre", card) for card in free[:OFFERED])
        return
    lot = _lot(state, call.row)
    yield from _read(state, call, shared=lot % 4 == 0)
    hand = call.hands[call.caller]
    if call.division is None and hand.bit_count() == HAND:
        best = ids(best_division.proposal(hand, COLOUR[call.row]))
        yield Said(0, 0.0, call.caller, "series", "best")
        yield Said(0, 0.0, call.caller, "series", best)
        yield Said(0, 0.0, call.caller, "series", best[1:])
    if lot % 16 == 1:
        yield Said(0, 0.0, "host", "void")


def _read(state: State, call: Call, *, shared: bool) -> Iterator[Event]:
    """Hands are read side by side at the seats, or one after the other on the shared reader."""
    waiting = [seat for seat, hand in call.hands.items() if hand.bit_count() < HAND]
    if shared and waiting and call.reading is None:
        yield Pressed(0, 0.0, call.caller if call.caller in waiting else waiting[0])
    elif shared and call.reading is not None:
        yield from (Tapped(0, 0.0, "centre", card) for card in _next_cards(state, call, call.reading))
    else:
        for seat in waiting:
            yield from (Tapped(0, 0.0, place_of(seat), card) for card in _next_cards(state, call, seat))


def _next_cards(state: State, call: Call, seat: int) -> list[str]:
    """Return some cards of this seat's hand, or others if those were read elsewhere."""
    assert call.row is not None
    known = tuple(call.turn.held.get(other, 0) if call.turn else 0 for other in state.seats)
    away = (call.turn.discarded if call.turn else 0) | BIT[call.row]
    deal = _deal(state.stretch, call.row, away, known, state.seats.index(call.caller))
    taken = away
    for hand in call.hands.values():
        taken |= hand
    mine = deal[state.seats.index(seat)]
    left = [card for card in mine if not BIT[card] & taken]
    return (left or [card for card in deal[-1] if not BIT[card] & taken])[:OFFERED]


@functools.lru_cache(maxsize=8)
def _deal(stretch: int, row: str, away: int, known: tuple[int, ...], caller: int) -> tuple[tuple[str, ...], ...]:
    """Deal each player a hand with the cards they are known to hold, a good one to the caller; the rest comes last."""
    rest = [card for card in _shuffled(f"{stretch}/{row}") if not BIT[card] & (away | sum(known))]
    hands = []
    for player, held in enumerate(known):
        hand = ids(held)
        wanted = CALLERS_SERIES if player == caller else OTHERS_SERIES
        own = {COLOUR[card] for card in rest[player :: len(known)][:2]}
        for card in tuple(rest):
            fits = COLOUR[card] in own and DECK[card].value not in {DECK[mine].value for mine in hand}
            if len(hand) < wanted and fits:
                hand.append(card)
                rest.remove(card)
        while len(hand) < HAND:
            hand.append(rest.pop())
        hands.append(tuple(sorted(hand, key=lambda card: _crc(card, row))))
    return (*hands, tuple(rest))


def _hands(call: Call) -> tuple[int, ...]:
    turn = call.turn
    return (*call.hands.values(), *(turn.held.values() if turn else ()), turn.discarded if turn else 0)


def _shuffled(seed: str) -> list[str]:
    return sorted(IDS, key=lambda card: _crc(card, seed))


def _lot(state: State, seed: str) -> int:
    return _crc(str(state.stretch), seed)


def _crc(text: str, seed: str) -> int:
    return zlib.crc32(f"{seed}/{text}/{seed}".encode())
