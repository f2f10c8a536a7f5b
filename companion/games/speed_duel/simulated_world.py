"""A simulated table: a hand of five and a stock for each player, and the two piles between them."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.events import CENTRE, Event, Pressed, Tapped
from companion.game.simulated_world import Chance, Move, Physics
from companion.games.speed_duel.bots import choose
from companion.games.speed_duel.cards import CARDS_OF, pile_for, rank

HAND = 5


class World(msgspec.Struct, frozen=True):
    """What lies where."""

    hands: Mapping[int, tuple[str, ...]]
    """In the order in which they are held."""
    stocks: Mapping[int, tuple[str, ...]]
    """Face down, the top first."""
    laid: tuple[str, ...] = ()
    gaps: Mapping[int, tuple[int, ...]] = {}
    """By seat, the places of its hand from which a card has gone and to which no other came, the leftmost first."""


def begin(seats: tuple[int, ...], chance: Chance) -> World:
    """Shuffle red for the first seat and black for the second, and take up five each."""
    shuffled = {seat: tuple(chance.sample(cards, len(cards))) for seat, cards in zip(seats, CARDS_OF, strict=True)}
    hands = {seat: _in_order(cards[:HAND]) for seat, cards in shuffled.items()}
    stocks = {seat: cards[HAND:] for seat, cards in shuffled.items()}
    return World(hands, stocks)


def can(world: World, table: Mapping[str, Any], seat: int) -> tuple[Move, ...]:
    """Lay what fits at any time, or say that nothing does; when both are stuck, turn up a card."""
    if not table:
        return ()
    match table["phase"]:
        case "turn" if seat not in table["turned"]:
            if world.stocks[seat]:
                return (Move(seat, "turn", seconds=2.5),)
            return tuple(Move(seat, "turn", card, seconds=2.5) for card in world.hands[seat])
        case "race":
            plays = tuple(
                Move(seat, "play", card, seconds=2.5, fleeting=True)
                for card in world.hands[seat]
                if pile_for(card, table["tops"]) is not None
            )
            return plays if seat in table["stuck"] else (*plays, Move(seat, "press", seconds=3.0))
    return ()


def _in_order(cards: tuple[str, ...]) -> tuple[str, ...]:
    """Sort by rank: what may follow each other stands side by side."""
    return tuple(sorted(cards, key=lambda card: (rank(card), card)))


def _places(world: World, seat: int) -> list[str]:
    """Return what is in each place of a hand, "" where nothing is."""
    places = [*world.hands[seat]]
    for gap in world.gaps.get(seat, ()):
        places.insert(gap, "")
    return places


def sees(world: World, seat: int) -> dict[str, Any]:
    """Return one's hand, where each card is held, and how high one's stock is."""
    return {"hand": [*world.hands[seat]], "places": _places(world, seat), "stock": len(world.stocks[seat])}


def do(world: World, move: Move, chance: Chance) -> tuple[World, tuple[Event, ...]]:
    """Return what becomes of a move, and what the table senses of it."""
    seat = move.seat
    match move.what:
        case "turn" if not move.card:
            card, *stock = world.stocks[seat]
            turned = replace(world, stocks={**world.stocks, seat: tuple(stock)}, laid=(*world.laid, card))
            return turned, (Tapped(0, 0.0, CENTRE, card),)
        case "turn" | "play":
            return _out_of_hand(world, seat, move.card), (Tapped(0, 0.0, CENTRE, move.card),)
        case "press":
            return world, (Pressed(0, 0.0, seat),)
    return world, ()


def _out_of_hand(world: World, seat: int, card: str) -> World:
    """Lay a card, and take up the next one of the stock in its place: the others stay where a thumb knows them."""
    laid = (*world.laid, card)
    if world.stocks[seat]:
        next_card, *stock = world.stocks[seat]
        hand = tuple(next_card if held == card else held for held in world.hands[seat])
        return replace(world, hands={**world.hands, seat: hand}, stocks={**world.stocks, seat: tuple(stock)}, laid=laid)
    hand = tuple(held for held in world.hands[seat] if held != card)
    gaps = tuple(sorted((*world.gaps.get(seat, ()), _places(world, seat).index(card))))
    return replace(world, hands={**world.hands, seat: hand}, gaps={**world.gaps, seat: gaps}, laid=laid)


def lies(world: World) -> list[str]:
    """Return every card."""
    held = [card for hand in world.hands.values() for card in hand]
    stocked = [card for stock in world.stocks.values() for card in stock]
    return [*world.laid, *held, *stocked]


PHYSICS = Physics(options={}, begin=begin, can=can, sees=sees, do=do, lies=lies, choose=choose)
