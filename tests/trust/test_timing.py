"""That the test of times sees what is there, and nothing else."""

import random

from tests.trust.timing import LEVEL, PLANTED_S, unlike


def times(chance: random.Random, longer: float = 0.0) -> list[float]:
    """As a table's are: some milliseconds, spread by half of one, now and then many more."""
    return [chance.gauss(0.003, 0.0005) + longer + (chance.random() < 0.02) * chance.random() / 50 for _ in range(500)]


def test_a_small_difference_is_seen() -> None:
    chance = random.Random(1)
    assert all(unlike(times(chance), times(chance, PLANTED_S)) < LEVEL for _ in range(20))


def test_where_there_is_none_one_is_seen_as_seldom_as_is_said() -> None:
    chance = random.Random(2)
    found = [unlike(times(chance), times(chance)) for _ in range(100)]
    assert sum(p < 0.05 for p in found) in range(1, 12)  # five of 100 are to be expected
    assert sum(p < LEVEL for p in found) <= 1
