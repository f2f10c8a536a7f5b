"""Head starts: where a race decides, presses of a seat are judged as if they had come earlier, so that a child's 120 ms
cost them nothing. An option of the match, so everybody is told, and a record says so.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

import msgspec

SeatNumber = Literal["1", "2", "3", "4", "5", "6"]
"""A seat, as the keys of a record's options are written."""

HeadStarts = Mapping[SeatNumber, Annotated[float, msgspec.Meta(ge=0, le=1)]]
"""Seat → seconds."""
REACTIONS = "reactions"
"""The chart, if a game with head starts has it, that shows how late each seat pressed."""
FEWEST = 3
"""So many races of a seat say how quick its player is."""
STEP = 10_000
"""Microseconds to which a suggestion is rounded: nobody types a ruler's thousandths."""
MOST = 1_000_000
"""Microseconds of the longest head start."""


def in_microseconds(head_starts: HeadStarts, seats: tuple[int, ...]) -> dict[int, int]:
    """Return the head starts of these seats; those of nobody, and of no time, are left out."""
    spans = {seat: round(head_starts.get(str(seat), 0.0) * 1_000_000) for seat in seats}  # type: ignore[call-overload]
    return {seat: span for seat, span in spans.items() if span}


def that_make_even(reactions: Mapping[int, Sequence[int | None]]) -> dict[int, int]:
    """Return the head start in microseconds with which each seat is usually as soon as the soonest.

    `reactions`: by seat, how late it pressed in each race, in microseconds; None: it did not. Seats that pressed too
    seldom to tell are left out, and those that need none.
    """
    from statistics import median  # only when needed: it takes longer than a first page can spare

    behind: dict[int, list[int]] = {seat: [] for seat in reactions}
    for race in zip(*reactions.values(), strict=True):
        times = {seat: time for seat, time in zip(reactions, race, strict=True) if time is not None}
        if len(times) > 1:
            for seat, time in times.items():
                behind[seat].append(time - min(times.values()))
    usual = {seat: median(spans) for seat, spans in behind.items() if len(spans) >= FEWEST}
    least = min(usual.values(), default=0)
    even = {seat: round((span - least) / STEP) * STEP for seat, span in usual.items()}
    return {seat: min(span, MOST) for seat, span in even.items() if span}
