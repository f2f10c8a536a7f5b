"""Acts that may well come next in ¡Go!: demonstrations and random matches choose from them.

Chance is theirs: what is offered here follows from the state alone. The round's number shuffles the cards, so that no
card is in two hands and the caller's hand is one that a player would call with.
"""

import functools
import zlib
from collections.abc import Iterator
from typing import Any, Literal

from msgspec import UNSET, UnsetType

from companion.events import Place, place_of
from companion.games.go import best_division
from companion.games.go.cards import BIT, COLOUR, DECK, HAND, IDS, ids
from companion.games.go.state import Call, Phase, State, TakenFrom, Turn

OFFERED = 3
"""How many cards to choose from in each pile or hand."""
CALLERS_SERIES, OTHERS_SERIES = 8, 6
"""Roughly how many cards of a hand fit together when somebody calls."""


def taps(state: State) -> Iterator[tuple[Place, str]]:
    """Yield cards to take, throw away or turn up before a call; then the row card, and cards of hands."""
    if state.call:
        return _taps_after(state, state.call)
    return _taps_before_call(state, state.turn) if state.turn else iter(())


def presses(state: State) -> Iterator[int]:
    """Yield who may call, or whose hand may be read next on the shared reader."""
    if state.call:
        if state.call.row is not None and _shares(state, state.call) and state.call.reading is None:
            yield from _waiting_to_share(state.call)
    elif state.turn:
        if _is_to_take(state.turn) and state.turn.ready is not None:
            yield state.turn.ready
    elif state.phase is Phase.PLAYING:
        yield _caller_by_lot(state)


def series(state: State) -> Iterator[tuple[int, Any]]:
    """Yield the best series of a complete hand, and one that is worse."""
    call = state.call
    if call is None or call.row is None or call.division is not None:
        return
    hand = call.hands[call.caller]
    if hand.bit_count() == HAND:
        best = ids(best_division.proposal(hand, COLOUR[call.row]))
        yield call.caller, "best"
        yield call.caller, best
        yield call.caller, best[1:]


def last_row(state: State) -> Iterator[tuple[int, UnsetType]]:
    """Yield now and then whoever took a card of the row, or nobody in particular where turns are not followed."""
    turn = state.turn
    if state.call or state.phase is not Phase.PLAYING:
        return
    if turn is None:
        if _lot_of_points(state) % 7 == 0:
            yield _caller_by_lot(state), UNSET
    elif turn.row is None and turn.took is TakenFrom.ROW and _lot(state, str(turn.card)) % 7 == 0:
        yield turn.active, UNSET


def last_pile(state: State) -> Iterator[tuple[int, UnsetType]]:
    """Yield now and then whoever took a card of the pile, or nobody in particular where turns are not followed."""
    turn = state.turn
    if state.call or state.phase is not Phase.PLAYING:
        return
    if turn is None:
        if _lot_of_points(state) % 7 == 1:
            yield _caller_by_lot(state), UNSET
    elif turn.row is not None and turn.took is TakenFrom.PILE and _lot(state, turn.row) % 7 == 1:
        yield turn.active, UNSET


def void(state: State) -> Iterator[tuple[Literal["host"], UnsetType]]:
    """Yield the host in a few rounds."""
    call = state.call
    if call and call.row is not None and _lot(state, call.row) % 16 == 1:
        yield "host", UNSET


def _lot_of_points(state: State) -> int:
    return _lot(state, str(sorted(state.points.items())))


def _caller_by_lot(state: State) -> int:
    return state.seats[_lot_of_points(state) % len(state.seats)]


def _begins(turn: Turn) -> bool:
    """Return whether the discard pile still lacks its first card."""
    return not turn.discards and not turn.took and turn.ready is None


def _is_to_take(turn: Turn) -> bool:
    return not _begins(turn) and turn.row is not None and not turn.took


