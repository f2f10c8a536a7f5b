"""Whose turn it is, where players act one after the other around the table."""

from collections.abc import Sequence


def next_seat(seats: Sequence[int], seat: int, steps: int = 1) -> int:
    """Return who sits so many places further round, among the seats that play; below zero, the other way round.

    >>> next_seat((1, 2, 5), 2), next_seat((1, 2, 5), 5), next_seat((1, 2, 5), 1, -1)
    (5, 1, 5)
    """
    return seats[(seats.index(seat) + steps) % len(seats)]
