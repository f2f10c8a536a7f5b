"""The `companion` command.

Exit status of every command: 0 done; 1 the table, the page or the log can't do it now; 2 wrong usage or wrong input.
Each command imports what it needs when it is called, so that `replay` starts fast.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.config import Table
    from companion.game import Game

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
@click.argument("file", metavar="TABLE.toml", type=click.Path(path_type=Path, readable=False))
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
@click.option(
    "--table",
    "file",
    type=click.Path(path_type=Path, readable=False),
    metavar="TABLE.toml",
    help="Use this table's log.",
)
@LOG
def export(match: int | None, listing: bool, output: Path | None, file: Path | None, log: Path | None) -> None:
    """Write a match from the log as a record.

    MATCH is its number; without one, the last match.
    """
    from companion.commands import export as exporting
    from companion.log import Log, LogFault

    path = _log(file, log)
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


@main.command(epilog="Exit status: 0 told; 1 there is no log, or it can't be read; 2 wrong usage.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV for a spreadsheet, in French with semicolons.")
@click.option("--table", "file", type=click.Path(path_type=Path), metavar="TABLE.toml", help="Use this table's log.")
@LOG
@LANGUAGE
def standings(as_csv: bool, file: Path | None, log: Path | None, lang: str) -> None:
    """Tell what every player has made of the matches in the log: played, won, mean place, best.

    Only matches that were played to their end count, and simulated ones only where no other was played.
    """
    from companion.archive import NotThere
    from companion.commands import standings as standing

    path = _log(file, log)
    try:
        if as_csv:
            _write(standing.as_csv(path, lang))
            return
        for line in standing.as_text(path):
            click.echo(line)
    except NotThere as wrong:
        raise click.ClickException(str(wrong)) from wrong


@main.command(epilog="Exit status: 0 all is well; 1 something is not; 2 wrong usage or a wrong TABLE.")
@click.argument("file", metavar="[TABLE.toml]", type=click.Path(path_type=Path, readable=False), required=False)
@click.option("--watch", type=click.FloatRange(min=0), default=0, metavar="SECONDS", help="Show what is sensed.")
@click.option("--walk", is_flag=True, help="Lead around the table: is every button and reader the one it should be?")
@click.option("--find", is_flag=True, help="Without a TABLE: ask every serial port what is there. This writes to them.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end, and nothing else.")
def check(file: Path | None, watch: float, walk: bool, find: bool, as_json: bool) -> None:
    """See that every reader and button of a table answers, and how well.

    Tells of each what it is, how fast and how surely it reads, how its buttons bounce, what is wrong and what to do.
    Without a TABLE.toml it lists what is plugged in, and the sections to write.
    """
    from companion.commands import check as checking
    from companion.commands import plugged
    from companion.tags import TagsFault

    if file is None:
        if watch or walk or as_json:
            raise click.UsageError("--watch, --walk and --json need a TABLE.toml")
        _list(find)
        return
    if find:
        raise click.UsageError("--find needs no TABLE.toml: it asks what is there")
    table = _table(file)
    try:
        asked = checking.Checking(table)
    except TagsFault as fault:
        click.echo(str(fault), err=True)
        sys.exit(2)
    with asked:
        for sensing in asked.sensed(watch or asked.seconds):
            if watch and not as_json:
                click.echo(checking.line(sensing))
        for line in checking.walked(asked, checking.enter) if walk else ():
            click.echo(line, err=as_json)
        asked.settle()
        found = checking.report(asked)
    if as_json:
        _write(checking.line_of(found))
    else:
        for device in found.devices:
            for line in checking.figures(device) if device.works else ():
                click.echo(line)
        for sentence in found.wrong:
            click.echo(sentence, err=True)
        for line in plugged.left(table):
            click.echo(line)
        answering = sum(device.works is True for device in found.devices)
        click.echo(f"{answering} of {len(found.devices)} answer")
    sys.exit(1 if found.wrong else 0)


def _list(find: bool) -> None:
    """Tell what is plugged in here."""
    from companion.commands import plugged

    found = plugged.found(find)
    for line in plugged.told(found):
        click.echo(line)
    sys.exit(0 if found else 1)


@main.group(epilog="COMMAND --help tells more, exit status included.")
def tags() -> None:
    """The stickers on a table's cards: put them on, carry a deck to another table.

    On a running table they are put on at its page /tags.
    """


TABLE = click.argument("file", metavar="TABLE.toml", type=click.Path(path_type=Path, readable=False))
GAME = click.argument("game", metavar="GAME")


@tags.command(epilog="Exit status: 0 ended; 1 no reader answers, or the table runs; 2 a wrong TABLE, game or box.")
@TABLE
@GAME
@click.option("--box", multiple=True, metavar="KEY=VALUE", help="What your box holds: colours=red,blue or tokens_2=3.")
def enrol(file: Path, game: str, box: tuple[str, ...]) -> None:
    """Put stickers on a deck: lay its cards on any reader, one after the other.

    Each card is kept at once; what a box holds is told once. `tags list` names the games.
    """
    from companion.commands import tags

    table, known = _table(file), _game(game)
    with _telling_why(), tags.held(table) as decks:
        for line in tags.riffle(table, decks, known, tags.told_box(known, box, decks.deck(game).box)):
            click.echo(line)


@tags.command(name="list", epilog="Exit status: 0 told; 2 a wrong TABLE or file of tags.")
@TABLE
def list_decks(file: Path) -> None:
    """Tell of every game how many cards have a sticker, and which have none."""
    from companion.commands import tags

    table = _table(file)
    with _telling_why():
        for line in tags.listing(tags.decks_of(table)):
            click.echo(line)


@tags.command(name="export", epilog="Exit status: 0 written; 2 no such deck, a wrong TABLE or file.")
@TABLE
@GAME
@click.option(
    "--output", "-o", type=click.Path(path_type=Path, dir_okay=False), help="Write there, not to the terminal."
)
def export_deck(file: Path, game: str, output: Path | None) -> None:
    """Write a deck's stickers as a file that another table can import."""
    from companion.commands import tags

    table, _ = _table(file), _game(game)
    with _telling_why():
        text = tags.exported(tags.decks_of(table), game)
        if output is None:
            _write(text.encode())
        else:
            tags.save(text, output, table)


