"""`companion restore`: restores a table from a backup. What was there before is kept in a folder beside it."""

from pathlib import Path

import click

from companion.backups.restoring import put_back
from companion.cli import options
from companion.cli.output import print_lines
from companion.cli.progress import shown_progress


@click.command(epilog="Exit status: 0 restored; 1 the table runs, or can't be written; 2 a damaged or a wrong backup.")
@options.TABLE
@click.argument("backup", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--anyway", is_flag=True, help="Restore even a log with matches that can't be read, or were altered.")
def restore(file: Path, backup: Path, anyway: bool) -> None:
    """Bring back what `companion backup` wrote.

    What is there now is kept in a folder beside TABLE.toml, which need not exist yet. A damaged backup changes nothing,
    nor does one whose log is not as the table wrote it: what is wrong is reported.
    """
    with shown_progress("reading every match") as advance:
        print_lines(put_back(file, backup, anyway=anyway, advance=advance))
