"""The open question: what one phone wants and another must agree to."""

import time
from collections.abc import Callable, Collection, Mapping
from typing import Any

import msgspec

from companion.access import seats
from companion.access.seats import HOST, Rights, Who

LAPSES = 120.0
"""Seconds after which nobody is asked any more."""
SILENCE = 60.0
"""Seconds without a sign of the phone that is asked after which it goes on without it."""


class Question(msgspec.Struct, frozen=True, eq=False):
    """What one phone wants and another must agree to."""

    id: str
    code: str
    """Names the sentence that says what is wanted, as far as everybody may know it."""
    facts: Mapping[str, Any]
    about: tuple[str, Mapping[str, Any]] | None
    """A further sentence within it, by its code: the entry that is to be taken back."""
    phone: str
    by_host: bool
    match: int | None
    at: float
    act: Callable[[], str]
    """Does it, and gives what to say."""
    of: int | None = None
    """The seat whose phone alone is asked; None: any other player's, or the host's."""


class Questions:
    """The question that is open; one at a time."""

    def __init__(self, changed: Callable[[], None], clock: Callable[[], float] = time.monotonic):
        """Begin with no question; `changed` is called whenever another one is open."""
        self._changed = changed
        self._clock = clock
        self._open: Question | None = None

    def ask(self, question: Question) -> None:
        """Open it; its time begins now."""
        self._open = msgspec.structs.replace(question, at=self._clock())
        self._changed()

    def current(self, now: Rights, match: int | None) -> Question | None:
        """Return the open question: not one of another match, nor of a phone that has lost its place since."""
        asked = self._open
        if asked is None or self._clock() - asked.at > LAPSES or asked.match != match:
            return None
        who = seats.who(now, asked.phone)
        return asked if (who.host if asked.by_host else who.parts - {HOST}) else None

    def wait(self, question: Question, silence: float) -> float:
        """Return the seconds until it goes on without the phone that is asked, and that has been silent for so long."""
        return max(0.0, SILENCE - min(silence, self._clock() - question.at))

    def close(self) -> None:
        """Nobody is asked any more."""
        self._open = None
        self._changed()


def may_agree(question: Question, who: Who, playing: Collection[int]) -> bool:
    """Return whether this phone is the one that is asked; never the one that asks."""
    if who.phone is None or who.phone == question.phone:
        return False
    if question.of is not None:
        return question.of in who.parts
    return bool(who.parts & set(playing)) if question.by_host else who.host
