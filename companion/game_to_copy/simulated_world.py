"""A simulated table: everybody is dealt nine cards, and bots play the empty seats."""

from collections.abc import Mapping
from typing import Any

from companion.game.simulated_hands import physics
from companion.game.simulated_world import Chance, Move, Sight, Strength

from .cards import DECK, value

EACH = 9


def can(table: Mapping[str, Any], seat: int, hand: tuple[str, ...]) -> tuple[Move, ...]:
    """Lay a card while it is this seat's to lay; press when all have."""
    if table["phase"] == "lay" and seat not in table["laid"]:
        return tuple(Move(seat, "lay", card, seconds=3.0) for card in hand)
    return (Move(seat, "press"),) if table["phase"] == "flip" else ()


def choose(sight: Sight, strength: Strength, chance: Chance) -> Move | None:
    """Lay anything (easy), one of the better half (middle), or the best (strong)."""
    best = sorted(sight.moves, key=lambda move: value(move.card) if move.card else 0, reverse=True)
    if not best:
        return None
    among = {"easy": len(best), "middle": (len(best) + 1) // 2, "strong": 1}[strength]
    return chance.choice(best[:among])


PHYSICS = physics(DECK, EACH, can, choose)
