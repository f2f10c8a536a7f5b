"""What was played: `companion replay`, `export` and `standings`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from companion.cli.answers import telling_why, write
from companion.cli.options import LANGUAGE, LOG, LOG_OF, OUTPUT, log_of, table_of


@click.command(
    epilog="Exit status: 0 judged; 1 can't be written out; 2 a damaged record (told on standard error) or wrong usage."
)
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object; for a folder one line for each record.")
@click.option("--until", type=click.IntRange(min=1), metavar="SEQ", help="Judge only the events up to SEQ.")
@click.option("--view", metavar="OBSERVER", help="Print what public, host or seat-N may know, as JSON.")
@LANGUAGE
def replay(file: str, as_json: bool, until: int | None, view: str | None, lang: str) -> None:
    """Judge a record again.

    FILE is a record, a folder of records (with --json), or - for standard input.
    """
    from companion.commands import replay as judging

    path = None if file == "-" else Path(file)
    if path is not None and os.path.isdir(path):
        if not as_json or view is not None:
            raise click.UsageError("a folder is judged with --json, and without --view")
        damaged = False
        for found, wrong in judging.folder(path, until):
            if found is None:
                damaged = True
                click.echo(wrong, err=True)
            else:
                write(judging.line(found))
        sys.exit(2 if damaged else 0)
    try:
        match, events = judging.judged(path, until)
        if view is not None:
            printed = judging.line(judging.as_view(match, view))
        elif as_json:
            printed = judging.line(judging.as_json(match, events))
        else:
            printed = (judging.as_text(match, lang) + "\n").encode()
    except (judging.Unreadable, ValueError) as wrong:
        click.echo(str(wrong), err=True)
        sys.exit(2)
    write(printed)


@click.command(
    epilog="Exit status: 0 written; 1 no such match, a damaged one, or a file that can't be used; 2 wrong usage."
)
@click.argument("match", type=click.IntRange(min=1), required=False)
@click.option("--list", "listing", is_flag=True, help="List the matches instead.")
@OUTPUT
@LOG_OF
@LOG
def export(match: int | None, listing: bool, output: Path | None, file: Path | None, log: Path | None) -> None:
    """Write a match from the log as a record.

    MATCH is its number; without one, the last match.
    """
    from companion.commands import export as exporting
    from companion.config import own_files
    from companion.storage.files import all_of
    from companion.storage.log import Log

    path = log_of(file, log)
    with telling_why():
        book = Log(path, writes=False)
        if listing:
            for line in exporting.listing(book):
                click.echo(line)
            return
        lines, wrong = exporting.record(book, match)
        if output is None:
            write(lines)
        else:
            exporting.save(lines, output, own_files(table_of(file), file) if file else all_of(path))
    if wrong:
        raise click.ClickException(f"{wrong}. It is written as it stands")


@click.command(epilog="Exit status: 0 told; 1 there is no log, or it can't be read; 2 wrong usage.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV for a spreadsheet, in French with semicolons.")
@LOG_OF
@LOG
@LANGUAGE
def standings(as_csv: bool, file: Path | None, log: Path | None, lang: str) -> None:
    """Tell what every player has made of the matches in the log: played, won, mean place, best.

    Only matches that were played to their end count, and simulated ones only where no other was played.
    """
    from companion.commands import standings as standing
    from companion.history.archive import NotInLog

    path = log_of(file, log)
    try:
        if as_csv:
            write(standing.as_csv(path, lang))
            return
        for line in standing.as_text(path):
            click.echo(line)
    except NotInLog as wrong:
        raise click.ClickException(str(wrong)) from wrong
