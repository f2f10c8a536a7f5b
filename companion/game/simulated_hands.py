"""A simulated table for games with hands of cards: dealt from a shuffled deck, drawn, laid at one's own place.

A game says how many cards everybody is dealt, what somebody can do, and how a bot chooses. What the moves `lay`,
`draw`, `turn-up` (the top of the pile, open in the middle), `deal` (all cards again) and `press` do is defined here;
any other move says its own word, with its number.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from companion.events import Event, Pressed, Said, Tapped, place_of
from companion.game.simulated_world import SETTING_UP, Chance, Move, Physics, Sight, Strength, never


class InHands(msgspec.Struct, frozen=True):
    """What lies where."""

    hands: Mapping[int, tuple[str, ...]]
    pile: tuple[str, ...]
    """Face down, the top first."""
    laid: tuple[str, ...] = ()
    """What has left the hands."""


def physics(
    deck: Iterable[str],
    each: int,
    can: Callable[[Mapping[str, Any], int, tuple[str, ...]], tuple[Move, ...]],
    choose: Callable[[Sight, Strength, Chance], Move | None],
    options: Mapping[str, Any] | None = None,
    unseen: Callable[[Mapping[str, Any], int], bool] = never,
) -> Physics[InHands]:
    """Return the physics of such a game.

    `can` takes the game's part of a seat's view, the seat and its hand, and returns the moves that break no rule;
    `unseen` is as in `Physics`: a `draw` is one that nobody is told of.
    """
    cards = tuple(deck)
    order = {card: at for at, card in enumerate(cards)}

    def begin(seats: tuple[int, ...], chance: Chance) -> InHands:
        lot = tuple(chance.sample(cards, len(cards)))
        hands = {seat: lot[at * each : (at + 1) * each] for at, seat in enumerate(seats)}
        return InHands(hands, lot[len(seats) * each :])

    def moves(world: InHands, table: Mapping[str, Any], seat: int) -> tuple[Move, ...]:
        return can(table, seat, world.hands[seat]) if table else ()

    def sees(world: InHands, seat: int) -> dict[str, Any]:
        return {"hand": sorted(world.hands[seat], key=order.__getitem__), "pile": len(world.pile)}

    def do(world: InHands, move: Move, chance: Chance) -> tuple[InHands, tuple[Event, ...]]:
        return (begin(tuple(world.hands), chance), ()) if move.what == "deal" else _do(world, move)

    return Physics(options or {}, begin, moves, sees, do, _lies, choose, unseen=unseen)


def _do(world: InHands, move: Move) -> tuple[InHands, tuple[Event, ...]]:
    seat, card = move.seat, move.card
    match move.what:
        case SETTING_UP.what:
            return world, ()
        case "lay":
            left = tuple(other for other in world.hands[seat] if other != card)
            after = replace(world, hands={**world.hands, seat: left}, laid=(*world.laid, card))
            return after, (Tapped(0, 0.0, place_of(seat), card),)
        case "draw":
            hands = {**world.hands, seat: (*world.hands[seat], *world.pile[:1])}
            return replace(world, hands=hands, pile=world.pile[1:]), ()
        case "turn-up":
            card, rest = world.pile[0], world.pile[1:]
            return replace(world, pile=rest, laid=(*world.laid, card)), (Tapped(0, 0.0, "centre", card),)
        case "press":
            return world, (Pressed(0, 0.0, seat),)
    return world, (Said(0, 0.0, seat, move.what, move.number or UNSET),)


def _lies(world: InHands) -> list[str]:
    return [*world.pile, *world.laid, *(card for hand in world.hands.values() for card in hand)]
