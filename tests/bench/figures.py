"""Figures: samples, what is asked of them, and how both are written down."""

import math
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec


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


class Measured(msgspec.Struct, frozen=True):
    """What is kept of a figure: one line of the table."""

    what: str
    unit: str
    least: float | None
    """None, here and below: it could not be measured."""
    median: float | None
    most: float | None
    """99 % of the samples are not above this."""
    greatest: float | None
    samples: int
    budget: str = ""
    verdict: str = ""
    better: Literal["more", "less", ""] = ""


def measured(figure: Figure) -> Measured:
    """Return what is kept of a figure."""
    label = f"{figure.what} (emulated)" if figure.emulated else figure.what
    budget = str(figure.budget or "")
    if not figure.samples:
        return Measured(label, figure.unit, None, None, None, None, 0, budget, "not measured", figure.better)
    return Measured(
        label,
        figure.unit,
        min(figure.samples),
        figure.median,
        figure.most,
        max(figure.samples),
        len(figure.samples),
        budget,
        figure.verdict,
        figure.better,
    )


COLUMNS = ("what", "unit", "min", "median", "99 %", "max", "samples", "budget", "")
RULES = ("---", "---", "--:", "--:", "--:", "--:", "--:", "---", "---")
HEAD = f"| {' | '.join(COLUMNS)} |\n|{'|'.join(RULES)}|\n"
ASKED_HEAD = "| what | median | 99 % | asked | |\n|---|--:|--:|---|---|\n"
INSTEAD_HEAD = "| ours over what people would use instead | median | from, to | better is |\n|---|--:|--:|---|\n"


def cells(line: Measured) -> tuple[str, ...]:
    """Write what is kept of a figure for the columns of the table."""
    numbers = (
        "" if number is None else short(number) for number in (line.least, line.median, line.most, line.greatest)
    )
    return (line.what, line.unit, *numbers, str(line.samples), line.budget, line.verdict)


def row(line: Measured) -> str:
    """Write what is kept of a figure as a line of a Markdown table."""
    return f"| {' | '.join(cells(line))} |\n"


def asked(lines: Iterable[Measured]) -> str:
    """Write a table of those with a budget."""
    rows = (
        f"| {line.what} | {_with_unit(line.median, line.unit)} | {_with_unit(line.most, line.unit)} | {line.budget} | "
        f"{line.verdict.partition(':')[0]} |\n"
        for line in lines
        if line.budget
    )
    return f"{ASKED_HEAD}{''.join(rows)}"


def medians(lines: Iterable[Measured]) -> str:
    """List the medians of those without a budget: one item for all that begin alike."""
    groups = dict[str, list[str]]()
    for line in lines:
        if line.budget or line.better:
            continue
        label, emulated, _ = line.what.partition(" (emulated)")
        group, _, name = label.rpartition(": ")
        median = _with_unit(line.median, line.unit)
        groups.setdefault(f"{group or name}{emulated}", []).append(f"{name} {median}" if group else median)
    return "".join(f"- {group}: {'; '.join(figures)}\n" for group, figures in groups.items())


def _with_unit(number: float | None, unit: str) -> str:
    return "not measured" if number is None else f"{short(number)} {unit}".rstrip()


def instead(lines: Iterable[Measured]) -> str:
    """Write a table of those that are ours over what people would use instead; "" where there is none."""
    rows = [
        f"| {line.what} | {short(line.median)} | {short(line.least)} to {short(line.greatest)} | {line.better} |\n"
        for line in lines
        if line.better and line.median is not None and line.least is not None and line.greatest is not None
    ]
    return f"{INSTEAD_HEAD}{''.join(rows)}" if rows else ""


def compared(
    label: str,
    unit: str,
    samples: Mapping[str, Sequence[float]],
    ratio: str,
    budget: Budget | None = None,
    *,
    better: Literal["more", "less", ""] = "",
    emulated: bool = False,
) -> Iterator[Figure]:
    """Write down what two of a kind took that were measured in turn, and each of the first over one of the second."""
    for name, sample in samples.items():
        yield Figure(f"{label}: {name}", unit, sample, emulated=emulated)
    first, second = samples.values()
    ratios = [former / other for former, other in zip(first, second, strict=True)]
    yield Figure(f"{label}: {ratio}", "×", ratios, budget, emulated, better)
