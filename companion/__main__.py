"""The `companion` command.

Exit status of every command: 0 done; 1 the table, the page or the log can't do it now; 2 wrong usage or wrong input.
Each command imports what it needs when it is called, so that `replay` starts fast.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.config import Table

    Option = Callable[[Callable[..., None]], Callable[..., None]]

LANGUAGE: Option = click.option(
    "--lang", type=click.Choice(["en", "fr"]), default="en", show_default=True, help="Language."
)
LOG: Option = click.option(
    "--log",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The log's file. [default: the virtual table's own]",
)
PORT: Option = click.option("--port", metavar="PORT", help="The Pico's serial port. [default: the only Pico on USB]")


@click.group(
    context_settings={"help_option_names": ["-h", "--help"]}, epilog="COMMAND --help tells more, exit status included."
)
@click.version_option(package_name="table-companion")
def main() -> None:
    """The table companion: a game table that knows its game."""


@main.command(epilog="Exit status: 0 after it was stopped, 1 if it can't start, 2 for wrong usage.")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="Port of the page.")
@click.option("--host", default="0.0.0.0", show_default=True, help="Address to listen at.")
@LOG
def play(port: int, host: str, log: Path | None) -> None:
    """Play on a virtual table, in the browser.

    Starts the companion with virtual readers and buzzers, and prints the address as text and as a QR code.
    """
    from companion.commands import table

    _run(table.virtual_table(log or _own_log(), host, port), anyway=False)


@main.command(epilog="Exit status: 0 after it was stopped, 1 if it can't start, 2 for wrong usage or a wrong TABLE.")
@click.argument("file", metavar="TABLE.toml", type=click.Path(path_type=Path))
@click.option("--anyway", is_flag=True, help="Start even if a reader or buzzer box does not answer yet.")
def run(file: Path, anyway: bool) -> None:
    """Keep a real table: its readers, its buzzers, its page.

    TABLE.toml names the drivers; README.md describes it. Starts again in the match it was stopped in.
    """
    _run(_table(file), anyway=anyway)


@main.command(
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
                _write(judging.line(found))
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
    _write(printed)


@main.command(
    epilog="Exit status: 0 written; 1 no such match, a damaged one, or a file that can't be used; 2 wrong usage."
)
@click.argument("match", type=click.IntRange(min=1), required=False)
@click.option("--list", "listing", is_flag=True, help="List the matches instead.")
@click.option(
    "--output", "-o", type=click.Path(path_type=Path, dir_okay=False), help="Write there, not to the terminal."
)
@click.option("--table", "file", type=click.Path(path_type=Path), metavar="TABLE.toml", help="Use this table's log.")
@LOG
def export(match: int | None, listing: bool, output: Path | None, file: Path | None, log: Path | None) -> None:
    """Write a match from the log as a record.

    MATCH is its number; without one, the last match.
    """
    from companion.commands import export as exporting
    from companion.log import Log, LogFault

    if file and log:
        raise click.UsageError("--table or --log, not both")
    path = _table(file).log if file else log or _own_log()
    try:
        book = Log(path, writes=False)
        if listing:
            for line in exporting.listing(book):
                click.echo(line)
            return
        lines, wrong = exporting.record(book, match)
        if output is None:
            _write(lines)
        else:
            exporting.save(lines, output, path)
    except (LogFault, exporting.NotWritten) as fault:
        raise click.ClickException(str(fault)) from fault
    if wrong:
        raise click.ClickException(f"{wrong}. It is written as it stands")


@main.command(
    epilog="Exit status: 0 told; 1 the table was never started, or its codes can't be read; 2 wrong usage or TABLE."
)
@click.argument("file", metavar="[TABLE.toml]", type=click.Path(path_type=Path), required=False)
@LOG
def codes(file: Path | None, log: Path | None) -> None:
    """Show the codes of a table: the host's, and every seat's.

    TABLE.toml names the table; without one, the virtual table. The host's code makes any phone the host's.
    """
    from companion.commands import codes as telling
    from companion.phones import PhonesFault

    if file and log:
        raise click.UsageError("TABLE.toml or --log, not both")
    try:
        for line in telling.listing(_table(file).log if file else log or _own_log()):
            click.echo(line)
    except PhonesFault as wrong:
        raise click.ClickException(str(wrong)) from wrong


@main.command(epilog="Exit status: 0 everything answers; 1 something does not; 2 wrong usage or a wrong TABLE.")
@click.argument("file", metavar="TABLE.toml", type=click.Path(path_type=Path))
@click.option("--watch", type=click.FloatRange(min=0), default=0, metavar="SECONDS", help="Then show what is sensed.")
def check(file: Path, watch: float) -> None:
    """See that every reader and buzzer box of a table answers."""
    import threading

    from companion.commands import check as checking
    from companion.tags import TagsFault

    table = _table(file)
    try:
        wrong = checking.missing(table)
    except TagsFault as fault:
        click.echo(str(fault), err=True)
        sys.exit(2)
    for sentence in wrong:
        click.echo(sentence, err=True)
    for line in checking.watch(table, watch, threading.Event()) if watch else ():
        click.echo(line)
    click.echo(f"{len(table.sensors) - len(wrong)} of {len(table.sensors)} answer")
    sys.exit(1 if wrong else 0)


@main.group(epilog="COMMAND --help tells more, exit status included.")
def firmware() -> None:
    """The buzzer box's program, on a Raspberry Pi Pico."""


