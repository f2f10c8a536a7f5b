"""`companion standings`: what everybody has made of the matches in a log."""

from collections.abc import Iterator
from pathlib import Path

from companion import games
from companion.commands.replay import printable
from companion.history import spreadsheet
from companion.history.archive import Archive
from companion.history.standings import Standing, by_game, counted


def as_csv(log: Path, language: str) -> bytes:
    """Write the standings for a spreadsheet. Raises `NotThere` where there is no log."""
    return spreadsheet.standings(_tables(log), language)


def as_text(log: Path) -> Iterator[str]:
    """Give them line by line. Raises `NotThere` where there is no log."""
    tables = _tables(log)
    if not tables:
        yield "no match in this log was played to its end yet"
    for game, found in tables:
        yield games.known()[game].title if game else "all games"
        yield f"  {'':20} {'played':>6} {'won':>6} {'place':>6} {'best':>6}"
        for one in found:
            best = "" if one.best is None else one.best
            yield f"  {printable(one.name):20} {one.played:6} {one.won:6} {one.place:6.1f} {best:>6}"


def _tables(log: Path) -> list[tuple[str | None, list[Standing]]]:
    """Where a real match was played, simulated ones count for nothing."""
    found = Archive(log).results()
    return by_game(counted(found, all(one.simulated for one in found)))
