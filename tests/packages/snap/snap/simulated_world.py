"""A simulated table: everybody's part of the deck, face down, and the pile in the middle."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.events import Event, Pressed, Tapped
from companion.game.playing_cards import DECK
from companion.game.simulated_world import Chance, Move, Physics, Sight, Strength

SEES_IT = {"easy": 0.4, "middle": 0.8, "strong": 1.0}
"""How often a bot sees that two are alike."""
NERVOUS = {"easy": 0.04, "middle": 0.01, "strong": 0.0}
"""How often it presses for nothing."""


class World(msgspec.Struct, frozen=True):
    """What lies where."""

    hands: Mapping[int, tuple[str, ...]]
    """Face down: nobody looks at their own."""
    middle: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()


def begin(seats: tuple[int, ...], chance: Chance) -> World:
    """Deal the whole deck, one by one."""
    cards = chance.sample([*DECK], len(DECK))
    return World({seat: tuple(cards[at :: len(seats)]) for at, seat in enumerate(seats)})


def can(world: World, table: Mapping[str, Any], seat: int) -> tuple[Move, ...]:
    """Turn a card when it is your turn; press whenever you like."""
    if table.get("phase") != "turn":
        return ()
    turn = (Move(seat, "turn", seconds=2.5),) if table["active"] == seat else ()
    return (*turn, Move(seat, "press", seconds=1.2)) if world.middle else turn


def sees(world: World, seat: int) -> dict[str, Any]:
    """Return what lies on top; of one's own cards only how many they are."""
    return {"middle": list(world.middle[-2:]), "left": len(world.hands[seat])}


def do(world: World, move: Move, chance: Chance) -> tuple[World, tuple[Event, ...]]:
    """Return what becomes of a move, and what the table senses of it."""
    if move.what == "turn":
        card, *hand_left = world.hands[move.seat]
        new_world = replace(world, hands={**world.hands, move.seat: tuple(hand_left)}, middle=(*world.middle, card))
        return new_world, (Tapped(0, 0.0, "centre", card),)
    if move.what == "press":
        pressed = (Pressed(0, 0.0, move.seat),)
        if _alike(world.middle[-2:]):
            return replace(world, middle=(), taken=(*world.taken, *world.middle)), pressed
        return world, pressed
    return world, ()


def lies(world: World) -> list[str]:
    """Return every card."""
    return [*world.middle, *world.taken, *(card for hand in world.hands.values() for card in hand)]


def choose(sight: Sight, strength: Strength, chance: Chance) -> Move | None:
    """Press what is alike, if one sees it; else turn, if it is one's turn."""
    moves = {move.what: move for move in sight.moves}
    likely = SEES_IT if _alike(sight.sees["middle"]) else NERVOUS
    if "press" in moves and chance.random() < likely[strength]:
        return moves["press"]
    return moves.get("turn")


def _alike(top: tuple[str, ...]) -> bool:
    return len(top) == 2 and DECK[top[0]].value == DECK[top[1]].value


PHYSICS = Physics(options={}, begin=begin, can=can, sees=sees, do=do, lies=lies, choose=choose)
