"""Head starts: in races, a seat's presses are judged as if they had come earlier, to make up for a child's 120 ms.

They are an option of the match, so everybody is told, and the record has them.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

import msgspec

SeatNumber = Literal["1", "2", "3", "4", "5", "6"]
"""A seat, as a key in a record's options."""

HeadStarts = Mapping[SeatNumber, Annotated[float, msgspec.Meta(ge=0, le=1)]]
"""Seat → seconds."""
REACTIONS = "reactions"
"""The code of the chart, if a game has it, that shows how late each seat pressed."""
FEWEST = 3
"""Races of a seat from which its player's speed can be estimated."""
STEP = 10_000
"""Microseconds to which a suggestion is rounded: people type hundredths of a second."""
MOST = 1_000_000
"""Microseconds of the longest head start."""


def in_microseconds(head_starts: HeadStarts, seats: tuple[int, ...]) -> dict[int, int]:
    """Return these seats' head starts in microseconds, without those of zero."""
    spans = {seat: round(head_starts.get(str(seat), 0.0) * 1_000_000) for seat in seats}  # type: ignore[call-overload]
    return {seat: span for seat, span in spans.items() if span}


def that_make_even(reactions: Mapping[int, Sequence[int | None]]) -> dict[int, int]:
    """Return the head start in microseconds that would put each seat level with the quickest, by medians.

    `reactions`: by seat, how late it pressed in each race, in microseconds; None: it did not. Seats with too few
    presses are left out, and those that need no head start.
    """
    from statistics import median  # imported late: it would delay the first page

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
