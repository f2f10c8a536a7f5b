"""Turn order, where players act one after the other around the table."""

from collections.abc import Sequence


def next_seat(seats: Sequence[int], seat: int, steps: int = 1) -> int:
    """Return the seat so many steps further round the table, among those that play; negative steps go back.

    >>> next_seat((1, 2, 5), 2), next_seat((1, 2, 5), 5), next_seat((1, 2, 5), 1, -1)
    (5, 1, 5)
    """
    return seats[(seats.index(seat) + steps) % len(seats)]
