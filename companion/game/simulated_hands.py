"""Simulated hands of cards: dealt from a shuffled deck, drawn, and laid at one's own place or in the middle.

A game defines how many cards are dealt, what a player can do, and how a bot chooses. The moves `lay` (a card at one's
own place), `play` (one on the stack in the middle), `draw`, `turn-up` (the top of the pile, open in the middle), `deal`
(all cards again) and `press` are defined here; any other move says its own word, with its number. A game with a larger
world moves its cards with `moved`, and lists them with `cards_in`.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from companion.events import Event, Pressed, Said, Tapped, place_of
from companion.game.simulated_world import DEAL, SETTING_UP, Chance, Move, Physics, Sight, Strength


class InHands(msgspec.Struct, frozen=True):
    """The world: where every card lies."""

    hands: Mapping[int, tuple[str, ...]]
    pile: tuple[str, ...]
    """Face down, the top first."""
    laid: tuple[str, ...] = ()
    """Cards that have left the hands, the last on top."""
    drawn: Mapping[int, str] = {}
    """By seat, the card drawn in its last move."""


def physics(
    deck: Iterable[str],
    each: int | Mapping[int, int],
    can: Callable[[Mapping[str, Any], int, tuple[str, ...]], tuple[Move, ...]],
    choose: Callable[[Sight, Strength, Chance], Move | None],
    options: Mapping[str, Any] | None = None,
) -> Physics[InHands]:
    """Return the physics of a game with hands.

    `each` is the number of cards dealt to each player, or that by the number of players. `can` takes the game's part of
    a seat's view, the seat and its hand, and returns the moves that break no rule. No reader sees a `draw`: the game's
    `Now` must name the seats that may draw as `unseen`.
    """
    cards = tuple(deck)
    order = {card: at for at, card in enumerate(cards)}

    def begin(seats: tuple[int, ...], chance: Chance) -> InHands:
        lot = tuple(chance.sample(cards, len(cards)))
        size = each if isinstance(each, int) else each[len(seats)]
        hands = {seat: lot[at * size : (at + 1) * size] for at, seat in enumerate(seats)}
        return InHands(hands, lot[len(seats) * size :])

    def moves(world: InHands, table: Mapping[str, Any], seat: int) -> tuple[Move, ...]:
        return can(table, seat, world.hands[seat]) if table else ()

    def sees(world: InHands, seat: int) -> dict[str, Any]:
        sight = {"hand": sorted(world.hands[seat], key=order.__getitem__), "pile": len(world.pile)}
        return sight | {"drawn": world.drawn[seat]} if seat in world.drawn else sight

    def do(world: InHands, move: Move, chance: Chance) -> tuple[InHands, tuple[Event, ...]]:
        return (begin(tuple(world.hands), chance), ()) if move.what == DEAL else moved(world, move)

    return Physics(options or {}, begin, moves, sees, do, cards_in, choose)


def moved(world: InHands, move: Move) -> tuple[InHands, tuple[Event, ...]]:
    """Return the world after any move but `deal`, which needs chance, and the events that the table senses."""
    seat = move.seat
    card = move.card
    drawn = {drawer: held for drawer, held in world.drawn.items() if drawer != seat}
    world_after = replace(world, drawn=drawn)
    match move.what:
        case SETTING_UP.what:
            return world, ()
        case "lay":
            return _out_of_hand(world_after, seat, card), (Tapped(0, 0.0, place_of(seat), card),)
        case "play":
            return _out_of_hand(world_after, seat, card), (Tapped(0, 0.0, "centre", card),)
        case "draw" if world.pile:
            top = world.pile[0]
            hands = {**world.hands, seat: (*world.hands[seat], top)}
            return replace(world, hands=hands, pile=world.pile[1:], drawn={**drawn, seat: top}), ()
        case "draw":
            return world, ()
        case "turn-up":
            top = world.pile[0]
            return replace(world_after, pile=world.pile[1:], laid=(*world.laid, top)), (Tapped(0, 0.0, "centre", top),)
        case "press":
            return world_after, (Pressed(0, 0.0, seat),)
    return world_after, (Said(0, 0.0, seat, move.what, move.number or UNSET),)


def cards_in(world: InHands) -> list[str]:
    """Return every card of the world, wherever it lies."""
    return [*world.pile, *world.laid, *(card for hand in world.hands.values() for card in hand)]


def _out_of_hand(world: InHands, seat: int, card: str) -> InHands:
    left = tuple(held for held in world.hands[seat] if held != card)
    return replace(world, hands={**world.hands, seat: left}, laid=(*world.laid, card))
