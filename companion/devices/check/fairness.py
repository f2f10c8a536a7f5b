"""Compares ports by one button that is wired to several: is its press told at the same time at every seat? Pure.

The true time of a press is unknown, but all ports see the same one, so any difference between the times they tell comes
from their wiring, their device, or their driver.
"""

import math
import statistics
from collections.abc import Iterator, Mapping
from enum import StrEnum
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from companion.devices.check.walk import TOGETHER_S
from companion.devices.sensing import Buzzed

FEWEST = 10
"""Presses needed for a verdict on two ports."""
EVEN = 0.1
"""Share of the tie window by which two ports may differ on average and still count as equal: the dead heat covers
it."""

_RESOLUTION_S = 1e-6
_CERTAIN = 2.0  # standard errors: 95 of 100 such averages are no further off


class Evenness(StrEnum):
    """The verdict on two ports."""

    EQUAL = "equal"
    LATE = "late"
    """One port is late by more than is allowed on average."""
    SPLIT = "split"
    """One single press arrived so far apart that it would have won a shout against itself."""
    UNSURE = "unsure"
    """They vary too much for so few presses."""
    FEW = "few"
    """Too few presses were heard at both."""


class Pair(Struct, frozen=True):
    """How the ports of two seats compare."""

    one: int
    """The seat that is earlier on average; of equal ones the lower."""
    other: int
    evenness: Evenness
    window: float
    """The tie window in seconds."""
    presses: int
    """How many were heard at both."""
    one_first: int
    other_first: int
    late: float
    """Seconds by which the other is later, on average."""
    spread: float
    """The standard deviation of that, in seconds."""
    most: float
    """The largest difference within one press, in seconds."""

    @property
    def within(self) -> float:
        """Upper bound of the average, in seconds, given this many presses."""
        return max(self.late + self.error, _RESOLUTION_S)

    @property
    def error(self) -> float:
        """Seconds by which the average may be off."""
        return _CERTAIN * self.spread / math.sqrt(self.presses)


class Joined(Struct, frozen=True):
    """The presses of a joined button."""

    presses: tuple[Mapping[int, float], ...] = ()
    """For each press, the seats at which it was heard, and when; in the order in which they were first heard."""

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats at which it was heard."""
        return tuple(sorted({seat for press in self.presses for seat in press}))


def add_press(joined: Joined, press: Buzzed) -> Joined:
    """Add a press. Presses close together are one press of the button; a repeat at the same seat is a bounce."""
    for number, times in enumerate(joined.presses):
        if any(abs(press.at - at) < TOGETHER_S for at in times.values()):
            with_press = {press.seat: press.at, **times}
            return replace(joined, presses=(*joined.presses[:number], with_press, *joined.presses[number + 1 :]))
    return replace(joined, presses=(*joined.presses, {press.seat: press.at}))


def pairs(joined: Joined, window: float) -> Iterator[Pair]:
    """Compare all ports at which it was heard, two at a time, against a tie window in seconds."""
    for earlier, later in combinations(joined.seats, 2):
        delays = [press[later] - press[earlier] for press in joined.presses if earlier in press and later in press]
        yield _pair(earlier, later, delays, window)


def missed(joined: Joined) -> dict[int, int]:
    """Return the seats that did not hear every press, and how many they missed."""
    counts = {seat: sum(seat not in press for press in joined.presses) for seat in joined.seats}
    return {seat: count for seat, count in counts.items() if count}


def _pair(earlier: int, later: int, delays: list[float], window: float) -> Pair:
    mean = statistics.fmean(delays) if delays else 0.0
    if mean < 0:
        earlier, later = later, earlier
        delays = [-delay for delay in delays]
        mean = -mean
    pair = Pair(
        earlier,
        later,
        Evenness.EQUAL,
        window,
        presses=len(delays),
        one_first=sum(delay >= _RESOLUTION_S / 2 for delay in delays),
        other_first=sum(delay <= -_RESOLUTION_S / 2 for delay in delays),
        late=mean,
        spread=statistics.pstdev(delays) if delays else 0.0,
        most=max(map(abs, delays), default=0.0),
    )
    return replace(pair, evenness=_evenness(pair))


def _evenness(pair: Pair) -> Evenness:
    if pair.most > pair.window:
        return Evenness.SPLIT
    if pair.presses < FEWEST:
        return Evenness.FEW
    if pair.within <= EVEN * pair.window:
        return Evenness.EQUAL
    return Evenness.LATE if pair.late - pair.error > EVEN * pair.window else Evenness.UNSURE
