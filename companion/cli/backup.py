"""`companion backup`: all that a table needs, in one file."""

from pathlib import Path

import click

from companion.backups.writing import see_that_it_can_be_restored, write_backup
from companion.cli import options
from companion.cli.output import say
from companion.cli.progress import shown_progress
from companion.config import load
from companion.errors import NotNow


@click.command(epilog="Exit status: 0 written; 1 it can't be written, or what it holds can't be used; 2 a wrong TABLE.")
@options.TABLE
@click.argument("to", metavar="FILE", type=click.Path(path_type=Path))
def backup(file: Path, to: Path) -> None:
    """Write log, tags and settings of a table to one file, also while people play.

    FILE is a new file that ends in .zip, or a folder, where it is named by the date. Nothing is ever overwritten.
    """
    table = load(file)
    # The name of a stick's folder while the stick is out: such a backup would lie on the card that it is to outlast.
    if to.suffix != ".zip" and not to.is_dir():
        raise NotNow(f"there is no folder {to}: plug in what belongs there, or name a file that ends in .zip")
    with shown_progress("packing the table") as advance:
        path = write_backup(table, file, to, advance)
    say(f"wrote {path}")
    with shown_progress("reading every match") as advance:
        see_that_it_can_be_restored(table, advance)
