"""A table in play: `companion play`, `run` and `codes`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.answers import telling_why
from companion.cli.options import LOG, TABLE, log_of, own_log, table_of

if TYPE_CHECKING:
    from companion.config import Table


@click.command(epilog="Exit status: 0 after it was stopped, 1 if it can't start, 2 for wrong usage.")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="Port of the page.")
@click.option("--host", default="0.0.0.0", show_default=True, help="Address to listen at.")
@LOG
def play(port: int, host: str, log: Path | None) -> None:
    """Play on a virtual table, in the browser.

    Starts the companion with virtual readers and buzzers, and prints the address as text and as a QR code.
    """
    from companion.commands import table

    _run(table.virtual_table(log or own_log(), host, port), anyway=False)


@click.command(epilog="Exit status: 0 after it was stopped, 1 if it can't start, 2 for wrong usage or a wrong TABLE.")
@TABLE
@click.option("--anyway", is_flag=True, help="Start even if a reader or buzzer box does not answer yet.")
def run(file: Path, anyway: bool) -> None:
    """Keep a real table: its readers, its buzzers, its page.

    TABLE.toml names the drivers; README.md describes it. Starts again in the match it was stopped in.
    """
    _run(table_of(file), anyway=anyway)


@click.command(
    epilog="Exit status: 0 told; 1 the table was never started, or its codes can't be read; 2 wrong usage or TABLE."
)
@click.argument("file", metavar="[TABLE.toml]", type=click.Path(path_type=Path), required=False)
@LOG
def codes(file: Path | None, log: Path | None) -> None:
    """Show the codes of a table: the host's, and every seat's.

    TABLE.toml names the table; without one, the virtual table. The host's code makes any phone the host's.
    """
    from companion.commands import codes as telling

    with telling_why():
        for line in telling.listing(log_of(file, log)):
            click.echo(line)


def _run(settings: Table, *, anyway: bool) -> None:
    from companion.commands import table

    with telling_why():
        table.run(settings, anyway=anyway)
