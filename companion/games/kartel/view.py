"""What an observer may know of Kartel, built up from nothing. Every token is won openly, so nothing is sealed."""

from itertools import pairwise
from typing import Any

from companion.game import Card, Now, Observer
from companion.game.turn_order import next_seat
from companion.games.kartel import counting
from companion.games.kartel.cards import BOSS, CELLS, COLOURS, DECK, MONEY
from companion.games.kartel.state import NAMED, Phase, State


def view(state: State, observer: Observer) -> dict[str, Any]:
    """Everybody sees the same."""
    playing = state.phase is Phase.PLAY
    return {
        "phase": state.phase.value,
        "money": state.options.money,
        "free_gang": state.options.free_gang,
        "turn": len(state.moves) + 1 if playing else None,
        "active": state.active if playing else None,
        "roll": state.roll,
        "ring": list(state.ring) if state.options.ring else None,
        "circle": [*state.circle, *[None] * len(state.unread)] if state.options.ring else None,
        "place": state.gap,
        "laps": _laps(state),
        "offered": {token: _brings(state, DECK[token]) for token in state.offered},
        "cells": [{"colour": colour, "seat": state.moves[f"{colour}-{BOSS}"].seat} for colour in state.jailed],
        "cells_left": CELLS - len(state.jailed),
        "free": [colour for colour in COLOURS if colour not in state.jailed],
        "turn_over": _turn_over(state),
        "gains": _gains(state),
        "holdings": {str(seat): _holding(state, cards) for seat, cards in counting.won(state).items()},
        "moves": _moves(state),
    }


def now(state: State) -> Now:
    """What the table waits for."""
    match state.phase:
        case Phase.RING if 0 < len(state.unread) <= NAMED:
            return Now("now-ring-nearly", facts={"number": len(state.circle), "all": len(state.tokens)})
        case Phase.RING if state.unread:
            return Now("now-ring", facts={"number": len(state.circle), "all": len(state.tokens)})
        case Phase.RING:
            return Now("now-ring-read", facts={"all": len(state.tokens)})
        case Phase.OVER:
            return Now("now-over")
    waiting = (state.active,)
    following = {"next": next_seat(state.seats, state.active)}
    if not state.options.ring:
        return Now("now-turn", waiting, facts=following)
    if state.roll is None:
        return Now("now-roll", waiting, facts=following)
    return Now("now-reach", waiting, facts={"number": state.roll, "cards": list(state.offered), **following})


def _laps(state: State) -> int:
    """How often the commissioner has come past where they began."""
    places = [state.circle.index(token) for token in state.moves if state.circle]
    return sum(later < earlier for earlier, later in pairwise(places))


def _turn_over(state: State) -> dict[str, Any] | None:
    """The seats whose tokens must be turned face down after the latest move, and the gang; None: nobody's."""
    latest = state.latest
    if latest is None or latest not in state.moves:
        return None
    colour = DECK[latest].colour
    if colour is None or colour not in state.jailed:
        return None
    by_boss = DECK[latest].kind == BOSS
    tally = counting.tally(state, colour) if by_boss else ((state.moves[latest].seat, 1),)
    return {"colour": colour, "tally": [list(seat_and_number) for seat_and_number in tally]} if tally else None


def _gains(state: State) -> list[list[int]] | None:
    """How the latest move changed the points, by seat; None if it was no boss."""
    latest = state.moves and state.latest
    if not latest or DECK[latest].kind != BOSS:
        return None
    return [list(seat_and_gain) for seat_and_gain in counting.gains(state, state.jailed[-1])]


def _brings(state: State, token: Card) -> int:
    """Return what a token would now bring the player whose turn it is: for a boss, by what they hold of that gang."""
    if token.kind == BOSS and token.colour is not None:
        return dict(counting.gains(state, token.colour)).get(state.active, 0)
    return counting.worth(state, token)


def _holding(state: State, cards: list[Card]) -> dict[str, Any]:
    return {
        "points": sum(counting.worth(state, card) for card in cards),
        "tokens": len(cards),
        "open": [card.id for card in cards if card.colour not in state.jailed],
        "closed": [card.id for card in cards if card.colour in state.jailed],
        "gangs": [_gang(state, colour, cards) for colour in COLOURS if any(card.colour == colour for card in cards)],
    }


def _gang(state: State, colour: str, cards: list[Card]) -> dict[str, Any]:
    """Why these tokens are worth what they are."""
    of_gang = [card for card in cards if card.colour == colour]
    return {
        "colour": colour,
        "jailed": colour in state.jailed,
        "gangsters": sum(card.value or 0 for card in of_gang),
        "money": sum(card.kind == MONEY for card in of_gang),
        "points": sum(counting.worth(state, card) for card in of_gang),
    }


def _moves(state: State) -> dict[str, dict[str, Any]]:
    """Where every token that left the ring went, oldest first; `closed`: its boss was already in prison."""
    moves = {}
    jailed: set[str | None] = set()
    for token, move in state.moves.items():
        card = DECK[token]
        moves[token] = {"turn": move.turn, "seat": move.seat, "roll": move.roll, "closed": card.colour in jailed}
        if card.kind == BOSS:
            jailed.add(card.colour)
    return moves
