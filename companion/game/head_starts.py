"""Head starts: where a race decides, presses of a seat are judged as if they had come earlier, so that a child's 120 ms
cost them nothing. An option of the match, so everybody is told, and a record says so.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

SeatNumber = Literal["1", "2", "3", "4", "5", "6"]
"""A seat, as the keys of a record's options are written."""

HeadStarts = Mapping[SeatNumber, Annotated[float, msgspec.Meta(ge=0, le=1)]]
"""Seat → seconds."""


def in_microseconds(head_starts: HeadStarts, seats: tuple[int, ...]) -> dict[int, int]:
    """Return the head starts of these seats; those of nobody, and of no time, are left out."""
    spans = {seat: round(head_starts.get(str(seat), 0.0) * 1_000_000) for seat in seats}  # type: ignore[call-overload]
    return {seat: span for seat, span in spans.items() if span}
