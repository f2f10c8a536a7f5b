"""Figures: samples, what is asked of them, and how both are written down."""

import math
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Budget:
    """What the design asks: bounds on the median and on 99 % of the samples, in the figure's own unit."""

    median_at_most: float = math.inf
    most_at_most: float = math.inf
    """For 99 % of the samples."""
    median_at_least: float = 0.0

    def __str__(self) -> str:
        bounds = ("median ≤", self.median_at_most), ("99 % ≤", self.most_at_most), ("median ≥", self.median_at_least)
        return ", ".join(f"{name} {short(bound)}" for name, bound in bounds if 0 < bound < math.inf)


@dataclass(frozen=True)
class Figure:
    """One line of the table."""

    what: str
    unit: str
    samples: Sequence[float]
    """Empty where it could not be measured."""
    budget: Budget | None = None
    emulated: bool = False
    """Whether a device took part that no real board has confirmed."""
    better: Literal["more", "less", ""] = ""
    """Of ours over what people would use instead, what is good: such figures are told again in a table of their own."""

    @property
    def median(self) -> float:
        return statistics.median(self.samples)

    @property
    def most(self) -> float:
        """99 % of the samples are not above this; with fewer than a hundred it is the largest."""
        return sorted(self.samples)[math.ceil(0.99 * len(self.samples)) - 1]

    @property
    def verdict(self) -> str:
        """Say "met", "missed: …", or nothing where nothing is asked."""
        if self.budget is None:
            return ""
        missed = []
        if self.median > self.budget.median_at_most or self.median < self.budget.median_at_least:
            missed.append(f"median {short(self.median)}")
        if self.most > self.budget.most_at_most:
            missed.append(f"99 % {short(self.most)}")
        return f"missed: {', '.join(missed)}" if missed else "met"


Measurement = Callable[[bool], Iterator[Figure]]
"""Gives its figures one by one; True: quickly, with few samples."""


def short(number: float) -> str:
    """Write a number with three digits that say something."""
    if number >= 1000:
        return f"{number:,.0f}"
    return f"{number:.{max(0, 2 - math.floor(math.log10(abs(number))))}f}" if number else "0"


HEAD = "| what | unit | min | median | 99 % | max | samples | budget | |\n|---|---|--:|--:|--:|--:|--:|---|---|\n"


INSTEAD = "| ours over what people would use instead | median | from, to | better is |\n|---|--:|--:|---|\n"


def row(figure: Figure) -> str:
    """Write a figure as a line of a Markdown table."""
    if not figure.samples:
        return f"| {figure.what} | {figure.unit} | | | | | 0 | {figure.budget or ''} | not measured |\n"
    numbers = map(short, (min(figure.samples), figure.median, figure.most, max(figure.samples)))
    end = str(len(figure.samples)), str(figure.budget or ""), figure.verdict
    return f"| {' | '.join((_named(figure), figure.unit, *numbers, *end))} |\n"


def _named(figure: Figure) -> str:
    return f"{figure.what} (emulated)" if figure.emulated else figure.what


def instead(figures: Iterable[Figure]) -> str:
    """Write a table of those figures that are ours over what people would use instead; "" where there is none."""
    lines = [
        f"| {_named(figure)} | {short(figure.median)} |"
        f" {short(min(figure.samples))} to {short(max(figure.samples))} | {figure.better} |\n"
        for figure in figures
        if figure.better and figure.samples
    ]
    return f"\n{INSTEAD}{''.join(lines)}" if lines else ""


def compared(
    what: str,
    unit: str,
    taken: Mapping[str, Sequence[float]],
    ratio: str,
    budget: Budget | None = None,
    *,
    better: Literal["more", "less", ""] = "",
    emulated: bool = False,
) -> Iterator[Figure]:
    """Write down what two of a kind took that were measured in turn, and each of the first over one of the second."""
    for name, found in taken.items():
        yield Figure(f"{what}: {name}", unit, found, emulated=emulated)
    first, second = taken.values()
    ratios = [one / other for one, other in zip(first, second, strict=True)]
    yield Figure(f"{what}: {ratio}", "×", ratios, budget, emulated, better)
