"""The figures that a table's owner has measured, in a file of their own beside the log."""

import logging
import threading
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.errors import NotKept
from companion.measuring.assumptions import ASSUMPTIONS, BY_NAME, bounds
from companion.storage.files import contents, replace, unused

MOST_FIGURES = 500
"""Of all assumptions; more are one figure typed again and again."""


class Figure(Struct, frozen=True):
    """A measured figure."""

    assumption: str
    figure: float
    """In the assumption's unit."""
    part: str = ""
    """What it was measured on: a board, a place; figures of different parts stand side by side."""


class FiguresFile:
    """The figures, as they stand in a file. Every method may be called from any thread."""

    def __init__(self, path: Path) -> None:
        """Read them. What can't be read is put aside under another name, and told in the journal."""
        self._path = path
        self._lock = threading.Lock()
        self._figures = _read_or_put_aside(path)

    @property
    def figures(self) -> tuple[Figure, ...]:
        """All of them, in the order in which they were told."""
        return self._figures

    def tell(self, figure: Figure) -> None:
        """Keep a figure, in the place of an earlier one of the same part. Raises `NotKept`."""
        with self._lock:
            other_figures = [known_figure for known_figure in self._figures if not _is_same(known_figure, figure)]
            self._keep((*other_figures, figure)[-MOST_FIGURES:])

    def forget(self, assumption: str, part: str) -> None:
        """Forget the figure of a part, if there is one. Raises `NotKept`."""
        forgotten = Figure(assumption, 0, part)
        with self._lock:
            self._keep(tuple(known_figure for known_figure in self._figures if not _is_same(known_figure, forgotten)))

    def _keep(self, figures: tuple[Figure, ...]) -> None:
        try:
            replace(self._path, msgspec.json.format(msgspec.json.encode(figures)) + b"\n")
        except OSError as error:
            raise NotKept(f"can't write {self._path}: {error.strerror}") from error
        self._figures = figures


def figures_of(log: Path) -> Path:
    """Return the file of a table's figures."""
    return log.with_name(f"{log.name}.figures.json")


def described(figures: tuple[Figure, ...]) -> str:
    """Return the figures as lines for whoever helps: which assumptions hold, and which do not."""
    lines = []
    for assumption in ASSUMPTIONS:
        for figure in figures:
            if figure.assumption == assumption.name:
                verdict = "holds" if assumption.holds_for(figure.figure) else "wrong"
                part = f"  ({figure.part})" if figure.part else ""
                lines.append(
                    f"{verdict}   {assumption.name} {figure.figure:g} {assumption.unit}; "
                    f"assumed {bounds(assumption)}, {assumption.basis}{part}"
                )
    return "\n".join([*lines, ""]) if lines else "nothing measured yet\n"


def _is_same(figure: Figure, other: Figure) -> bool:
    return (figure.assumption, figure.part) == (other.assumption, other.part)


def read_figures(path: Path) -> tuple[Figure, ...]:
    """Return the figures in a file; none if there is no file. Raises OSError and `msgspec.MsgspecError`."""
    try:
        figures = msgspec.json.decode(contents(path), type=tuple[Figure, ...])
    except FileNotFoundError:
        return ()
    return tuple(figure for figure in figures if figure.assumption in BY_NAME)


def _read_or_put_aside(path: Path) -> tuple[Figure, ...]:
    try:
        return read_figures(path)
    except (OSError, msgspec.MsgspecError) as error:
        aside = unused(path, ".unreadable")
        logging.getLogger(__name__).warning("the measured figures can't be read (%s): see %s", error, aside)
        try:
            path.rename(aside)
        except OSError as failure:
            logging.getLogger(__name__).warning("nor put aside: %s", failure.strerror)
        return ()
