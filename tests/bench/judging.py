"""Judged events a second: whole random matches of every game, one core, by the processor's time."""

import random
import time
from collections.abc import Iterator

from companion import games
from companion.events import Event
from companion.match import judge
from tests.bench.figures import Budget, Figure
from tests.games.matches import play

BUDGET = Budget(median_at_least=200_000)


def judging(quick: bool) -> Iterator[Figure]:
    for slug, game in games.known().items():
        matches = [play(game, random.Random(seed), {}) for seed in range(5 if quick else 200)]
        events = sum(map(len, matches))
        yield Figure(f"judged, {slug}", "1/s", [events / _seconds(matches) for _ in range(3 if quick else 15)], BUDGET)


def _seconds(matches: list[list[Event]]) -> float:
    before = time.process_time()
    for events in matches:
        judge(events)
    return time.process_time() - before
