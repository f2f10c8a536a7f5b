"""Which phones are off when a question waits for them, as a page shows it."""

import math
from collections.abc import Mapping

from msgspec import Struct

from companion.acts.question import Questions

ASKER_IS_TOLD = 12.0
"""Seconds without a sign of life after which the asker learns that a phone is off; an open page sends one every 4."""
STEP = 5
"""Pages show the remaining wait in steps of this many seconds."""


class Off(Struct, frozen=True):
    """The phones of all who are asked are off, so nobody can answer."""

    seats: tuple[int, ...]
    """The seats whose phones are off."""
    seconds: int
    """Seconds until the game goes on without their answer."""


def off(questions: Questions, silences: Mapping[int, float], at: float) -> Off | None:
    """Return which phones are off, if all that are asked are; `silences` is for how many seconds, by seat."""
    if not silences or min(silences.values()) < ASKER_IS_TOLD:
        return None
    seconds = max(questions.seconds_to_wait(silence, at) for silence in silences.values())
    return Off(tuple(silences), STEP * math.ceil(seconds / STEP))
