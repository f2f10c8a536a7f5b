"""What a PN532, its board and its wires are like: the emulated ones are as bad as others have found real ones."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Quirks:
    """What real chips, boards and wires do at times, seen by others; as it stands, nothing."""

    seed: int = 0
    radio: tuple[float, float] = (0.005, 0.005)
    """Seconds that one search takes, drawn anew each time between these."""
    boot: float = 0.0
    """Seconds after a reset in which it hears nothing."""
    deaf: float = 0.0
    """Seconds after an answer in which it hears nothing."""
    lost: float = 0.0
    """The share of commands that it does not hear."""
    damaged: float = 0.0
    """The share of answers of which a bit is wrong."""
    zeros: int = 0
    """Beyond the one zero that precedes a frame's start."""
    unread: float = 0.0
    """The share of searches in which a tag that lies there is not heard."""
    two: str = "both"
    """What it lists of two tags: "both", always the "first", each "in turn", or "none"."""
    unacknowledged: float = 0.0
    """On I2C, the share of transfers at which it does not acknowledge its address."""
    bus_free: float = 0.0
    """On I2C, the seconds that it wants between two transfers."""


SPACE: Mapping[str, Sequence[Any]] = {
    "seed": range(1000),
    "radio": [(0.005, 0.005), (0.005, 0.03), (0.03, 0.05), (0.05, 0.1)],
    "boot": [0.0, 0.05, 0.2],
    "deaf": [0.0, 0.0003, 0.001],
    "lost": [0.0, 0.005, 0.02],
    "damaged": [0.0, 0.005, 0.02],
    "zeros": [0, 1, 2],
    "unread": [0.0, 0.165, 0.66],
    "unacknowledged": [0.0, 0.0125, 0.05],
    "bus_free": [0.0, 0.0013, 0.004],
}
"""How far each goes, by what others have measured. `Quirks()` is the best of it."""
OPENING, LATENCY = (0.0, 0.4, 1.4), (0.0, 0.004, 0.016)
"""Likewise the seconds after a serial port opens before its first byte, and those that an adapter waits for more."""


def drawn(chance: random.Random) -> Quirks:
    """Return what one chip is like."""
    return Quirks(**{name: chance.choice(values) for name, values in SPACE.items()})
