"""Moves a second of a Python engine: random matches are played once, then, by the processor's time, the same again."""

import json
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

Moves = Sequence[Any]


def moves_and_times() -> tuple[int, int]:
    """Return how many moves to make, and how many times to make them again."""
    moves, times = map(int, sys.argv[1:])
    return moves, times


def played(moves: int, playout: Callable[[int], Moves]) -> list[Moves]:
    """Play matches, by their number, until so many moves are made."""
    matches: list[Moves] = []
    while sum(map(len, matches)) < moves:
        matches.append(playout(len(matches)))
    return matches


def rates(replay: Callable[[Moves], object], matches: Sequence[Moves], times: int) -> list[float]:
    moves = sum(map(len, matches))
    return [moves / _seconds(replay, matches) for _ in range(times)]


def _seconds(replay: Callable[[Moves], object], matches: Sequence[Moves]) -> float:
    began = time.process_time()
    for moves in matches:
        replay(moves)
    return time.process_time() - began


def tell(version: str, rates: dict[str, list[float]]) -> None:
    print(json.dumps({"version": version, "rates": rates}))
