"""Snapshots of a match's state along the way: taking an act back judges again from the last one before it.

One is laid after every `EVERY` acts. The newest `EACH` of them are kept; before these every second one, again `EACH`;
before these every fourth, and so on, at distances that double. So whoever takes back what was done n acts ago has at
most n + n / (`EACH` - 1) + `EVERY` acts judged again, however long the match is; and of 10,000 acts some seventy states
are kept, of a million some hundred. How the match began is always among them. Where much was taken back, few lie
before it, until judging again has laid new ones.
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
    """How a match stood. Lists that only grow are kept by their length at the time."""

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
    """The checkpoints that are kept, later ones closer together."""

    def __init__(self) -> None:
        self._rows: list[deque[Checkpoint]] = [deque()]
        """The newest; before them every second one; before them every fourth …"""

    def lay(self, new: Checkpoint) -> None:
        """Add one that is later than all that are kept."""
        for row in count():
            if row == len(self._rows):
                self._rows.append(deque())
            self._rows[row].append(new)
            if len(self._rows[row]) <= EACH:
                return
            new = self._rows[row].popleft()
            if new.number % 2 ** (row + 1):
                return

    def back_to(self, taken: int) -> Checkpoint:
        """Forget those laid after so many events, and return the latest that is left."""
        for row in self._rows:
            while row and row[-1].taken > taken:
                row.pop()
        return self.last_before(taken)

    def last_before(self, taken: int) -> Checkpoint:
        """Return the latest laid within so many events."""
        return next(checkpoint for row in self._rows for checkpoint in reversed(row) if checkpoint.taken <= taken)

    def copy(self) -> Self:
        """Return a copy that can grow differently."""
        duplicate = type(self)()
        duplicate._rows = [row.copy() for row in self._rows]
        return duplicate
