"""A match's entry in the log, without its events: who plays it, when it began, decisions, and its pause."""

import hashlib
from enum import IntEnum

import msgspec

from companion.storage import decisions
from companion.storage.decisions import Decided, Decision


class Played(IntEnum):
    """Who plays a match, as its row says in `simulated`."""

    BY_HAND = 0
    SIMULATED = 1
    """People, at a table that has no sensors."""
    BY_ITSELF = 2
    """A demonstration: nobody's match."""
    TRIED = 3
    """Entered by hand for invented people: nobody's match either."""
    LOST = 4
    """Unreadable when the log was rebuilt; the row reserves its number."""
    DEALT = 5
    """People and bots, with cards that the table itself dealt and read."""


NOBODYS = Played.BY_ITSELF, Played.TRIED
"""Matches that count for nobody."""


class Entry(msgspec.Struct, frozen=True):
    """A match in the log."""

    id: int
    began: str
    """Local time, ISO 8601; "" while nobody knows when it was."""
    played: int
    """A value of `Played`."""
    game: str
    events: int
    noted: str = ""
    """When it began by the wall clock of that evening, which may have been wrong; ISO 8601."""
    sitting: str = ""
    """Identifies the run of the program in which it began; "" for matches from before this was noted."""
    newest: str = ""
    """The digest of its last event; "" in layout 1, which has none."""
    decisions: tuple[Decision, ...] = decisions.NONE
    """What people decided about it after its end, oldest first."""

    @property
    def revision(self) -> int:
        """Identifies what is recorded of the match; results computed from another revision are computed again."""
        recorded = f"{self.newest} {self.events} {len(self.decisions)}"
        return int(hashlib.sha256(recorded.encode()).hexdigest()[:13], 16)  # 52 bits, which JavaScript keeps exactly

    @property
    def left_out(self) -> bool:
        """Whether people have decided that it counts nowhere."""
        return decisions.is_left_out(self.decisions)

    @property
    def put_right(self) -> bool:
        """Whether it was changed after its end."""
        return any(decision.what is Decided.PUT_RIGHT for decision in self.decisions)

    @property
    def counts_for_nobody(self) -> bool:
        """Whether it is nobody's match, or was left out."""
        return self.demo or self.left_out

    @property
    def simulated(self) -> bool:
        """Whether no sensor told of it, or no people played it."""
        return bool(self.played)

    @property
    def dealt(self) -> bool:
        """Whether the table itself dealt and read its cards, so that none can have been misread."""
        return self.played in (Played.DEALT, Played.BY_ITSELF)

    @property
    def demo(self) -> bool:
        """Whether it is nobody's match."""
        return self.played in NOBODYS

    @property
    def by_itself(self) -> bool:
        """Whether nobody played it: a demonstration."""
        return self.played == Played.BY_ITSELF


class Pausing(msgspec.Struct, frozen=True):
    """Since when a match is paused, and why."""

    at: float
    """Seconds on the table's clock."""
    why: str
    """A value of `companion.live.pause.Why`."""


class LastRows(msgspec.Struct, frozen=True):
    """How far a log had been read: the numbers of its last rows."""

    event: int = 0
    decision: int = 0
