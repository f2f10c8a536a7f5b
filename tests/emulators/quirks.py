"""What a PN532, its board and its wires are like: the emulated ones are as bad as others have found real ones."""

from dataclasses import dataclass


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
