"""Arguments and options that several commands share, and what they mean."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.config import Table

    Option = Callable[[Callable[..., None]], Callable[..., None]]

TABLE: Option = click.argument("file", metavar="TABLE.toml", type=click.Path(path_type=Path, readable=False))
LANGUAGE: Option = click.option(
    "--lang", type=click.Choice(["en", "fr"]), default="en", show_default=True, help="Language."
)
LOG: Option = click.option(
    "--log",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The log's file. [default: the virtual table's own]",
)
LOG_OF: Option = click.option(
    "--table",
    "file",
    type=click.Path(path_type=Path, readable=False),
    metavar="TABLE.toml",
    help="Use this table's log.",
)
OUTPUT: Option = click.option(
    "--output", "-o", type=click.Path(path_type=Path, dir_okay=False), help="Write there, not to the terminal."
)
PORT: Option = click.option("--port", metavar="PORT", help="The Pico's serial port. [default: the only Pico on USB]")


def table_of(file: Path) -> Table:
    """Read a table's file; end with status 2 where it is wrong."""
    from companion.config import ConfigFault, load

    try:
        return load(file)
    except ConfigFault as wrong:
        click.echo(str(wrong), err=True)
        sys.exit(2)


def log_of(file: Path | None, log: Path | None) -> Path:
    """Give the log that is meant: a table's, a file, or the virtual table's own."""
    if file and log:
        raise click.UsageError("TABLE.toml or --log, not both")
    return table_of(file).log if file else log or own_log()


def own_log() -> Path:
    """Give the virtual table's log, in the user's data folder."""
    data = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(data).expanduser() / "table-companion" / "virtual.sqlite"
