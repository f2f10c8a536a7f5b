"""Where the seats of a table are drawn: six spots around it, 1 to 3 above, 4 to 6 below, clockwise."""

from collections.abc import Mapping, Sequence

from companion.events import SEATS

_SPOTS = {2: (2, 5), 3: (1, 3, 5), 4: (1, 3, 4, 6), 5: (1, 2, 3, 4, 6)}
"""The spots of a table with fewer than six seats."""


def spots(seats: Sequence[int]) -> Mapping[int, int]:
    """Return the spot of each of the six seats: seats of the table first, those that only phones can take in between.

    If the table's seats are not numbered from 1 without gaps, each seat keeps the spot of its number.

    >>> spots((1, 2, 3, 4))
    {1: 1, 2: 3, 3: 4, 4: 6, 5: 2, 6: 5}
    """
    if tuple(seats) != tuple(SEATS[: len(seats)]):
        return {seat: seat for seat in SEATS}
    first = _SPOTS.get(len(seats), tuple(SEATS)[: len(seats)])
    between = [spot for spot in SEATS if spot not in first]
    return dict(zip(SEATS, (*first, *between), strict=True))
