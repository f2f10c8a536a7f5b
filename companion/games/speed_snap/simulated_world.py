"""A simulated table: everybody's part of the deck, face down, and the pile in the middle."""

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.events import CENTRE, Event, Pressed, Tapped
from companion.game.playing_cards import DECK
from companion.game.simulated_world import Chance, Move, Physics
from companion.games.speed_snap.bots import choose


class World(msgspec.Struct, frozen=True):
    """What lies where."""

    hands: Mapping[int, tuple[str, ...]]
    """Face down: nobody looks at their own."""
    turned: tuple[str, ...]
    """In the middle, or taken from there."""


def begin(seats: tuple[int, ...], chance: Chance) -> World:
    """Lay the whole deck there; it is shared out by whoever begins."""
    return World(dict.fromkeys(seats, ()), tuple(DECK))


def can(world: World, table: Mapping[str, Any], seat: int) -> tuple[Move, ...]:
    """Share out, turn a card in turn, and press whenever there are two to look at."""
    phase = table.get("phase")
    if phase == "deal" and table["active"] == seat:
        return (Move(seat, "deal", seconds=4.0, decides_nothing=True),)
    if phase not in ("turn", "last"):
        return ()
    turn = (Move(seat, "turn", seconds=2.5),) if table["active"] == seat else ()
    may_press = len(table["top"]) > 1 and seat not in table["pressed"] and table["taker"] is None
    return (*turn, Move(seat, "press", seconds=1.2)) if may_press else turn


def sees(world: World, seat: int) -> dict[str, Any]:
    """Return how many cards lie face down before this seat: the others lie open, or nobody knows them."""
    return {"left": len(world.hands[seat])}


def do(world: World, move: Move, chance: Chance) -> tuple[World, tuple[Event, ...]]:
    """Return what becomes of a move, and what the table senses of it."""
    seat = move.seat
    match move.what:
        case "deal":
            return _turned(_dealt(tuple(world.hands), seat, chance), seat)
        case "turn":
            return _turned(world, seat)
        case "press":
            return world, (Pressed(0, 0.0, seat),)
    return world, ()


def _dealt(seats: tuple[int, ...], first: int, chance: Chance) -> World:
    """Share out the whole deck, one by one, beginning with whoever turns first."""
    cards = tuple(chance.sample([*DECK], len(DECK)))
    place = seats.index(first)
    in_order = (*seats[place:], *seats[:place])
    return World({seat: cards[at :: len(seats)] for at, seat in enumerate(in_order)}, ())


def _turned(world: World, seat: int) -> tuple[World, tuple[Event, ...]]:
    card = world.hands[seat][0]
    hands = {**world.hands, seat: world.hands[seat][1:]}
    return World(hands, (*world.turned, card)), (Tapped(0, 0.0, CENTRE, card),)


def lies(world: World) -> list[str]:
    """Return every card."""
    return [*world.turned, *(card for hand in world.hands.values() for card in hand)]


PHYSICS = Physics(options={}, begin=begin, can=can, sees=sees, do=do, lies=lies, choose=choose)
