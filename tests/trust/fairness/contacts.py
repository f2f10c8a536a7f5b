"""What a finger makes of a button at the end of a cable, as the pin sees it. Nanoseconds; every figure is assumed."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from tests.firmware.pio import MHZ
from tests.firmware.waves import bouncing

NS = 1000 / MHZ
"""Of a cycle."""
LONGEST_CABLE = 5.0
"""Metres."""
MOST_BOUNCES = 30
LONGEST_BOUNCE = 400.0
"""µs, of one contact or pause while it bounces."""
CLOSES_LATE, _OPENS_LATE = 15.0, 5000.0
"""Nanoseconds a metre: the contact empties the cable at once; the pull-up of some 50 kΩ fills its 100 pF slowly."""


@dataclass(frozen=True)
class Contact:
    """A button: how worn, and how far away."""

    bounces: int
    metres: float

    def pressed(self, chance: random.Random, at: float) -> list[float]:
        """Close for good at a moment; give when the pin falls, rises, falls …

        Where the cable is too slow to fill before the contact closes again, the pin sees nothing of that bounce.
        """
        longest = round(LONGEST_BOUNCE * MHZ)
        closes = [at + edge * NS for edge in bouncing(chance, 0, self.bounces, longest=longest)]
        edges = [
            edge + self.metres * (_OPENS_LATE if number % 2 else CLOSES_LATE) for number, edge in enumerate(closes)
        ]
        seen = edges[:1]
        for opens, shuts in zip(edges[1::2], edges[2::2], strict=False):
            if opens < shuts:
                seen += [opens, shuts]
        return seen


def worn(chance: random.Random) -> Contact:
    """Return any button: a new one or a worn one, near or far; no two of a table need be alike."""
    return Contact(chance.choice((0, 1, 3, 10, MOST_BOUNCES)), chance.uniform(0.3, LONGEST_CABLE))


def sampled(chance: random.Random, edges: Sequence[float]) -> list[int]:
    """Return the cycles in which a state machine sees these edges: some come a cycle later, as the flip-flops fall."""
    cycles: list[int] = []
    for edge in edges:
        seen = -int(-edge // NS) + chance.randrange(2)
        cycles.append(max(seen, cycles[-1] + 1) if cycles else seen)
    return cycles
