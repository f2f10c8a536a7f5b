"""How a game's things behave in people's hands: all that a simulated table needs of a game besides its rules.

A world is a frozen value that knows what lies where, hidden things included; only its game knows its shape. Chance is
handed in. What a move shows to readers, buzzers and whoever is told something comes out of it as events with `seq` 0:
what a real table would have sensed, and nothing else, so the judge can't tell the two apart.
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
"""Standard deviation of the logarithm of the time that people take."""

W = TypeVar("W")


def nothing(_: object) -> dict[str, Any]:
    """Show nothing of a world that its game's own view does not tell already."""
    return {}


def as_dealt(world: W, _: Mapping[int, str]) -> W:
    """Leave a world as it is: its cards have nothing to do with what their players chose."""
    return world


class Move(msgspec.Struct, frozen=True):
    """What a person does with the things of the table."""

    seat: int
    """Who makes it; 0: nobody in particular."""
    what: str
    """In the game's own word; its words name it `move-WHAT`, and say in `if-WHAT` what comes of it."""
    card: str = ""
    """Which card they do it with, if they see it."""
    number: int = 0
    """Which pile, or how many."""
    seconds: float = 1.5
    """How long people usually take to do it, once they can."""
    at_once: bool = False
    """Whether being first counts, so that a page makes it on touch, not on release; `press` is always such a move."""
    declines: bool = False
    """Whether it declines something that people are asked, so that bots wait for them."""
    for_people: bool = False
    """Whether no bot makes it where a person can: it would begin before they are ready."""
    fleeting: bool = False
    """Whether somebody else's move may take it away at any time, as where two lay on one pile at once."""
    decides_nothing: bool = False
    """Whether nobody decides anything by it, such as turning up the next card: after a while the table makes it."""

    @property
    def is_raced_for(self) -> bool:
        """Whether being first counts."""
        return self.at_once or self.fleeting or self.what == "press"


def takes(move: Move, chance: Chance) -> float:
    """Return how many seconds somebody takes to do it, at random around the usual time."""
    return move.seconds * math.exp(chance.gauss(0.0, SPREAD))


DEAL = "deal"
"""What every game calls the move that deals all cards again."""
SETTING_UP = Move(0, "set-up")
"""The first move of every match: what is laid out and read before anybody plays."""


class Sight(msgspec.Struct, frozen=True):
    """What one person knows: everything by which a player, or a bot in their place, decides."""

    seat: int
    sees: Mapping[str, Any]
    """Of the world: their own hand, what lies open, how high the piles are."""
    table: Mapping[str, Any]
    """Of the match: the game's part of their own view."""
    moves: tuple[Move, ...]
    """What they can do now."""
    taken_back: bool = False
    """Whether something that they did unseen was taken back together with what others did, and they have not moved
    since."""
    deals: int = 0
    """How often all cards were dealt again, so that a hand is a new one though cards come back to it."""


class Physics(msgspec.Struct, Generic[W], frozen=True):
    """How a game is played with simulated things. All of it is pure."""

    options: Mapping[str, Any]
    """The options of its matches: readers at every place, so that every move is checked."""
    begin: Callable[[tuple[int, ...], Chance], W]
    """(the seats in their order) → what lies where at first."""
    can: Callable[[W, Mapping[str, Any], int], tuple[Move, ...]]
    """(world, the game's part of a seat's view, the seat) → what this person can do now without breaking a rule."""
    sees: Callable[[W, int], dict[str, Any]]
    """(world, seat) → what this person sees of it: their `hand`, and which card of it was just `drawn`."""
    do: Callable[[W, Move, Chance], tuple[W, tuple[Event, ...]]]
    """(world, a move that can be done, or at first `Move(0, "set-up")`) → the world after it, and what the table senses
    of it."""
    lies: Callable[[W], list[str]]
    """Every card of the world, wherever it lies."""
    choose: Callable[[Sight, Strength, Chance], Move | None]
    """What a bot of this strength does, given what its seat knows; None: it waits."""
    shows: Callable[[W], dict[str, Any]] = nothing
    """world → the part that lies open to everybody, mere onlookers included."""
    suit: Callable[[W, Mapping[int, str]], W] = as_dealt
    """(world as it was dealt, the colours that players chose, by seat) → the same with everybody's cards in theirs."""


AnyPhysics = Physics[Any]
