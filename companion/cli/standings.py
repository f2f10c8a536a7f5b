"""`companion standings`: prints the standings over the matches of a log."""

from collections.abc import Iterator
from pathlib import Path

import click

from companion import games
from companion.access.rights_file import corrected
from companion.cli.options import LANGUAGE, LOG, LOG_OF
from companion.cli.output import print_lines, printable, write
from companion.cli.table_files import log_of
from companion.history import spreadsheet
from companion.history.archive import Archive
from companion.history.standings import Standing, by_game, counted
from companion.storage.files import phones_of
from companion.words import Words, mean


@click.command(epilog="Exit status: 0 shown; 1 there is no log, or it can't be read; 2 wrong usage.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV for a spreadsheet, as the language has it.")
@LOG_OF
@LOG
@LANGUAGE
def standings(as_csv: bool, file: Path | None, log: Path | None, lang: str) -> None:
    """Sum up how every player has done in the matches in the log.

    Played, won, mean place, best. Only matches that people played to the end count, and simulated ones only if no
    others were played; a demonstration never does.
    """
    tables = read_standings(log_of(file, log))
    if as_csv:
        write(spreadsheet.standings(tables, lang))
    else:
        print_lines(as_text(tables, lang))


def read_standings(log: Path) -> list[tuple[str | None, list[Standing]]]:
    """Return the standings of each game and of all games; simulated matches count only if there are no others.

    Raises `NotInLog` if there is no log.
    """
    names = corrected(phones_of(log))
    results = Archive(log, lambda: names).results()
    return by_game(counted(results, all(result.simulated for result in results)))


def as_text(tables: list[tuple[str | None, list[Standing]]], lang: str) -> Iterator[str]:
    """Yield the standings for people, line by line."""
    words = Words(None, lang)
    heads = [words.say(f"printed-{head}") for head in ("played", "won", "place", "best")]
    if not tables:
        yield words.say("printed-none")
    for game, ranking in tables:
        yield games.known()[game].title if game else words.say("printed-all")
        yield f"  {'':20} " + " ".join(f"{head:>7}" for head in heads)
        for standing in ranking:
            best = "" if standing.best is None else standing.best
            place = mean(standing.place, lang)
            yield f"  {printable(standing.name):20} {standing.played:7} {standing.won:7} {place:>7} {best:>7}"