@firmware.command(epilog="Exit status: 0 installed and answering; 1 it could not be done (told on standard error).")
@PORT
def install(port: str | None) -> None:
    """Copy the firmware to a Pico that runs MicroPython, start it, and see that it answers.

    Needs mpremote (the extra `firmware`); without it, tells what to do by hand. A box that runs is asked to make room.
    """
    from companion.commands import firmware

    _say(firmware.install, port)


@firmware.command(epilog="Exit status: 0 told; 1 no box answers.")
@PORT
def version(port: str | None) -> None:
    """Tell which firmware a box runs, and whether this companion brings another."""
    from companion.commands import firmware

    _say(firmware.version, port)


@firmware.command(epilog="Exit status: 0 all is well; 1 something is not, or no box answers.")
@PORT
def test(port: str | None) -> None:
    """Have a box test its buttons' stamps, and show every cue on its lamps. Not while people play."""
    from companion.commands import firmware

    _say(firmware.test, port)


def _say(told: Callable[[str], Iterator[str]], port: str | None) -> None:
    """Print what a box at a port tells, as it comes."""
    from companion.commands.firmware import NotDone, find
    from companion.table.box.faults import Lost

    try:
        for line in told(find(port)):
            click.echo(line)
    except (NotDone, Lost) as wrong:
        raise click.ClickException(str(wrong)) from wrong


def _write(data: bytes) -> None:
    """Write to standard output, or say why that can't be."""
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except (OSError, AttributeError) as wrong:
        if sys.stdout is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing more may be tried at exit
        if not isinstance(wrong, BrokenPipeError):
            click.echo(
                f"can't write to standard output: {getattr(wrong, 'strerror', None) or 'it is closed'}", err=True
            )
        sys.exit(1)


def _table(file: Path) -> Table:
    from companion.config import ConfigFault, load

    try:
        return load(file)
    except ConfigFault as wrong:
        click.echo(str(wrong), err=True)
        sys.exit(2)


def _run(settings: Table, *, anyway: bool) -> None:
    from companion.commands import table
    from companion.log import LogFault
    from companion.phones import PhonesFault
    from companion.tags import TagsFault

    try:
        table.run(settings, anyway=anyway)
    except (LogFault, PhonesFault, TagsFault) as wrong:
        raise click.ClickException(str(wrong)) from wrong


def _own_log() -> Path:
    """Give the virtual table's log, in the user's data folder."""
    data = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(data).expanduser() / "table-companion" / "virtual.sqlite"


if __name__ == "__main__":
    main()
