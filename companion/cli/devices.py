"""What a table is made of: `companion check` and `firmware`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.answers import telling_why, write
from companion.cli.options import PORT, table_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

A_DAY = 24 * 60 * 60
"""Seconds."""


@click.command(epilog="Exit status: 0 all is well; 1 something is not; 2 wrong usage or a wrong TABLE.")
@click.argument("file", metavar="[TABLE.toml]", type=click.Path(path_type=Path, readable=False), required=False)
@click.option("--watch", type=click.IntRange(0, A_DAY), default=0, metavar="SECONDS", help="Show what is sensed.")
@click.option("--walk", is_flag=True, help="Lead around the table: is every button and reader the one it should be?")
@click.option(
    "--fair",
    type=click.IntRange(10, 10_000),
    metavar="PRESSES",
    help="Compare ports that are wired to one button: is a press told at the same time at each seat?",
)
@click.option("--find", is_flag=True, help="Without a TABLE: ask every serial port what is there. This writes to them.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end, and nothing else.")
def check(file: Path | None, watch: int, walk: bool, fair: int | None, find: bool, as_json: bool) -> None:
    """See that every reader and button of a table answers, and how well.

    Tells of each what it is, how fast and how surely it reads, how its buttons bounce, what is wrong and what to do.
    Without a TABLE.toml it lists what is plugged in, and the sections to write.
    """
    from companion.commands import check as checking
    from companion.commands import plugged
    from companion.commands.fair import Comparison
    from companion.commands.fair import line as line_of_pair

    if file is None:
        if watch or walk or fair or as_json:
            raise click.UsageError("--watch, --walk, --fair and --json need a TABLE.toml")
        _list(find)
        return
    if find:
        raise click.UsageError("--find needs no TABLE.toml: it asks what is there")
    table = table_of(file)
    with telling_why():
        asked = checking.Checking(table)
    with asked:
        for sensing in asked.sensed(watch or asked.seconds):
            if watch and not as_json:
                click.echo(checking.line(sensing))
        for line in checking.walked(asked, checking.enter) if walk else ():
            click.echo(line, err=as_json)
        comparison = Comparison(table)
        for line in comparison.pressed(asked, fair, checking.enter) if fair else ():
            click.echo(line, err=as_json)
        asked.settle()
        found = checking.report(asked)
        if fair:
            found = comparison.added_to(found)
    if as_json:
        write(checking.line_of(found))
    else:
        for device in found.devices:
            for line in checking.figures(device) if device.works else ():
                click.echo(line)
        for pair in found.fair:
            click.echo(line_of_pair(pair))
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


@click.group(epilog="COMMAND --help tells more, exit status included.")
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


def _say(told: Callable[[str], Iterator[str]], port: str | None) -> None:
    """Print what a box at a port tells, as it comes."""
    from companion.commands.firmware import find

    with telling_why():
        for line in told(find(port)):
            click.echo(line)
