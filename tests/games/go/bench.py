"""How long the best division of a hand takes: any twelve cards of the box, by the processor's time."""

import random
import time
from collections.abc import Callable, Iterator

from companion.games.go.best_division import Division, of_caller, of_other, proposal
from companion.games.go.cards import COLOUR, HAND, IDS, bits
from tests.bench.figures import Budget, Figure

BUDGET = Budget(most_at_most=200)


def figures(quick: bool) -> Iterator[Figure]:
    chance = random.Random(HAND)
    callers = []
    of_others = []
    for _ in range(100 if quick else 10_000):
        open_card, *cards = chance.sample(IDS, 1 + 2 * HAND)
        row = COLOUR[open_card]
        caller = bits(cards[:HAND])
        other = bits(cards[HAND:])
        callers.append(_microseconds(_best_of_caller, caller, row))
        of_others.append(_microseconds(of_other, other, row, proposal(caller, row)))
    yield Figure("best division of a ¡Go! hand, the caller's", "µs", callers, BUDGET)
    yield Figure("best division of a ¡Go! hand, another's", "µs", of_others, BUDGET)


def _best_of_caller(hand: int, row: int) -> Division:
    return of_caller(hand, row, proposal(hand, row))


def _microseconds(divide: Callable[..., Division], *hand: int) -> float:
    began = time.process_time_ns()
    divide(*hand)
    return (time.process_time_ns() - began) / 1000
