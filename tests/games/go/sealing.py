"""What everybody may know after some acts: to be compared, byte by byte."""

from collections.abc import Callable

from tests.games.go.table import EVERYBODY, Table, opened

Acts = Callable[[Table], object]
Begin = Callable[[], Table]

OTHER = "B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 K4"
"""Another hand than THIRTYTWO."""


def seen(acts: Acts, begin: Begin = opened, but: int = 0) -> list[str]:
    """What everybody may know then, but for one seat."""
    table = begin()
    acts(table)
    return [table.sees(who) for who in EVERYBODY if who != but]


def tapped(seat: int, hand: str) -> Acts:
    return lambda table: table.tap(seat, hand)


def nothing(table: Table) -> None:
    """Nothing happens."""
