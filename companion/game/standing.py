"""Scores and winners."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec


class Outcome(msgspec.Struct, frozen=True):
    """The current scores of a match, and its winners once it is over."""

    scores: Mapping[int, int | None]
    winners: tuple[int, ...]


def leaders(points: Mapping[int, int], best: Callable[[Iterable[int]], int] = max) -> tuple[int, ...]:
    """Return the seats that have the most points or, with `min`, the fewest.

    >>> leaders({3: 2, 1: 2, 2: 0}), leaders({1: 2, 2: 0}, min)
    ((1, 3), (2,))
    """
    first = best(points.values())
    return tuple(sorted(seat for seat, points_there in points.items() if points_there == first))


def with_gains(points: Mapping[int, int], gains: Mapping[int, int]) -> dict[int, int]:
    """Add a round's gains to the points by seat; seats without a gain may be left out.

    >>> with_gains({1: 3, 2: 5}, {2: -1})
    {1: 3, 2: 4}
    """
    return {seat: held + gains.get(seat, 0) for seat, held in points.items()}


def most_points(state: Any) -> Outcome:
    """Return the outcome by the state's `points`: the most win, and ties share the win."""
    return Outcome(state.points, leaders(state.points) if state.over else ())


def fewest_points(state: Any) -> Outcome:
    """Return the outcome by the state's `points`: the fewest win, and ties share the win."""
    return Outcome(state.points, leaders(state.points, min) if state.over else ())
