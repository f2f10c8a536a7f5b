"""Checkpoints of a match's state: after a retraction the match is judged again from the latest one before the act.

One is made after every `EVERY` acts. The newest `EACH` are kept, before these every second one, again `EACH`, before
these every fourth, and so on at doubling distances. So retracting an act made n acts ago means judging at most
n + n / (`EACH` - 1) + `EVERY` acts again, however long the match is, while some seventy states are kept of 10,000 acts,
and some hundred of a million. The first one, of the match's beginning, is always kept. After many retractions few are
left, until judging again has made new ones.
"""

from collections import deque
from collections.abc import Hashable, Mapping
from itertools import count
from typing import Any, Self

import msgspec

from companion.game import Verdict

EVERY = 16
EACH = 8


class Checkpoint(msgspec.Struct, frozen=True):
    """The state of a match; of lists that only grow it holds the length."""

    number: int
    """Its number, from 0 for the beginning."""
    taken: int
    """The number of events in the record up to then."""
    verdicts: int
    told: int
    public: int
    state: Any
    unit: Hashable
    unit_began: int
    open: frozenset[str]
    withheld: tuple[Verdict, ...]
    last_taps: Mapping[str, tuple[Any, ...]]


class Checkpoints:
    """The checkpoints that are kept, the later the closer together."""

    def __init__(self) -> None:
        self._rows: list[deque[Checkpoint]] = [deque()]
        """Row 0 holds the newest, row 1 every second one before them, row 2 every fourth before those …"""

    def lay(self, new: Checkpoint) -> None:
        """Add a checkpoint that is later than all that are kept."""
        for row in count():
            if row == len(self._rows):
                self._rows.append(deque())
            self._rows[row].append(new)
            if len(self._rows[row]) <= EACH:
                return
            # The oldest of a full row moves to the next, which keeps only every second one: the others are dropped.
            new = self._rows[row].popleft()
            if new.number % 2 ** (row + 1):
                return

    def back_to(self, events_taken: int) -> Checkpoint:
        """Drop the checkpoints after the first `events_taken` events, and return the latest that is left."""
        for row in self._rows:
            while row and row[-1].taken > events_taken:
                row.pop()
        return self.last_before(events_taken)

    def last_before(self, events_taken: int) -> Checkpoint:
        """Return the latest checkpoint within the first `events_taken` events."""
        return next(
            checkpoint for row in self._rows for checkpoint in reversed(row) if checkpoint.taken <= events_taken
        )

    def copy(self) -> Self:
        """Return an independent copy."""
        duplicate = type(self)()
        duplicate._rows = [row.copy() for row in self._rows]
        return duplicate
