"""Charts as shapes, for `chart.html` to draw: where every line, dot, bar and name goes.

Units are those of the drawing, 360 wide: about a phone's pixels. Where a chart spans two powers of ten, its axis is
logarithmic.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.access.player_looks import Face
from companion.game import Chart
from companion.web.render.words import PageWords
from companion.words import decimal, figure

COLUMNS_SHOWN = 6
LONGEST_NAME = 15
"""The most letters of a name in one row at a line's end; more would leave no room for the lines."""
NARROW = "fijlrtI -.'’"
"""Letters that take less room than others."""
WIDE = "mwMW"
"""Letters that take more room than others."""
BARS_APART = 52
TAKEN_OFF = 110
"""Room beside a bar, for "12 − 10 = 2"."""
LINES_APART = 1.5
DOTS_APART = 3.5
"""From one to the next of several equal figures: on one spot, one would hide the others."""
MOST_MARKED = 16
"""The most columns with a mark at each figure; with more, only the end of a line has one."""


class Mark(msgspec.Struct, frozen=True):
    """A seat's figure: its position and its text."""

    x: float
    y: float
    says: str


class Curve(msgspec.Struct, frozen=True):
    """A seat's figures over the columns."""

    look: int
    """The number of its dash pattern, from 1, in the order of the seats."""
    face: Face
    name: tuple[str, ...]
    """In one line, or in two."""
    name_y: float
    end: Mark
    marks: tuple[Mark, ...]
    runs: tuple[str, ...]
    """The polylines through them, as SVG points; a missing figure breaks the line."""


class BarPart(msgspec.Struct, frozen=True):
    """A figure as part of a bar."""

    x: float
    width: float
    says: str
    value: int
    colour: str | None


class Bar(msgspec.Struct, frozen=True):
    """A seat's figures end to end."""

    face: Face
    name: str
    y: float
    parts: tuple[BarPart, ...]
    total: str
    """What the parts add up to, minus those below zero."""
    end: float


