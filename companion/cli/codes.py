"""`companion codes`: the machine's owner can always read the codes, and so become host."""

from collections.abc import Iterator
from pathlib import Path

import click

from companion.access import rights_file
from companion.access.seat_rights import HOST
from companion.cli.options import LOG
from companion.cli.output import print_lines
from companion.cli.table_files import log_of
from companion.storage import files


@click.command(
    epilog="Exit status: 0 shown; 1 the table was never started, or its codes can't be read; 2 wrong usage or TABLE."
)
@click.argument("file", metavar="[TABLE.toml]", type=click.Path(path_type=Path), required=False)
@LOG
def codes(file: Path | None, log: Path | None) -> None:
    """Show the codes of a table: the host's, and every seat's.

    TABLE.toml names the table; without one, the virtual table. The host's code makes any phone the host's.
    """
    print_lines(list_codes(log_of(file, log)))


def list_codes(log: Path) -> Iterator[str]:
    """Yield a line for each part's code, and whether a phone holds it. Raises `PhonesFault`."""
    rights = rights_file.load(files.phones_of(log))
    for part, code in sorted(rights.codes.items()):
        name = "host" if part == HOST else f"seat {part}"
        yield f"{name:8} {code}  {'a phone holds it' if part in rights.holders else 'free'}"
