"""The physics of a game: what a simulated table needs of it besides its rules.

A world is a frozen value with the place of every card, hidden ones included; only its game knows its structure. Chance
is passed in. A move returns the events, with `seq` 0, that a real table would have sensed, and nothing else, so that
the judge can't tell the two apart.
"""

import math
import random
from collections.abc import Callable, Mapping
from typing import Any, Generic, Literal, TypeVar

import msgspec

from companion.events import Event

Chance = random.Random
Strength = Literal["easy", "middle", "strong"]
STRENGTHS: tuple[Strength, ...] = ("easy", "middle", "strong")

SPREAD = 0.3
"""Standard deviation of the logarithm of the time that people take for a move."""

W = TypeVar("W")


def nothing(_: object) -> dict[str, Any]:
    """Show nothing of a world: the default for a game whose view has all that lies open."""
    return {}


def as_dealt(world: W, _: Mapping[int, str]) -> W:
    """Return a world unchanged: the default for a game whose cards do not depend on chosen colours."""
    return world


class Move(msgspec.Struct, frozen=True):
    """A person's move with the things on the table."""

    seat: int
    """Who makes it; 0: nobody in particular."""
    what: str
    """The game's term for it; the words hold its name as `move-WHAT`, and its consequence as `if-WHAT`."""
    card: str = ""
    """The card that it is made with, if the player sees it."""
    number: int = 0
    """Which pile, or how many."""
    seconds: float = 1.5
    """The time that people usually take for it."""
    at_once: bool = False
    """Whether being first counts, so that pages make it on touch, not on release; `press` is always such a move."""
    declines: bool = False
    """Whether it declines something that people are asked, so that bots wait for them."""
    for_people: bool = False
    """Whether bots leave it to people, if any can make it: a bot would begin before they are ready."""
    fleeting: bool = False
    """Whether another's move may make it impossible at any time, as where two lay on one pile at once."""
    takes: bool = False
    """Whether it takes what only one can have, so that whoever is slower hears who has it."""
    decides_nothing: bool = False
    """Whether it involves no decision, such as turning up the next card: after a while the table makes it."""

    @property
    def is_raced_for(self) -> bool:
        """Whether being first counts."""
        return self.at_once or self.fleeting or self.what == "press"


def takes(move: Move, chance: Chance) -> float:
    """Return a random time in seconds for a move, distributed around the usual one."""
    return move.seconds * math.exp(chance.gauss(0.0, SPREAD))


DEAL = "deal"
"""The name, in every game, of the move that deals all cards again."""
SETTING_UP = Move(0, "set-up")
"""The first move of every match, which lays out and reads what must lie there before anybody plays."""


class Sight(msgspec.Struct, frozen=True):
    """What one player knows: all that a person, or a bot in their place, decides by."""

    seat: int
    sees: Mapping[str, Any]
    """Of the world: their own hand, open cards, the height of piles."""
    table: Mapping[str, Any]
    """Of the match: the game's part of their view."""
    moves: tuple[Move, ...]
    """The moves that they can make now."""
    taken_back: bool = False
    """Whether an unseen move of theirs was taken back together with others' acts, and they have not moved since."""
    deals: int = 0
    """How often all cards were dealt again: a new hand may hold some of the same cards."""


class Physics(msgspec.Struct, Generic[W], frozen=True):
    """How a game's things behave when simulated; all functions are pure."""

    options: Mapping[str, Any]
    """The options of simulated matches: with readers at every place, so that every move is checked."""
    begin: Callable[[tuple[int, ...], Chance], W]
    """(the seats in order, chance) → the first world."""
    can: Callable[[W, Mapping[str, Any], int], tuple[Move, ...]]
    """(world, the game's part of a seat's view, the seat) → the moves that break no rule."""
    sees: Callable[[W, int], dict[str, Any]]
    """(world, seat) → what its player sees: their `hand`, and which card of it was just `drawn`."""
    do: Callable[[W, Move, Chance], tuple[W, tuple[Event, ...]]]
    """(world, a possible move, or at first `Move(0, "set-up")`, chance) → the next world, and the events sensed."""
    lies: Callable[[W], list[str]]
    """world → every card of it."""
    choose: Callable[[Sight, Strength, Chance], Move | None]
    """(what a seat knows, a bot's strength, chance) → its move; None: it waits."""
    shows: Callable[[W], dict[str, Any]] = nothing
    """world → the part that everybody sees, onlookers included."""
    suit: Callable[[W, Mapping[int, str]], W] = as_dealt
    """(world as dealt, players' chosen colours by seat) → the same world, with each player's cards in their colour."""


AnyPhysics = Physics[Any]