def _taps_before_call(state: State, turn: Turn) -> Iterator[tuple[Place, str]]:
    away = turn.discarded | turn.shown | (BIT[turn.row] if turn.row else 0)
    for held in turn.held.values():
        away |= held
    unseen = [card for card in _shuffled(f"{state.stretch}/{len(turn.discards)}") if not BIT[card] & away][:OFFERED]
    if _begins(turn):
        yield from (("discard", card) for card in unseen)
    elif turn.row is None:
        yield from (("row", card) for card in unseen)
    elif turn.took:
        held_cards = ids(turn.held[turn.active])[:OFFERED]
        yield from (("discard", card) for card in (*held_cards, *unseen))
    else:
        yield from ((place_of(turn.active), card) for card in (*unseen, turn.row, *turn.discards[-1:]))


def _taps_after(state: State, call: Call) -> Iterator[tuple[Place, str]]:
    """Hands are read side by side at the seats, or one after the other on the shared reader."""
    if call.row is None:
        free = [card for card in _shuffled(str(state.stretch)) if not any(BIT[card] & hand for hand in _hands(call))]
        yield from (("centre", card) for card in free[:OFFERED])
    elif not _shares(state, call):
        for seat in _waiting(call):
            yield from ((place_of(seat), card) for card in _next_cards(state, call, seat))
    elif call.reading is not None:
        yield from (("centre", card) for card in _next_cards(state, call, call.reading))


def _waiting(call: Call) -> list[int]:
    return [seat for seat, hand in call.hands.items() if hand.bit_count() < HAND]


def _waiting_to_share(call: Call) -> list[int]:
    """Return whose hand is read next: the caller's first."""
    waiting = _waiting(call)
    return [call.caller] if call.caller in waiting else waiting[:1]


def _shares(state: State, call: Call) -> bool:
    """Return whether the hands of this round are read on the shared reader."""
    assert call.row is not None
    return _lot(state, call.row) % 4 == 0


def _next_cards(state: State, call: Call, seat: int) -> list[str]:
    """Return some cards of this seat's hand, or others if those were read elsewhere."""
    assert call.row is not None
    known_hands = tuple(call.turn.held.get(player, 0) if call.turn else 0 for player in state.seats)
    away = (call.turn.discarded if call.turn else 0) | BIT[call.row]
    deal = _deal(state.stretch, call.row, away, known_hands, state.seats.index(call.caller))
    read_cards = away
    for hand in call.hands.values():
        read_cards |= hand
    dealt_hand = deal[state.seats.index(seat)]
    unread = [card for card in dealt_hand if not BIT[card] & read_cards]
    return (unread or [card for card in deal[-1] if not BIT[card] & read_cards])[:OFFERED]


@functools.lru_cache(maxsize=8)
def _deal(stretch: int, row: str, away: int, known_hands: tuple[int, ...], caller: int) -> tuple[tuple[str, ...], ...]:
    """Deal each player a hand with the cards they are known to hold, a good one to the caller; the rest comes last."""
    undealt = [card for card in _shuffled(f"{stretch}/{row}") if not BIT[card] & (away | sum(known_hands))]
    hands = []
    for player, held in enumerate(known_hands):
        hand = ids(held)
        series_length = CALLERS_SERIES if player == caller else OTHERS_SERIES
        colours = {COLOUR[card] for card in undealt[player :: len(known_hands)][:2]}
        for card in tuple(undealt):
            fits = COLOUR[card] in colours and DECK[card].value not in {DECK[held_card].value for held_card in hand}
            if len(hand) < series_length and fits:
                hand.append(card)
                undealt.remove(card)
        while len(hand) < HAND:
            hand.append(undealt.pop())
        hands.append(tuple(sorted(hand, key=lambda card: _crc(card, row))))
    return (*hands, tuple(undealt))


def _hands(call: Call) -> tuple[int, ...]:
    turn = call.turn
    return (*call.hands.values(), *(turn.held.values() if turn else ()), turn.discarded if turn else 0)


def _shuffled(seed: str) -> list[str]:
    return sorted(IDS, key=lambda card: _crc(card, seed))


def _lot(state: State, seed: str) -> int:
    return _crc(str(state.stretch), seed)


def _crc(text: str, seed: str) -> int:
    return zlib.crc32(f"{seed}/{text}/{seed}".encode())
