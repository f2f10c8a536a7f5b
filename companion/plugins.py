"""What is found by being there: games and drivers, in this tree and in installed packages (by their entry points).

One that is broken, or duplicates another, is left out and named; everything else runs.
"""

import traceback
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import entry_points
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


class Candidate(msgspec.Struct, frozen=True):
    """A candidate: something that may be a game or a driver."""

    label: str
    """The name people know it by: its package, or its module."""
    name: str
    """Its name there."""
    load: Callable[[], Any]
    """Imports it; may raise anything."""
    packaged: bool = True
    """Whether it comes from an installed package."""


class LeftOut(msgspec.Struct, frozen=True):
    """Something that was found but can't be used."""

    label: str
    why: str

    def __str__(self) -> str:
        return f"{self.label} is left out: {self.why}"


class Unfit(Exception):
    """What was loaded can't be used; the message says why."""


def installed(group: str) -> Iterator[Candidate]:
    """Yield what installed packages bring to this group of entry points, in name order."""
    for point in sorted(entry_points(group=group), key=lambda point: (point.name, point.value)):
        package = f"{point.dist.name} {point.dist.version}" if point.dist else point.value
        yield Candidate(f"{point.name} of the package {package}", point.name, point.load)


def gathered(
    candidates: Iterable[Candidate], fit: Callable[[Candidate, Any], tuple[str, T]]
) -> tuple[dict[str, T], tuple[LeftOut, ...]]:
    """Load them all; return the usable ones by the key that `fit` returns, and those that are left out.

    `fit` raises `Unfit`. Of two with one key the first is used.
    """
    usable: dict[str, T] = {}
    out: list[LeftOut] = []
    for candidate in candidates:
        try:
            key, loaded = fit(candidate, candidate.load())
            if key in usable:
                raise Unfit(f"there is a {key!r} already")
        except Unfit as wrong:
            out.append(LeftOut(candidate.label, str(wrong)))
        except Exception as wrong:
            out.append(LeftOut(candidate.label, _in_words(wrong)))
        else:
            usable[key] = loaded
    return usable, tuple(out)


def see_contract(candidate: Candidate, written_for: object, ours: int) -> None:
    """Check that a package was written for this contract; whatever is in this tree was. Raises `Unfit`."""
    if candidate.packaged and written_for != ours:
        raise Unfit(f"it was written for contract {written_for}, this is {ours}: install a version for it")


def _in_words(wrong: Exception) -> str:
    """Return what was raised, and where, as text."""
    at = traceback.extract_tb(wrong.__traceback__)[-1]
    return f"{type(wrong).__name__}: {wrong} ({at.filename}:{at.lineno})"
