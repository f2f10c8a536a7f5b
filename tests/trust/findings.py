"""What a trial found: how often something was tried, and how often a promise was broken by it."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

HEAD = "| what was tried, and what must hold | tried | broken | seen besides |\n|---|--:|--:|---|\n"


@dataclass(frozen=True)
class Finding:
    """One line of the table."""

    what: str
    tried: int
    broken: int
    besides: str = ""
    """Figures worth knowing, such as the longest time until all was well again."""
    untried: str = ""
    """Why it could not be tried here."""
    events: int | None = None
    """To how many events what broke it first was made small; None: it is not a matter of events."""

    @property
    def row(self) -> str:
        """Write it as a line of a Markdown table."""
        return f"| {self.what} | {self.tried:,} | {self.broken:,} | {self.untried or self.besides} |\n"


Trial = Callable[[bool], Iterator[Finding]]
"""Gives its findings one by one; True: quickly, a small part of what the long form tries."""


class Tally:
    """Counts how often each of several promises was tried, and keeps the first of what broke it."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._tried: Counter[str] = Counter()
        self._broken: Counter[str] = Counter()
        self._first: dict[str, tuple[str, int | None]] = {}

    def note(self, what: str, *, holds: bool, example: object, events: int | None = None) -> None:
        """Take in one trial; `example` is what broke the promise, if it did, after so many events."""
        self._tried[what] += 1
        if not holds:
            self._broken[what] += 1
            self._first.setdefault(what, (f"seed {self._seed}: {example}".replace("|", "/")[:600], events))

    def findings(self, named: str) -> Iterator[Finding]:
        """Return a line for each; `named` holds its name in the place of {}."""
        for what, tried in self._tried.items():
            first, events = self._first.get(what, ("", None))
            yield Finding(named.format(what), tried, self._broken[what], first, events=events)


T = TypeVar("T")


def small(found: Sequence[T], still: Callable[[Sequence[T]], bool]) -> list[T]:
    """Leave out as much as can be, long stretches first, so that it is `still` what was found."""
    left = [*found]
    size = len(found)
    while size:
        at = 0
        while at < len(left):
            less = left[:at] + left[at + size :]
            if still(less):
                left = less
            else:
                at += size
        size //= 2
    return left
