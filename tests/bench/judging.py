"""Judging: whole random matches of every game, one core, by the processor's time; and taking back the last act.

Some 15 % of the events are what a table throws in, 2 % take-backs. Neither an event that is taken back nor the taking
back counts. Each event is checked, and gives a whole new state and verdicts with the facts for their sentences; reading
the record, wording and pages are not in it.
"""

import random
import time
from collections.abc import Iterator

from msgspec.structs import replace

from companion import games
from companion.events import Event, Retracted
from companion.game import Game
from companion.judge.attribution import did, disturbs
from companion.judge.match import judge
from companion.judge.taken_back import standing
from companion.kit.random_matches import play
from companion.live.in_play import InPlay
from tests.bench.figures import Budget, Figure, compared

BUDGET = Budget(median_at_least=200_000)
LONG = 10_000
SHORT = 10
AS_ONE = Budget(median_at_most=1.5)


def judging(quick: bool) -> Iterator[Figure]:
    for slug, game in games.known().items():
        matches = played(game, 500 if quick else 20_000)
        yield Figure(f"judged, {slug}", "1/s", [once(matches) for _ in range(3 if quick else 9)], BUDGET)


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
    began = time.process_time()
    for events in matches:
        judge(events)
    return time.process_time() - began


def taking_back(quick: bool) -> Iterator[Figure]:
    """The last act of a long match, and of its first acts alone."""
    length, times = (500, 5) if quick else (LONG, 300)
    events = play(games.known()["go"], random.Random(2), {"target": 1000}, most=length, noise=0.5, undo=0.0)
    for label, take_back in (
        ("judged again", microseconds_to_take_back),
        ("whether it changes what others did", microseconds_to_ask),
    ):
        plays = {
            f"after {most} events": InPlay(1, judge(events[:most]), time.monotonic, demo=False)
            for most in (length, SHORT)
        }
        took = {name: [take_back(played) for _ in range(times)] for name, played in plays.items()}
        yield from compared(f"the last act taken back, {label}", "µs", took, "the former over the latter", AS_ONE)


def microseconds_to_take_back(played: InPlay) -> float:
    last = played.match.events[-1]
    back = Retracted(last.seq + 1, last.at, last.seq)
    began = time.perf_counter()
    played.judge([back])
    took = time.perf_counter() - began
    played.judge([replace(last, seq=last.seq + 2)])
    return 1e6 * took


def microseconds_to_ask(played: InPlay) -> float:
    last = len(played.match.events)
    began = time.perf_counter()
    did(played.match, [last])
    disturbs(played.match, [last])
    return 1e6 * (time.perf_counter() - began)
