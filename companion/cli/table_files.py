"""The files that a command works on: the log, and those that it must never overwrite."""

from collections.abc import Iterable
from pathlib import Path

import click

from companion.cli.output import say
from companion.config import Table, load
from companion.free_table import own_log
from companion.storage.files import files_of_log


def log_of(file: Path | None, log: Path | None) -> Path:
    """Return a table's log, the given one, or the virtual table's own, saying so. Raises `ConfigFault`."""
    if file and log:
        raise click.UsageError("TABLE.toml or --log, not both")
    if not (file or log):
        say(f"No TABLE.toml is named: this is of the virtual table, {own_log()}", err=True)
    return load(file).log if file else log or own_log()


def why_not(to: Path, own_files: Iterable[Path]) -> str:
    """Return why a file may not be overwritten: it is one of `own_files`; "" if it is not."""
    if to.resolve() in {path.resolve() for path in own_files}:
        return f"{to} is one of the table's own files: choose another file"
    return ""


def own_files(table: Table, settings: Path) -> set[Path]:
    """Return a table's own files, which are never overwritten; `settings` is its table.toml."""
    return {settings, *((table.tags,) if table.tags else ()), *files_of_log(table.log)}
