"""What is true of a match: what the world shows of it and the booklet says, worked out without the judge.

A truth speaks in the words of the game's view, so that both can be compared, and its world asks it what people can do.
What no table can sense (`record.md` of each game says what) is no part of it: a voice, a card nobody tapped.
"""

import random
from collections.abc import Mapping
from typing import Any, Protocol, Self, runtime_checkable

from companion.events import Event
from companion.game.simulated_world import Move


class Truth(Protocol):
    """A match as it really stands; frozen."""

    __slots__ = ()

    @property
    def over(self) -> bool: ...

    @property
    def known(self) -> dict[str, Any]:
        """A part of the game's view, as it must be."""

    @property
    def scores(self) -> Mapping[int, int | None]: ...

    @property
    def winners(self) -> tuple[int, ...]:
        """() while the match is not over."""

    @property
    def waits_for(self) -> tuple[int, ...] | None:
        """The seats whose act is awaited; None: nobody's in particular."""

    @property
    def holds(self) -> Mapping[int, frozenset[str]]:
        """What lies in hands, where the judge follows them: it may know less, never other."""
        return {}

    @property
    def moves(self) -> tuple[Move, ...]:
        """What people can do now without breaking a rule."""

    def after(self, move: Move, at: int, chance: random.Random) -> "tuple[Truth, tuple[Event, ...]]":
        """What is true after a move made at a time (microseconds), and what the table senses of it."""

    def passed(self, at: int) -> Self:
        """What is true at this time though nobody did anything."""
        return self


@runtime_checkable
class Raced(Protocol):
    """A truth in which several may press at once, and the first counts."""

    race: str
    """What the move is called."""

    @property
    def racers(self) -> tuple[int, ...]:
        """Who has pressed already."""
