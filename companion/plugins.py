"""What is found by being there: games and drivers, in this tree and in installed packages (by their entry points).

One that is broken, or stands for the same as another, is left out by name; everything else runs.
"""

import traceback
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import entry_points
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


class Candidate(msgspec.Struct, frozen=True):
    """Something that may be what is wanted."""

    label: str
    """What people know it by: its package, or its module."""
    name: str
    """What it is called there."""
    load: Callable[[], Any]
    """Imports it; may raise anything."""
    packaged: bool = True
    """Whether it comes from an installed package."""


class LeftOut(msgspec.Struct, frozen=True):
    """Something that is there and can't be used."""

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
    """Load them all; return what can be used by the key that `fit` gives it, and what is left out.

    `fit` raises `Unfit`. Of two with one key the first is used.
    """
    found: dict[str, T] = {}
    out: list[LeftOut] = []
    for one in candidates:
        try:
            key, made = fit(one, one.load())
            if key in found:
                raise Unfit(f"there is a {key!r} already")
        except Unfit as wrong:
            out.append(LeftOut(one.label, str(wrong)))
        except Exception as wrong:
            out.append(LeftOut(one.label, _said(wrong)))
        else:
            found[key] = made
    return found, tuple(out)


def see_contract(one: Candidate, written_for: object, ours: int) -> None:
    """See that a package was written for this contract; what lies in this tree was. Raises `Unfit`."""
    if one.packaged and written_for != ours:
        raise Unfit(f"it was written for contract {written_for}, this is {ours}: install a version for it")


def _said(wrong: Exception) -> str:
    """Say what was raised, and where."""
    at = traceback.extract_tb(wrong.__traceback__)[-1]
    return f"{type(wrong).__name__}: {wrong} ({at.filename}:{at.lineno})"
