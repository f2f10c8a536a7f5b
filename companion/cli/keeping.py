"""Keeping a table: `companion backup`, `restore` and `service`."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.answers import telling_why
from companion.cli.options import TABLE, table_of


@click.command(epilog="Exit status: 0 written; 1 it can't be written, or what it holds can't be used; 2 a wrong TABLE.")
@TABLE
@click.argument("to", metavar="FILE", type=click.Path(path_type=Path))
def backup(file: Path, to: Path) -> None:
    """Write log, tags and settings of a table to one file, also while people play.

    FILE is a new file, or a folder, where it is named by the date. Nothing is ever written over.
    """
    from companion.commands import backup as backing

    table = table_of(file)
    with telling_why():
        click.echo(f"written {backing.make(table, file, to)}")
        backing.see_that_it_can_be_restored(table)


@click.command(epilog="Exit status: 0 restored; 1 the table runs, or can't be written; 2 a damaged or a wrong backup.")
@TABLE
@click.argument("backup", metavar="FILE", type=click.Path(path_type=Path))
def restore(file: Path, backup: Path) -> None:
    """Bring back what `companion backup` wrote; what is there now is kept in a folder beside TABLE.toml.

    TABLE.toml need not exist yet. A backup that is damaged changes nothing.
    """
    from companion.commands import restore as restoring

    with telling_why():
        for line in restoring.restore(file, backup):
            click.echo(line)


@click.group(epilog="COMMAND --help tells more, exit status included.")
def service() -> None:
    """The table as a service of this machine: started with it, and again if it should fail."""


@service.command(name="install", epilog="Exit status: 0 it runs; 1 it can't be done (told why); 2 a wrong TABLE.")
@click.argument("file", metavar="[TABLE.toml]", type=click.Path(path_type=Path, readable=False), required=False)
@click.option("--print", "only_print", is_flag=True, help="Print the unit, and do nothing.")
def install_service(file: Path | None, only_print: bool) -> None:
    """Install the table as a systemd service, or renew it, and start it.

    TABLE.toml, its tags and its log are copied to the service's own folder, /var/lib/table-companion. Without
    TABLE.toml it is the one that is there, with the devices it names now.
    """
    from companion.commands import service

    with telling_why():
        if not only_print:
            service.may_install()
        path = file or service.SETTINGS
        table = table_of(path)
        if only_print:
            click.echo(service.shown(table, path), nl=False)
            return
        for line in service.install(table, path):
            click.echo(line)


@service.command(epilog="Exit status: 0 it is gone; 1 it can't be done (told why).")
def uninstall() -> None:
    """Stop the service and take it out. Log, tags and table.toml stay."""
    from companion.commands import service

    with telling_why():
        for line in service.uninstall():
            click.echo(line)


@service.command(epilog="Exit status: 0 it runs; 1 it does not (its last words are told).")
def status() -> None:
    """Tell whether the service runs."""
    from companion.commands import service

    with telling_why():
        for line in service.status():
            click.echo(line)