class Drawing(msgspec.Struct, frozen=True):
    """A chart, ready to be drawn, and as a table."""

    code: str
    kind: str
    title: str
    why: str
    height: float
    right: float
    """Where the plot ends and the names begin."""
    ticks: tuple[tuple[float, str], ...]
    below: tuple[tuple[float, str], ...]
    lines: tuple[Curve, ...]
    bars: tuple[Bar, ...]
    players: tuple[tuple[str, Face], ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    """The table: for each column its name, and everybody's figure."""


def drawn(chart: Chart, words: PageWords, faces: Mapping[int, Face]) -> Drawing:
    """Draw a chart in these words, each player in their colour."""
    seats = [seat for seat in words.names if seat in chart.rows]
    chart = replace(chart, rows={seat: chart.rows[seat] for seat in seats})
    columns = [words.say(f"chart-{chart.code}-column", column) for column in chart.columns]
    figures = [[_figure(value, chart, words) for value in row] for row in chart.rows.values()]
    bars = _bars(chart, words, faces, columns) if chart.kind == "bars" else ()
    longest = max((_width(line) for seat in seats for line in _in_lines(words.name(seat))), default=0)
    right = WIDTH - max(RIGHT, NAMES_BESIDE + longest)
    x = spread(len(columns), right)
    y, ticks = (lambda value: 0.0, []) if bars else scale([*_values(chart)])
    return Drawing(
        code=chart.code,
        kind=chart.kind,
        title=words.say(f"chart-{chart.code}"),
        why=words.say(f"chart-{chart.code}-why"),
        height=len(bars) * BARS_APART if bars else TOP + HEIGHT + 28,
        right=round(right, 1),
        ticks=tuple((y(tick), _tick(tick, chart, words)) for tick in ticks),
        below=() if bars else _below(chart, x),
        lines=() if bars else _lines(chart, words, faces, columns, x, y),
        bars=bars,
        players=tuple((words.name(seat), faces[seat]) for seat in chart.rows),
        rows=tuple((column, tuple(row[at] for row in figures)) for at, column in enumerate(columns)),
    )


def _values(chart: Chart) -> Iterator[int]:
    return (value for row in chart.rows.values() for value in row if value is not None)


def _figure(value: float | None, chart: Chart, words: PageWords) -> str:
    if value is not None and chart.unit == "microseconds":
        return words.span(round(value))
    return figure(value)


def _tick(value: float, chart: Chart, words: PageWords) -> str:
    """Round a figure to keep it short."""
    if chart.unit == "number":
        return _figure(value, chart, words)
    if not value:
        return "0"
    text = f"{value / 1_000_000:g} s" if value >= 1_000_000 else f"{value / 1000:g} ms"
    return decimal(text, words.language)


def _below(chart: Chart, x: Callable[[int], float]) -> tuple[tuple[float, str], ...]:
    """Return the position and number of each column, or of only some if there are many."""
    every = math.ceil(len(chart.columns) / COLUMNS_SHOWN)
    return tuple((x(at), str(column["number"])) for at, column in enumerate(chart.columns) if at % every == 0)


def _lines(
    chart: Chart,
    words: PageWords,
    faces: Mapping[int, Face],
    columns: Sequence[str],
    x: Callable[[int], float],
    y: Callable[[float], float],
) -> tuple[Curve, ...]:
    is_joined = chart.kind == "lines"
    across = 0.0 if is_joined else DOTS_APART
    down = LINES_APART if is_joined else 0.0
    curves: list[tuple[int, int, list[Mark], list[list[Mark]]]] = []
    for look, (seat, row) in enumerate(chart.rows.items(), 1):
        runs: list[list[Mark]] = [[]]
        for at, value in enumerate(row):
            if value is None:
                runs.append([])
            else:
                says = f"{words.name(seat)}, {columns[at]}{words.say('colon')}{_figure(value, chart, words)}"
                aside = look - (len(chart.rows) + 1) / 2  # from the middle, so that all seats lie around it
                runs[-1].append(Mark(round(x(at) + across * aside, 1), round(y(value) + down * aside, 1), says))
        marks = [mark for run in runs for mark in run]
        if marks:
            many = is_joined and len(columns) > MOST_MARKED
            curves.append((look, seat, marks[-1:] if many else marks, runs if is_joined else []))
    names = [_in_lines(words.name(seat)) for _, seat, _, _ in curves]
    places = apart([marks[-1].y for _, _, marks, _ in curves], [len(name) for name in names])
    return tuple(
        Curve(look, faces[seat], name, place, marks[-1], tuple(marks), tuple(map(_joined, runs)))
        for (look, seat, marks, runs), name, place in zip(curves, names, places, strict=True)
    )


def _joined(run: Sequence[Mark]) -> str:
    return " ".join(f"{mark.x},{mark.y}" for mark in run)


def _bars(chart: Chart, words: PageWords, faces: Mapping[int, Face], columns: Sequence[str]) -> tuple[Bar, ...]:
    most = max(1, *(sum(value for value in row if value and value > 0) for row in chart.rows.values()))
    room = TAKEN_OFF if any(value < 0 for value in _values(chart)) else 40
    per_point = (WIDTH - room) / most
    return tuple(
        _bar(chart, words, faces[seat], columns, per_point, seat, row * BARS_APART)
        for row, seat in enumerate(chart.rows)
    )


def _bar(
    chart: Chart, words: PageWords, face: Face, columns: Sequence[str], per_point: float, seat: int, y: float
) -> Bar:
    parts = []
    end = 0.0
    facts: Sequence[Any] = chart.columns
    for at, value in enumerate(chart.rows[seat]):
        if value and value > 0:
            width = value * per_point
            parts.append(BarPart(round(end, 1), round(width - 1.5, 1), columns[at], value, facts[at].get("colour")))
            end += width
    return Bar(face, words.name(seat), y, tuple(parts), _total(chart.rows[seat]), round(end, 1))


def _total(row: Sequence[int | None]) -> str:
    """Return a bar's sum; if something is subtracted, as a calculation."""
    positive = sum(value for value in row if value and value > 0)
    total = sum(filter(None, row))
    return f"{positive} − {positive - total} = {figure(total)}" if 0 < positive != total else figure(total)


def _width(line: str) -> float:
    """Return the most room that a line of a name takes, in the widest of the usual typefaces."""
    return sum(map(_letter_width, line))


def _letter_width(letter: str) -> float:
    if letter in NARROW:
        return 5.2
    if letter in WIDE:
        return 12.5
    return 9.9 if letter.isupper() else 8


def _in_lines(name: str) -> tuple[str, ...]:
    """Break a name that is too long for one line at a word's end, or else in the middle.

    >>> _in_lines("Maximilian-Emmanuel")
    ('Maximilian-', 'Emmanuel')
    """
    if len(name) <= LONGEST_NAME:
        return (name,)
    halves = [(name[:at].rstrip(), name[at:]) for at in range(1, len(name)) if name[at - 1] in " -"]
    whole = [two for two in halves if max(map(len, two)) <= LONGEST_NAME]
    middle = (len(name) + 1) // 2
    return min(whole, key=lambda two: max(map(len, two)), default=(name[:middle], name[middle:]))


WIDTH = 360
LEFT = 46
RIGHT = 84
TOP = 10
HEIGHT = 190
"""The height of the plot alone, which lies between LEFT and WIDTH - RIGHT, or ends where longer names begin."""
NAMES_BESIDE = 22
"""Between the plot and the names, for each line's shape."""
NAME_APART = 15
LOGARITHMIC_FROM = 100
"""How many times the smallest figure the greatest must be."""


def spread(number: int, right: float) -> Callable[[int], float]:
    """Return the function that places a column, in a plot that ends at `right`; a single one is in the middle."""
    field = right - LEFT - 16
    return lambda at: round(LEFT + 8 + field * (at / (number - 1) if number > 1 else 0.5), 1)


def scale(values: Sequence[int]) -> tuple[Callable[[float], float], list[float]]:
    """Return the vertical axis: the function that places a figure, and the round figures of its ticks."""
    low = min(values)
    high = max(values)
    if low > 0 and high / low >= LOGARITHMIC_FROM:
        first = math.floor(math.log10(low))
        last = math.ceil(math.log10(high))
        return (
            lambda value: _up((math.log10(value) - first) / (last - first)),
            [10.0**power for power in range(first, last + 1)],
        )
    low = min(low, 0)
    high = max(high, 0, low + 1)  # figures that are all 0 have an axis too
    step = _step((high - low) / 4)  # about four ticks
    ticks = [step * turn for turn in range(math.floor(low / step), math.ceil(high / step) + 1)]
    return lambda value: _up((value - ticks[0]) / (ticks[-1] - ticks[0])), ticks


def _up(share: float) -> float:
    return round(TOP + HEIGHT * (1 - share), 1)


def _step(least: float) -> float:
    """Round up to 1, 2 or 5 and zeros; at least 1, because every figure is a whole number."""
    power = 10.0 ** math.floor(math.log10(max(least, 1)))
    return next(round_one * power for round_one in (1, 2, 5, 10) if round_one * power >= least)


def apart(wished: Sequence[float], lines: Sequence[int]) -> list[float]:
    """Return where each name's first line goes: near its wish, no name over another, none below the plot.

    The first pass pushes names down from the one above, the second pushes them back up from the bottom.
    """
    order = sorted(range(len(wished)), key=wished.__getitem__)
    placed = [0.0] * len(wished)
    least = 0.0
    for name in order:
        placed[name] = max(wished[name], least)
        least = placed[name] + NAME_APART * lines[name]
    most = float(TOP + HEIGHT + NAME_APART)
    for name in reversed(order):
        most = min(placed[name], most - NAME_APART * lines[name])
        placed[name] = most
    return placed
