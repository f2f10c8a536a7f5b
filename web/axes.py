"""Where things go in a drawing 360 units wide, about a phone's pixels: figures left of LEFT, names at the right."""

import math
from collections.abc import Callable, Sequence

WIDTH, LEFT, RIGHT, TOP, HEIGHT = 360, 46, 84, 10, 190
"""HEIGHT is that of the field alone, between LEFT and WIDTH - RIGHT."""
NAME_APART = 15
LOGARITHMIC_FROM = 100
"""How many times the least figure the greatest must be."""


def spread(number: int) -> Callable[[int], float]:
    """Where a column stands; a single one in the middle."""
    field = WIDTH - LEFT - RIGHT - 16
    return lambda at: round(LEFT + 8 + field * (at / (number - 1) if number > 1 else 0.5), 1)


def scale(values: Sequence[int]) -> tuple[Callable[[float], float], list[float]]:
    """Give the axis: where a figure stands, and the round figures beside it."""
    low, high = min(values), max(values)
    if low > 0 and high / low >= LOGARITHMIC_FROM:
        first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
        return (
            lambda value: _up((math.log10(value) - first) / (last - first)),
            [10.0**power for power in range(first, last + 1)],
        )
    low, high = min(low, 0), max(high, 0)
    step = _step((high - low) / 4)
    ticks = [step * turn for turn in range(math.floor(low / step), math.ceil(high / step) + 1)]
    return lambda value: _up((value - ticks[0]) / (ticks[-1] - ticks[0])), ticks


def _up(share: float) -> float:
    return round(TOP + HEIGHT * (1 - share), 1)


def _step(least: float) -> float:
    """The next round figure: 1, 2 or 5 and noughts; never less than one, for every figure is whole."""
    power = 10.0 ** math.floor(math.log10(max(least, 1)))
    return next(round_one * power for round_one in (1, 2, 5, 10) if round_one * power >= least)


def apart(wished: Sequence[float]) -> list[float]:
    """Place names near where they are wished, none over another, none below the field."""
    order = sorted(range(len(wished)), key=lambda one: wished[one])
    placed = [0.0] * len(wished)
    least = 0.0
    for one in order:
        placed[one] = least = max(wished[one], least)
        least += NAME_APART
    most = float(TOP + HEIGHT)
    for one in reversed(order):
        placed[one] = most = min(placed[one], most)
        most -= NAME_APART
    return placed
