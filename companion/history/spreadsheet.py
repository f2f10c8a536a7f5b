"""Tables as CSV that Excel opens correctly by a double click in every language, and in which no formula can hide.

UTF-8 with a byte order mark, without which Excel garbles "Cléo"; semicolons where numbers have decimal commas.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence

from companion.game import Chart
from companion.history.standings import Result, Standing
from companion.languages import language as rules_of
from companion.words import Words, decimal

Cell = str | int | float | None
_MARK = "\ufeff"
_FORMULA = re.compile(r"(^|[,;\t\r\n])(?=\s*[=+\-@\t\r\n＝＋－＠])")
"""The places before characters that make a spreadsheet take a text for a formula, full-width forms included: at its
beginning, and after the separator of another language's tables, because a table may be opened in the other language.
"""

STANDINGS = ("game", "name", "played", "won", "place", "best")
RESULTS = (
    *("evening", "match", "began", "seconds", "game", "simulated", "demo", "over"),
    *("seat", "name", "points", "place", "left_out"),
)
FIGURES = ("chart", "column", "seat", "name", "value", "unit")


def standings(tables: Iterable[tuple[str | None, Sequence[Standing]]], language: str) -> bytes:
    """Write standings, a line for each player and game; the game is empty where all are counted together."""
    lines = (
        (game, standing.name, standing.played, standing.won, standing.place, standing.best)
        for game, ranking in tables
        for standing in ranking
    )
    return _written(STANDINGS, lines, language)


def results(matches: Iterable[Result], language: str) -> bytes:
    """Write matches, a line for each player of each; one that can't be read has a line without a player."""
    return _written(RESULTS, (line for result in matches for line in _lines(result)), language)


def figures(charts: Iterable[Chart], words: Words) -> bytes:
    """Write the charts' figures, one a line; spans of time are in seconds."""
    lines: list[Sequence[Cell]] = []
    for chart in charts:
        columns = [words.say(f"chart-{chart.code}-column", column) for column in chart.columns]
        span = chart.unit == "microseconds"
        for seat, row in chart.rows.items():
            for column, value in zip(columns, row, strict=True):
                figure: Cell = value / 1_000_000 if span and value is not None else value
                title = words.say(f"chart-{chart.code}")
                lines.append((title, column, seat, words.name(seat), figure, "s" if span else ""))
    return _written(FIGURES, lines, words.language)


def _lines(result: Result) -> Iterable[tuple[Cell, ...]]:
    start = (
        result.evening,
        result.match,
        result.began,
        result.seconds,
        result.game,
        int(result.simulated),
        int(result.demo),
        int(result.over),
    )
    left_out = int(result.left_out)
    if not result.players:
        return [(*start, None, None, None, None, left_out)]
    return [(*start, player.seat, player.name, player.points, player.place, left_out) for player in result.players]


def _written(head: Sequence[str], lines: Iterable[Sequence[Cell]], language: str) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=rules_of(language).delimiter)
    writer.writerow(head)
    writer.writerows([_cell(value, language) for value in line] for line in lines)
    return (_MARK + text.getvalue()).encode()


def _cell(value: Cell, language: str) -> str | int | None:
    """Put an apostrophe before a text that looks like a formula; numbers stay numbers."""
    if isinstance(value, str):
        return _FORMULA.sub(r"\1'", value)
    if isinstance(value, float):
        return decimal(f"{value:.6f}".rstrip("0").rstrip("."), language)
    return value
