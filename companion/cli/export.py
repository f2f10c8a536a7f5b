"""`companion export`: a match from the log as a record."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import click

from companion.cli.options import LOG, LOG_OF, OUTPUT
from companion.cli.output import print_lines, write
from companion.cli.table_files import log_of, own_files, why_not
from companion.config import load
from companion.errors import NotNow
from companion.judge.record_file import Damaged
from companion.storage.files import files_of_log, private
from companion.storage.log import Log


@click.command(
    epilog="Exit status: 0 written; 1 no such match, a damaged one, or a file that can't be used; 2 wrong usage."
)
@click.argument("match", type=click.IntRange(min=1), required=False)
@click.option("--list", "listing", is_flag=True, help="List the matches instead.")
@click.option("--digests", is_flag=True, help="Give every event its digest, for `companion replay --verify`.")
@OUTPUT
@LOG_OF
@LOG
def export(
    match: int | None, listing: bool, digests: bool, output: Path | None, file: Path | None, log: Path | None
) -> None:
    """Write a match from the log as a record.

    MATCH is its number; without one, the last match.
    """
    path = log_of(file, log)
    with closing(Log(path, writes=False)) as book:
        if listing:
            print_lines(list_matches(book))
            return
        number = match or book.latest() or 1
        lines = book.chained(number) if digests else book.lines(number)
        wrong = what_is_wrong(book, number)
    if output is None:
        write(lines)
    else:
        save(lines, output, own_files(load(file), file) if file else files_of_log(path))
    if wrong:
        raise NotNow(f"{wrong}. It is written as it stands")


def list_matches(log: Log) -> Iterator[str]:
    """Yield a line for each match."""
    for entry in log.matches():
        mark = "  DEMO" if entry.demo else "  SIMULATED" if entry.simulated else ""
        yield f"{entry.id:5}  {entry.began or 'date not known':25}  {entry.game:12} {entry.events:6} events{mark}"


def what_is_wrong(log: Log, match: int) -> str:
    """Return how a match is damaged; "" if it is not."""
    try:
        log.verified(match)
    except Damaged as wrong:
        return f"match {match} is damaged, {wrong}"
    return ""


def save(lines: bytes, to: Path, own_files: Iterable[Path]) -> None:
    """Write a record to a file, but never over one of `own_files`. Raises `NotNow`."""
    if why := why_not(to, own_files):
        raise NotNow(why)
    try:
        with private(to) as file:
            file.write(lines)
    except OSError as wrong:
        raise NotNow(f"can't write {to}: {wrong.strerror}") from wrong
