"""The things of Kartel in people's hands: the ring of tokens, the die, the prison, and what everybody has won."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.events import Event, Said, Tapped, place_of
from companion.game.simulated_world import Chance, Move, Physics
from companion.games.kartel.bots import choose
from companion.games.kartel.cards import BOSS, DECK, DIE, TOKENS


class World(msgspec.Struct, frozen=True):
    """What lies where. Everything lies open."""

    seats: tuple[int, ...]
    ring: tuple[str, ...]
    """Clockwise from the commissioner."""
    rolled: int | None = None
    """What the die shows, until the commissioner has moved."""
    won: Mapping[int, tuple[str, ...]] = {}
    """Seat → its tokens."""
    prison: tuple[str, ...] = ()


def begin(seats: tuple[int, ...], chance: Chance) -> World:
    """Shuffle all tokens into a ring; the commissioner stands in a gap."""
    return World(seats, tuple(chance.sample(TOKENS, len(TOKENS))), won=dict.fromkeys(seats, ()))


def can(world: World, table: Mapping[str, Any], seat: int) -> tuple[Move, ...]:
    """The player whose turn it is rolls, then takes a token within reach; anybody says that the ring is complete."""
    if table.get("phase") == "ring":
        return (Move(seat, "ring-done", seconds=1.2),)
    if table.get("phase") != "play" or table["active"] != seat:
        return ()
    if world.rolled is None:
        return (Move(seat, "roll", seconds=1.2),)
    return tuple(Move(seat, "take", token, seconds=2.5) for token in world.ring[: world.rolled])


def sees(world: World, seat: int) -> dict[str, Any]:
    """Return what lies on the table; nobody hides anything."""
    return {"ring": list(world.ring), "rolled": world.rolled}


def do(world: World, move: Move, chance: Chance) -> tuple[World, tuple[Event, ...]]:
    """Read the ring, roll the die, or move the commissioner to a token."""
    if move.what == "roll":
        rolled = chance.choice(DIE)
        return replace(world, rolled=rolled), (Said(0, 0.0, move.seat, "roll", rolled),)
    if move.what == "take":
        return _take_token(world, move.seat, move.card)
    done = Said(0, 0.0, "host", "ring-done")
    if move.what == "ring-done":
        return world, (done,)
    read = tuple(Tapped(0, 0.0, "centre", token) for token in world.ring)
    return world, (*read, done)


def _take_token(world: World, seat: int, token: str) -> tuple[World, tuple[Event, ...]]:
    at = world.ring.index(token)
    next_world = replace(world, ring=world.ring[at + 1 :] + world.ring[:at], rolled=None)
    if DECK[token].kind == BOSS:
        return replace(next_world, prison=(*world.prison, token)), (Tapped(0, 0.0, "prison", token),)
    won = {**world.won, seat: (*world.won[seat], token)}
    return replace(next_world, won=won), (Tapped(0, 0.0, place_of(seat), token),)


def lies(world: World) -> list[str]:
    """Return every token."""
    return [*world.ring, *world.prison, *(token for tokens in world.won.values() for token in tokens)]


PHYSICS = Physics(
    options={"ring": True},
    begin=begin,
    can=can,
    sees=sees,
    do=do,
    lies=lies,
    choose=choose,
)
