"""Verdicts: the judge's answers to an event, rulings or a misplay."""

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final, Protocol, TypeVar

import msgspec

NOBODY: Final = 0
"""The recipient of a verdict that nobody may hear of; no seat has this number."""


class Ruling(msgspec.Struct, frozen=True):
    """A decision of the judge. The game's words hold its sentence, and the rule behind it, under `code`."""

    code: str
    seq: int
    """The event that caused it; taking that event back takes the ruling back."""
    facts: Mapping[str, Any] = {}
    """The facts for its sentence, in no language: seats, card ids, counts, microseconds."""
    events: tuple[int, ...] = ()
    """The other events that it is based on."""
    to: int | None = None
    """The only seat that is told; None: everybody is; `NOBODY`: it is sealed even from the acting player."""
    in_two_places: bool = False
    """Whether the card or colour in its facts was read at two places, and counts where it was read first."""
    as_refusal: bool = False
    """Whether its seat is told of it as of a misplay: that the act counts would reveal something sealed."""


class Heard(Enum):
    """When and how the recipients of a misplay hear of it."""

    AT_ONCE = "at once"
    """At once; a lamp shows everybody that the act was refused, though not why."""
    PRIVATELY = "privately"
    """At once, without a lamp: others may not even know that the act was refused."""
    AFTERWARDS = "afterwards"
    """Told to everybody, but only when the unit is over: at once it would reveal what is sealed."""


class Misplay(msgspec.Struct, frozen=True):
    """A breach of the rules by an event; its sentence says what to put right."""

    code: str
    seq: int
    facts: Mapping[str, Any] = {}
    to: int | None = None
    """As in `Ruling`. With `NOBODY`, the act is answered like any that counts."""
    heard: Heard = Heard.AT_ONCE
    in_two_places: bool = False
    """Whether the card or colour in its facts was read at two places, and counts where it was read first."""
    counts: bool = False
    """Whether the act counts as what it seems to be until a ruling tells the outcome; `to` is then `NOBODY`. Other
    misplays change nothing."""


Verdict = Ruling | Misplay


def refuses_at_once(verdict: Verdict) -> bool:
    """Return whether its recipients learn at once that the act was refused, or seems to be."""
    if isinstance(verdict, Ruling):
        return verdict.as_refusal
    return verdict.heard is not Heard.AFTERWARDS and verdict.to != NOBODY


def reads_as_misplay(verdict: Verdict) -> bool:
    """Return whether its recipients read it as a misplay."""
    return isinstance(verdict, Misplay) or verdict.as_refusal


class GameState(Protocol):
    """A game's state: frozen, with a flag for the end of the match."""

    @property
    def over(self) -> bool:
        """Whether the match has ended. From then on the judge says so of whatever comes; rules need no case for it."""


S = TypeVar("S", bound=GameState)
Judged = tuple[S, tuple[Verdict, ...]]
"""The next state and the verdicts that follow from an event."""
