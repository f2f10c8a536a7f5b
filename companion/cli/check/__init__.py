"""`companion check`: check that every reader and buzzer box of a table answers, and how well it does."""

import sys
from pathlib import Path
from typing import NoReturn

import click

from companion.cli.check import plugged
from companion.cli.check.buzzer_fairness import Comparison, compared
from companion.cli.check.checking import Checking
from companion.cli.check.finger_check import Trial, certified
from companion.cli.check.reader_reach import described, places, reaches, verdict
from companion.cli.check.report import line, report
from companion.cli.check.walk import enter, lead
from companion.cli.output import json_line, print_lines, say, write
from companion.config import Table, load
from companion.errors import NotNow
from companion.report.device_lines import disk_line, figures
from companion.setup.plugged_in import everything

A_DAY = 24 * 60 * 60
"""Seconds."""


@click.command(epilog="Exit status: 0 all is well; 1 something is not; 2 wrong usage or a wrong TABLE.")
@click.argument("file", metavar="[TABLE.toml]", type=click.Path(path_type=Path, readable=False), required=False)
@click.option("--watch", type=click.IntRange(0, A_DAY), default=0, metavar="SECONDS", help="Show what is sensed.")
@click.option("--walk", is_flag=True, help="Lead you around the table: is each button and reader the right one?")
@click.option(
    "--fair",
    type=click.IntRange(10, 10_000),
    metavar="PRESSES",
    help="Compare ports that are wired to one button: does a press arrive at the same time at each seat?",
)
@click.option(
    "--zero",
    type=click.IntRange(1, 100_000),
    metavar="PRESSES",
    help="Have a finger, a second Pico, press two ports 0 to 50 microseconds apart: is their order told right?",
)
@click.option("--finger", metavar="PORT", help="Where the finger is. [default: the only Pico that is not the table's]")
@click.option("--reader", metavar="PLACE", help="Try one reader with printed spacers: does it read far enough?")
@click.option("--find", is_flag=True, help="Without a TABLE: ask ports and buses who is there. This writes to them.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end, and nothing else.")
def check(
    file: Path | None,
    watch: int,
    walk: bool,
    fair: int | None,
    zero: int | None,
    finger: str | None,
    reader: str | None,
    find: bool,
    as_json: bool,
) -> None:
    """Check that every reader and button of a table answers, and how well.

    Shows for each what it is, how fast and how reliably it reads, how its buttons bounce, what is wrong and what to
    do; and which events in the log were altered.
    Without a TABLE.toml it lists what is plugged in, and the sections to write.
    """
    if file is None:
        if watch or walk or fair or zero or reader or as_json:
            raise click.UsageError("--watch, --walk, --fair, --zero, --reader and --json need a TABLE.toml")
        _list(find)
        return
    if find:
        raise click.UsageError("--find takes no TABLE.toml: it asks what is there")
    if finger and not zero:
        raise click.UsageError("--finger belongs to --zero")
    if reader and (watch or walk or fair or zero or as_json):
        raise click.UsageError("--reader is tried alone: without --watch, --walk, --fair, --zero and --json")
    table = load(file)
    if reader:
        _try_reader(table, reader)
    _check(table, watch, walk, fair or 0, Trial(table, finger, zero) if zero else None, as_json)


def _try_reader(table: Table, place: str) -> NoReturn:
    """Try one reader with each spacer, print the verdict, and exit."""
    if place not in places(table):
        raise click.UsageError(f"no reader at {place}; there are readers at {', '.join(places(table)) or 'no place'}")
    tried = []
    for reach in reaches(table, place, _wait_for):
        tried.append(reach)
        say(described(reach))
    say(verdict(tried))
    sys.exit(0 if all(reach.is_enough for reach in tried) else 1)


def _wait_for(sentence: str) -> None:
    click.prompt(f"{sentence}; then Enter", default="", show_default=False, prompt_suffix=" ")


def _list(find: bool) -> None:
    """List what is plugged in here, and exit."""
    attached = [*plugged.answering(everything()), *plugged.of_the_machine()] if find else plugged.list_plugged()
    print_lines(plugged.describe(attached))
    sys.exit(0 if any(device.settings is not None for device in attached) else 1)


def _check(table: Table, watch: int, walk: bool, presses: int, trial: Trial | None, as_json: bool) -> None:
    comparison = Comparison(table)
    with Checking(table) as checking:
        if presses and len(checking.seats) < 2:
            raise NotNow("\n".join([*checking.missing, "--fair compares buttons: two buttons or more must answer"]))
        seconds = watch or checking.seconds
        if seconds and not as_json:
            say(f"Listening for {seconds:.0f} s ...")
        presses_count = walk or presses or trial  # looking at the contacts may lose a press
        meanwhile = (lambda: None) if presses_count else checking.checkup.look_at_contacts
        for sensing in checking.sensed(seconds, meanwhile):
            if watch and not as_json:
                say(line(sensing))
        for why in checking.missing if walk else ():
            say(f"left out  {why}", err=as_json)
        for step in lead(checking, enter) if walk and checking.steps else ():
            say(step, err=as_json)
        for progress in comparison.collect(checking, presses, enter) if presses else ():
            say(progress, err=as_json)
        checking.settle()
        for progress in trial.collect(checking) if trial else ():
            say(progress, err=as_json)
        summary = report(checking)
        if presses:
            summary = comparison.add_to(summary)
        if trial:
            summary = trial.add_to(summary)
    if as_json:
        write(json_line(summary))
    else:
        for device in summary.devices:
            print_lines(figures(device) if device.works else ())
        print_lines(map(compared, summary.fair))
        print_lines(certified(summary.zero) if summary.zero else ())
        say(disk_line(summary.disk))
        for sentence in summary.wrong:
            say(sentence, err=True)
        print_lines(plugged.list_unused(table))
        answering = sum(device.works is True for device in summary.devices)
        say(f"{answering} of {len(summary.devices)} answer")
    sys.exit(1 if summary.wrong else 0)
