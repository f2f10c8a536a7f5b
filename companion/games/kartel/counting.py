"""What tokens are worth: gangsters of a jailed boss count plus, of a free one minus; money is worth 3 while its boss is
free, and nothing once the boss is jailed. Bosses lie on the board and are nobody's.
"""

from collections.abc import Mapping
from typing import Any

from companion.game import Card, Outcome, leaders
from companion.games.kartel.cards import BOSS, BRIBE, COLOURS, DECK, MONEY
from companion.games.kartel.state import State

_WON = tuple(card for card in DECK.values() if card.kind != BOSS)
_GANGS = {colour: tuple(card.id for card in _WON if card.colour == colour) for colour in COLOURS}
_JAILED = {card.id: card.value or 0 for card in _WON}
_FREE: Mapping[str, Mapping[str, int]] = {
    "minus": {card.id: BRIBE if card.kind == MONEY else -(card.value or 0) for card in _WON},
    "zero": {card.id: BRIBE if card.kind == MONEY else 0 for card in _WON},
}
"""By the option `free_gang`: what a token is worth while its boss is free."""


def worth(state: State, card: Card) -> int:
    """Return a won token's points, as if the match ended now."""
    return (_JAILED if card.colour in state.jailed else _FREE[state.options.free_gang])[card.id]


def if_jailed(card: Card) -> int:
    """Return what a won token is worth once its boss is in prison."""
    return _JAILED[card.id]


def gains(state: State, colour: str) -> tuple[tuple[int, int], ...]:
    """Return, by seat, how the points changed as this boss went to prison; whoever holds nothing of the gang is left
    out."""
    free = _FREE[state.options.free_gang]
    changes: dict[int, int] = {}
    for token in _GANGS[colour]:
        if token in state.moves:
            seat = state.moves[token].seat
            changes[seat] = changes.get(seat, 0) + _JAILED[token] - free[token]
    return tuple((seat, changes[seat]) for seat in state.seats if seat in changes)


def lead(state: State, gains: tuple[tuple[int, int], ...]) -> dict[str, Any]:
    """Return how these gains changed the lead, in a word; who leads now, or has won; their points, and what the first
    of them had before. If the lead stays, it tells of whoever's points changed most.
    """
    points_now = state.points
    winners = outcome(state).winners
    points_before = {**points_now, **{seat: points_now[seat] - gain for seat, gain in gains}}
    ahead = winners or leaders(points_now)
    points = points_now[ahead[0]]
    previous_points = points_before[ahead[0]]
    match len(ahead):
        case 1 if winners:
            standing = "won"
        case 1 if leaders(points_before) == ahead:
            seat, change = max(gains, key=lambda seat_and_gain: abs(seat_and_gain[1]), default=(ahead[0], 0))
            standing = "kept" if seat == ahead[0] or not change else "gained" if change > 0 else "lost"
            if standing != "kept":
                ahead = (seat,)
                points = points_now[seat]
                previous_points = points_before[seat]
            elif change:
                standing = "moved"
        case 1:
            standing = "left" if points == previous_points else "taken"
        case number:
            standing = "won-together" if winners else "shared" if number == 2 else "level"
    return {"standing": standing, "seats": ahead, "points": points, "was": previous_points}


def won(state: State) -> dict[int, list[Card]]:
    """Return each seat's tokens, open and closed, in the order in which they were won."""
    tokens: dict[int, list[Card]] = {seat: [] for seat in state.seats}
    for token, move in state.moves.items():
        if token in _JAILED:
            tokens[move.seat].append(DECK[token])
    return tokens


def tally(state: State, colour: str) -> tuple[tuple[int, int], ...]:
    """Return, by seat, how many tokens of a gang each holds, money included; seats without any are left out."""
    moves = state.moves
    holders = [moves[token].seat for token in _GANGS[colour] if token in moves]
    return tuple((seat, holders.count(seat)) for seat in state.seats if seat in holders)


def outcome(state: State) -> Outcome:
    """The most points win; a tie goes to the fewest tokens, worthless money included; if still tied, they share the
    win."""
    if not state.over:
        return Outcome(state.points, ())
    ranks = {seat: (state.points[seat], -len(tokens)) for seat, tokens in won(state).items()}
    best = max(ranks.values())
    return Outcome(state.points, tuple(sorted(seat for seat, rank in ranks.items() if rank == best)))
