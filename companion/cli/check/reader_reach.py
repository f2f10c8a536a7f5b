"""Tests how far a PN532 board reads, with printed spacers and a sticker, before anything is soldered to it."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from companion.cli.check.checking import Checking
from companion.config import Table
from companion.devices.figures import ReaderFigures
from companion.errors import NotNow

SPACERS = (10, 20)
"""Heights of the printed spacers, in millimetres: print/spacers.scad."""
ENOUGH = 0.9
"""The lowest share of polls that must see the sticker."""
LISTENED_S = 6.0


class SpacerTrial(NamedTuple):
    """How well a reader saw a sticker on a spacer."""

    spacer: int
    """Its height, in millimetres."""
    read: float | None
    """The share of polls that saw the sticker, from 0 to 1; None if none did."""

    @property
    def is_enough(self) -> bool:
        """Whether that is reliable enough to play."""
        return self.read is not None and self.read >= ENOUGH


def places(table: Table) -> list[str]:
    """Return the places that have a reader."""
    return [settings.place for settings in table.readers]


def reaches(table: Table, place: str, lay: Callable[[str], object]) -> Iterator[SpacerTrial]:
    """Try the reader of a place with each spacer; `lay` asks for it, and returns once it lies there.

    The other devices of the table stay closed. Raises `NotNow` if the reader does not answer.
    """
    alone = replace(table, readers=tuple(settings for settings in table.readers if settings.place == place), buzzers=())
    with Checking(alone) as checking:
        _see_that_it_answers(checking)
    for spacer in SPACERS:
        lay(f"Lay the {spacer} mm spacer on the reader of {place}, and a sticker in its sleeve on the middle of it")
        # Opened anew, so that no poll from the previous spacer counts.
        with Checking(alone) as checking:
            _see_that_it_answers(checking)
            for _ in checking.sensed(LISTENED_S):
                pass
            checking.settle()
            figures = checking.checkup.devices()[0].figures
        yield SpacerTrial(spacer, figures.read if isinstance(figures, ReaderFigures) else None)


def _see_that_it_answers(checking: Checking) -> None:
    if checking.missing:
        raise NotNow(checking.missing[0])


def described(reach: SpacerTrial) -> str:
    """Return a line on a trial."""
    if reach.read is None:
        return f"{reach.spacer} mm: does not see the sticker"
    return f"{reach.spacer} mm: sees the sticker in {100 * reach.read:.0f} of 100 polls"


def verdict(tried: Sequence[SpacerTrial]) -> str:
    """Return what the board is good for, the lowest spacer first; it begins with "pass" or "fail"."""
    near, *_, farthest = tried
    if near.is_enough and farthest.is_enough:
        return "pass: this board reads far enough for under the wood, at most 8 mm of it"
    if near.is_enough:
        return "fail: this board reads near only: on the table under a mat, not under wood"
    return "fail: this board hardly reads: try another sticker, no metal near it, 5 V at the board; else send it back"
