"""What the judge answers to an event: rulings, or a misplay."""

from collections.abc import Mapping
from enum import Enum
from typing import Any, Protocol, TypeVar

import msgspec


class Ruling(msgspec.Struct, frozen=True):
    """A decision of the judge. Its sentence, and the rule it rests on, are in the game's words under `code`."""

    code: str
    seq: int
    """The event that brought it about; taking that event back takes the ruling back."""
    facts: Mapping[str, Any] = {}
    """The facts that its sentence needs, in no language: seats, card ids, counts, microseconds."""
    events: tuple[int, ...] = ()
    """The other events it rests on."""
    to: int | None = None
    """The only seat that may know of it; None: everybody."""
    in_two_places: bool = False
    """Whether what its facts name, a card or a colour, was read at two places and counts where it was read first."""


class Heard(Enum):
    """When everybody, or the seat concerned, hears of a misplay."""

    AT_ONCE = "at once"
    AFTERWARDS = "afterwards"
    """By everybody, but only when the unit is over: at once it would give away what is sealed."""
    NEVER = "never"
    """Its reason is sealed even from whoever did it, so the act is answered like any other and counts for what it seems
    to be. A ruling tells the outcome once that is open."""
    PRIVATELY = "privately"
    """At once, by the seat that did it alone: no lamp shows it, for others may not even know that it was refused."""
    FEIGNED = "feigned"
    """At once, though it is not a misplay: to whoever hears it, the act must seem refused."""


class Misplay(msgspec.Struct, frozen=True):
    """An event that breaks the rules and changed nothing; its words say what to put right."""

    code: str
    seq: int
    facts: Mapping[str, Any] = {}
    to: int | None = None
    heard: Heard = Heard.AT_ONCE
    in_two_places: bool = False
    """Whether what its facts name, a card or a colour, was read at two places and counts where it was read first."""

    @property
    def at_once(self) -> bool:
        """Whether it is heard at once."""
        return self.heard in (Heard.AT_ONCE, Heard.PRIVATELY, Heard.FEIGNED)


Verdict = Ruling | Misplay


class GameState(Protocol):
    """A game's state: frozen, and it knows when the match is over."""

    @property
    def over(self) -> bool:
        """Whether the match has ended."""


S = TypeVar("S", bound=GameState)
Judged = tuple[S, tuple[Verdict, ...]]
"""What follows from an event: the next state and the verdicts."""
