"""Whose phones are off among those that are asked, as a page says it."""

import math
from collections.abc import Mapping

from msgspec import Struct

from companion.acts.question import Questions

ASKER_IS_TOLD = 12.0
"""Seconds without a sign after which the asker is told that a phone is off; one showing a page gives one every 4."""
STEP = 5
"""Pages show the remaining wait in steps of this many seconds."""


class Off(Struct, frozen=True):
    """Nobody who is asked can answer, because their phones are off."""

    seats: tuple[int, ...]
    """The seats whose phones are off."""
    seconds: int
    """Seconds until it goes on without them."""


def off(questions: Questions, silences: Mapping[int, float], at: float) -> Off | None:
    """Return whose phones are off, if all the phones asked are; `silences`: for how many seconds, by seat."""
    if not silences or min(silences.values()) < ASKER_IS_TOLD:
        return None
    seconds = max(questions.seconds_to_wait(silence, at) for silence in silences.values())
    return Off(tuple(silences), STEP * math.ceil(seconds / STEP))