@tags.command(name="import", epilog="Exit status: 0 taken over; 1 the table runs; 2 a conflict, or a wrong file.")
@TABLE
@click.argument("deck", metavar="DECK.toml", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--replace", is_flag=True, help="Also where this table knows stickers of that game already.")
def import_deck(file: Path, deck: Path, replace: bool) -> None:
    """Take over a deck's stickers from a file. In a conflict nothing is changed."""
    from companion.commands import tags

    table = _table(file)
    with _telling_why(), tags.held(table) as decks:
        found = tags.bring_in(decks, deck, replace=replace)
        click.echo(f"{found.game}: {len(found.tags)} stickers, kept in {table.tags}")


def _game(slug: str) -> Game:
    from companion import games

    if slug not in games.known():
        raise click.UsageError(f"unknown game {slug!r}; known: {', '.join(games.known())}")
    return games.known()[slug]


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


@firmware.command(epilog="Exit status: 0 every button was pressed; 1 not every one, or no box answers.")
@PORT
def bounces(port: str | None) -> None:
    """Have each button pressed in turn, and tell how its contact bounces. Not while people play."""
    from companion.commands import firmware

    _say(firmware.bounces, port)


@main.command(epilog="Exit status: 0 written; 1 it can't be written, or the log can't be read; 2 a wrong TABLE.")
@TABLE
@click.argument("to", metavar="FILE", type=click.Path(path_type=Path))
def backup(file: Path, to: Path) -> None:
    """Write log, tags and settings of a table to one file, also while people play.

    FILE is a new file, or a folder, where it is named by the date. Nothing is ever written over.
    """
    from companion.commands import backup as backing

    table = _table(file)
    with _telling_why():
        click.echo(f"written {backing.make(table, file, to)}")


@main.command(epilog="Exit status: 0 restored; 1 the table runs, or can't be written; 2 a damaged or a wrong backup.")
@TABLE
@click.argument("backup", metavar="FILE", type=click.Path(path_type=Path))
def restore(file: Path, backup: Path) -> None:
    """Bring back what `companion backup` wrote; what is there now is kept in a folder beside TABLE.toml.

    TABLE.toml need not exist yet. A backup that is damaged changes nothing.
    """
    from companion.commands import restore as restoring

    with _telling_why():
        for line in restoring.restore(file, backup):
            click.echo(line)


@main.group(epilog="COMMAND --help tells more, exit status included.")
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

    with _telling_why():
        if not only_print:
            service.may_install()
        path = file or service.SETTINGS
        table = _table(path)
        if only_print:
            click.echo(service.shown(table, path), nl=False)
            return
        for line in service.install(table, path):
            click.echo(line)


@service.command(epilog="Exit status: 0 it is gone; 1 it can't be done (told why).")
def uninstall() -> None:
    """Stop the service and take it out. Log, tags and table.toml stay."""
    from companion.commands import service

    with _telling_why():
        for line in service.uninstall():
            click.echo(line)


@service.command(epilog="Exit status: 0 it runs; 1 it does not (its last words are told).")
def status() -> None:
    """Tell whether the service runs."""
    from companion.commands import service

    with _telling_why():
        for line in service.status():
            click.echo(line)


@contextmanager
def _telling_why() -> Iterator[None]:
    """Tell why a command can't be done now, or what is wrong with what it was given."""
    from companion.commands.faults import NotDone, WrongInput
    from companion.log import LogFault
    from companion.tags import TagsFault

    try:
        yield
    except (WrongInput, TagsFault) as wrong:
        click.echo(str(wrong), err=True)
        sys.exit(2)
    except (NotDone, LogFault) as wrong:
        raise click.ClickException(str(wrong)) from wrong


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
    from companion.commands.faults import NotDone
    from companion.log import LogFault
    from companion.phones import PhonesFault
    from companion.tags import TagsFault

    try:
        table.run(settings, anyway=anyway)
    except (NotDone, LogFault, PhonesFault, TagsFault) as wrong:
        raise click.ClickException(str(wrong)) from wrong


def _log(file: Path | None, log: Path | None) -> Path:
    """Give the log that is meant: a table's, a file, or the virtual table's own."""
    if file and log:
        raise click.UsageError("--table or --log, not both")
    return _table(file).log if file else log or _own_log()


def _own_log() -> Path:
    """Give the virtual table's log, in the user's data folder."""
    data = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(data).expanduser() / "table-companion" / "virtual.sqlite"


if __name__ == "__main__":
    main()
