"""Judged events a second: whole random matches of every game, one core, by the processor's time."""

import random
import time
from collections.abc import Iterator

from companion import games
from companion.events import Event
from companion.game import Game
from companion.judge.match import judge, standing
from companion.kit.matches import play
from tests.bench.figures import Budget, Figure

BUDGET = Budget(median_at_least=200_000)


def judging(quick: bool) -> Iterator[Figure]:
    for slug, game in games.known().items():
        matches = played(game, 500 if quick else 20_000)
        yield Figure(f"judged, {slug}", "1/s", [once(matches) for _ in range(3 if quick else 15)], BUDGET)


def once(matches: list[list[Event]]) -> float:
    """Judge them all; give the events a second."""
    return sum(map(count, matches)) / _seconds(matches)


def played(game: Game, events: int) -> list[list[Event]]:
    """Play matches to their end, with noise and take-backs, until so many events have been judged."""
    matches: list[list[Event]] = []
    while events > 0:
        matches.append(play(game, random.Random(len(matches)), {}, most=5000))
        events -= count(matches[-1])
    return matches


def count(events: list[Event]) -> int:
    """Count what is judged: neither what is taken back nor the taking back."""
    return len(standing(events))


def _seconds(matches: list[list[Event]]) -> float:
    before = time.process_time()
    for events in matches:
        judge(events)
    return time.process_time() - before
