"""`companion check --fair`: a button wired to several ports is pressed many times, and their times are compared."""

import math
import time
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from companion import games
from companion.cli.check.checking import Checking
from companion.cli.check.report import Report
from companion.config import Table
from companion.devices.check import fairness
from companion.devices.check.fairness import FEWEST, Evenness, Joined, Pair
from companion.devices.sensing import Buzzed

PATIENCE_S = 60.0
"""Seconds without a press after which the comparison ends."""

_SHOWN_EVERY = 10
_LOOK_S = 0.1
_LOOK = "Look between the joint and the pins for a capacitor, a resistor or a bad contact."
_LATE_S = 0.5  # how much later one device may report a press than another


class Comparison:
    """Presses of one button that is wired to several ports, and the findings."""

    def __init__(self, table: Table) -> None:
        # The narrowest of any game; a match widens it to what the buttons can tell apart.
        racing = [game for game in games.known().values() if game.dead_heat]
        default = min((game.dead_heat_in(game.options()) for game in racing), default=math.inf)
        self._window = max(table.apart, default)
        self._heard = Joined()

    def collect(self, checking: Checking, presses: int, entered: Callable[[], bool]) -> Iterator[str]:
        """Collect this many presses, and yield the progress. `entered` returns whether to end early."""
        yield (
            "Wire one button to the ports you want to compare (hardware/README.md), and press it as people do. "
            f"Wanted: {presses} presses. (Enter: end)"
        )
        shown_so_far = 0
        heard_at = time.monotonic()
        while shown_so_far < presses and time.monotonic() - heard_at < PATIENCE_S and not entered():
            self._take(checking, _LOOK_S)
            pressed = len(self._heard.presses)
            if pressed > shown_so_far:
                heard_at = time.monotonic()
            yield from (
                f"{count} of {presses}" for count in range(shown_so_far + 1, pressed + 1) if count % _SHOWN_EVERY == 0
            )
            shown_so_far = pressed
        self._take(checking, _LATE_S)

    def _take(self, checking: Checking, seconds: float) -> None:
        for sensing in checking.sensed(seconds):
            if isinstance(sensing, Buzzed):
                self._heard = fairness.add_press(self._heard, sensing)

    def add_to(self, report: Report) -> Report:
        """Return a report with the findings added."""
        pairs = tuple(fairness.pairs(self._heard, self._window))
        return replace(report, fair=pairs, wrong=(*report.wrong, *_wrong(self._heard, pairs)))


def compared(pair: Pair) -> str:
    """Return a line that compares two ports."""
    equal = f"equal within {span(pair.within)}; " if pair.evenness is Evenness.EQUAL else ""
    ties = pair.presses - pair.one_first - pair.other_first
    return (
        f"seat {pair.one} and seat {pair.other}: {equal}seat {pair.other} later by {span(pair.late)} on average, "
        f"give or take {span(pair.spread)}, at most {span(pair.most)} apart; of {pair.presses} presses seat "
        f"{pair.one} first at {pair.one_first}, seat {pair.other} at {pair.other_first}, both at once at {ties}"
    )


def _wrong(heard: Joined, pairs: tuple[Pair, ...]) -> Iterator[str]:
    """Yield a sentence for each thing that is wrong."""
    if len(heard.seats) < 2:
        where = f"only at seat {heard.seats[0]}" if heard.seats else "nowhere"
        yield f"The button was heard {where}: nothing is compared. Wire it to two ports or more, and press it again."
        return
    for seat, count in fairness.missed(heard).items():
        yield (
            f"seat {seat} did not hear {count} of {len(heard.presses)} presses: check its wire. "
            "If another button was pressed too, start again and press only the joined one."
        )
    for pair in pairs:
        yield from _advice(pair)


def _advice(pair: Pair) -> Iterator[str]:
    seats = f"seat {pair.one} and seat {pair.other}"
    match pair.evenness:
        case Evenness.FEW if pair.presses:
            yield f"{seats}: {pair.presses} presses are too few. Press {FEWEST} times or more, better still 50."
        case Evenness.UNSURE:
            yield f"{seats}: they vary too much to tell from {pair.presses} presses. Press {4 * pair.presses} times."
        case Evenness.LATE:
            yield (
                f"seat {pair.other}'s port is late by {span(pair.late)} against seat {pair.one}'s. {_LOOK} "
                f"Until then a dead heat, of {span(pair.window)}, leans towards seat {pair.one} by as much."
            )
        case Evenness.SPLIT:
            yield (
                f"{seats}: one press was reported {span(pair.most)} apart, which is no longer a dead heat "
                f"({span(pair.window)}); on average seat {pair.other} is reported {span(pair.late)} later. "
                f"If two buttons were pressed, start again and press only the joined one. If not: {_LOOK} "
                f"Until then start matches with {_dead_heats()} of {2 * pair.most:.4f} or more."
            )


def _dead_heats() -> str:
    """Name the games' options for a dead heat."""
    return " or ".join(sorted(f"a `{game.dead_heat}`" for game in games.known().values() if game.dead_heat))


def span(seconds: float) -> str:
    """Format a span of time: "0.4 µs", "85 µs", "1.20 ms"."""
    micro = seconds * 1e6
    if micro < 10:
        return f"{micro:.1f} µs"
    return f"{micro:.0f} µs" if micro < 1000 else f"{micro / 1000:.2f} ms"
