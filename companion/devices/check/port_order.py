"""Checks the order and distance in which a table tells two presses that a finger made at a known interval. Pure.

The interval is known to eight nanoseconds, a cycle of the finger's clock, so any difference is the table's.
"""

from collections.abc import Iterable

from msgspec import Struct

RESOLUTION = 1e-6
"""Seconds: a box rounds the times it tells to this."""

_ROUNDING = RESOLUTION / 2


class Gap(Struct, frozen=True):
    """Two ports pressed once."""

    first: int
    """The seat whose port was pressed first."""
    other: int
    made: float
    """Seconds from its press to the other's."""
    told: float | None
    """The same by the times told; None if not both were told."""


class Certificate(Struct, frozen=True):
    """How well two ports of a table tell who was first."""

    seats: tuple[int, int]
    presses: int
    longest: float
    """The longest gap that was tried, in seconds."""
    missing: int
    """Presses that were not told at both seats."""
    apart: int
    """Presses with a time between them, however short."""
    reversed: int
    """Of these, told in the wrong order."""
    ties: int
    """Of these, told as simultaneous."""
    surely: float
    """Seconds: any two presses further apart than this were told in the right order."""
    off: float
    """The largest error of an interval told, in seconds."""
    at_once: int
    """Presses of both in the same cycle."""
    lower_first: int
    """Of these, told first at the lower seat."""
    upper_first: int

    @property
    def share(self) -> float:
        """Upper 95 % bound of the share of wrong orders if none was found (the rule of three)."""
        return min(1.0, 3 / self.apart) if self.apart else 1.0


def certificate(gaps: Iterable[Gap]) -> Certificate | None:
    """Sum up these presses; None if there are none."""
    tried = list(gaps)
    if not tried:
        return None
    lower, upper = sorted((tried[0].first, tried[0].other))
    told_gaps = [(gap, gap.told) for gap in tried if gap.told is not None]
    apart = [(gap, late) for gap, late in told_gaps if gap.made]
    at_once = [late if gap.first == lower else -late for gap, late in told_gaps if not gap.made]
    wrong = [gap.made for gap, late in apart if late < _ROUNDING]
    return Certificate(
        (lower, upper),
        presses=len(tried),
        longest=max(gap.made for gap in tried),
        missing=len(tried) - len(told_gaps),
        apart=len(apart),
        reversed=sum(late <= -_ROUNDING for _, late in apart),
        ties=sum(abs(late) < _ROUNDING for _, late in apart),
        surely=max(wrong, default=0.0),
        off=max((abs(late - gap.made) for gap, late in told_gaps), default=0.0),
        at_once=len(at_once),
        lower_first=sum(late >= _ROUNDING for late in at_once),
        upper_first=sum(late <= -_ROUNDING for late in at_once),
    )
