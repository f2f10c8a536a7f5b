"""What a trial found: how often something was tried, and how often a promise was broken by it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

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

    def __str__(self) -> str:
        """Write it as a line of a Markdown table."""
        return f"| {self.what} | {self.tried:,} | {self.broken:,} | {self.untried or self.besides} |\n"


Trial = Callable[[bool], Iterator[Finding]]
"""Gives its findings one by one; True: quickly, a small part of what the long form tries."""
