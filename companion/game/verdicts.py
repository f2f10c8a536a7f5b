"""What the judge answers to an event: rulings, or a misplay."""

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final, Protocol, TypeVar

import msgspec

NOBODY: Final = 0
"""Whom a verdict is told to that nobody may hear of: no seat has this number."""


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
    """The only seat that is told; None: everybody is; `NOBODY`: it is sealed even from whoever did it."""
    in_two_places: bool = False
    """Whether what its facts name, a card or a colour, was read at two places and counts where it was read first."""
    as_refusal: bool = False
    """Whether its seat is told of it as of a misplay at once: that the act counts for something would show what is
    sealed."""


class Heard(Enum):
    """How those whom a misplay is told to hear of it."""

    AT_ONCE = "at once"
    """A lamp shows everybody that the act was refused, though perhaps not why."""
    PRIVATELY = "privately"
    """At once, and no lamp shows it: others may not even know that it was refused."""
    AFTERWARDS = "afterwards"
    """By everybody, but only when the unit is over: at once it would give away what is sealed."""


class Misplay(msgspec.Struct, frozen=True):
    """An event that breaks the rules; its words say what to put right."""

    code: str
    seq: int
    facts: Mapping[str, Any] = {}
    to: int | None = None
    """As in `Ruling`. One told to `NOBODY` is answered like any other act."""
    heard: Heard = Heard.AT_ONCE
    in_two_places: bool = False
    """Whether what its facts name, a card or a colour, was read at two places and counts where it was read first."""
    counts: bool = False
    """Whether it counts for what it seems to be, until a ruling tells the outcome; told to `NOBODY`. Any other changes
    nothing."""


Verdict = Ruling | Misplay


def refuses_at_once(verdict: Verdict) -> bool:
    """Whether those whom it is told to learn at once that the act was refused, or seems to be."""
    if isinstance(verdict, Ruling):
        return verdict.as_refusal
    return verdict.heard is not Heard.AFTERWARDS and verdict.to != NOBODY


def reads_as_misplay(verdict: Verdict) -> bool:
    """Whether those whom it is told to read it as a misplay."""
    return isinstance(verdict, Misplay) or verdict.as_refusal


class GameState(Protocol):
    """A game's state: frozen, and it knows when the match is over."""

    @property
    def over(self) -> bool:
        """Whether the match has ended. From then on the judge says so of whatever comes; rules need no case for it."""


S = TypeVar("S", bound=GameState)
Judged = tuple[S, tuple[Verdict, ...]]
"""What follows from an event: the next state and the verdicts."""
