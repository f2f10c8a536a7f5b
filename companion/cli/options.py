"""Arguments and options that several commands share."""

from collections.abc import Callable
from pathlib import Path

import click

from companion.languages import LANGUAGES

Option = Callable[[Callable[..., None]], Callable[..., None]]

TABLE: Option = click.argument("file", metavar="TABLE.toml", type=click.Path(path_type=Path, readable=False))
LANGUAGE: Option = click.option(
    "--lang", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Language."
)
LOG: Option = click.option(
    "--log",
    type=click.Path(path_type=Path, dir_okay=False, readable=False),
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
