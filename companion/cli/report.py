"""`companion report`: writes one file for remote support, without anything private.

A running table is asked for its part, because its devices answer no other program.
"""

import subprocess
import sys
from pathlib import Path

import click
import msgspec

from companion.cli import options
from companion.cli.output import say
from companion.config import Table
from companion.errors import NotNow
from companion.first_aid.examination import described
from companion.machine.table_unit import NAME
from companion.measuring.figures_file import described as described_figures
from companion.measuring.figures_file import figures_of, read_figures
from companion.report.about import about
from companion.report.asking import ask
from companion.report.messages import read_messages
from companion.report.packing import packed, settings_text
from companion.report.secrets import secrets, without

CHECK_S = 60
LINES = 3000


@click.command(epilog="Exit status: 0 written; 1 it can't be written; 2 a wrong TABLE.")
@options.TABLE
@click.argument("to", metavar="FILE", type=click.Path(path_type=Path))
def report(file: Path, to: Path) -> None:
    """Write one file for whoever helps: what the check says, the journal, the settings; no secrets.

    A table that runs is asked, and its answer begins with "told by the running table". Codes, people's names, cards and
    the numbers of stickers are taken out. FILE is a new file: a zip of texts, to be looked through before it is sent.
    """
    table, _ = described(file)  # settings that can't be used are what help is asked for; the check says why
    parts = {
        "about.txt": about(table),
        **settings_text(file),
        "check.txt": check(file, table),
        "journal.txt": journal(table),
        "measured.txt": measured(table),
    }
    whole = packed(without(parts, secrets(table)))
    try:
        with to.open("xb") as written:
            written.write(whole)
    except FileExistsError:
        raise NotNow(f"{to} exists already: choose another name. Nothing is overwritten") from None
    except OSError as wrong:
        raise NotNow(f"can't write {to}: {wrong.strerror}. Choose another place") from wrong
    say(f"wrote {to}")


def check(file: Path, table: Table) -> str:
    """Return the running table's own report or, if none answers, the output of `companion check`."""
    return ask(table.log) or _said([sys.executable, "-m", "companion", "check", str(file)])


def journal(table: Table) -> str:
    """Return the program's last messages, from the file beside the log and from systemd's journal."""
    unit = ["journalctl", "--unit", f"{NAME}*", "--no-pager", "--output", "short-iso", "--lines", str(LINES)]
    messages = read_messages(table.log) or "none yet\n"
    return f"kept beside the log:\n{messages}\nsystemd's journal of {NAME}:\n{_said(unit)}"


def measured(table: Table) -> str:
    """Return the owner's measurements, or why they can't be read."""
    path = figures_of(table.log)
    try:
        return described_figures(read_figures(path))
    except (OSError, msgspec.MsgspecError) as error:
        return f"{path}: {error}\n"


def _said(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=CHECK_S, check=False, errors="replace")
        return f"{done.stdout}\n{done.stderr}"
    except (OSError, subprocess.TimeoutExpired) as wrong:
        return f"{command[0]}: {wrong}\n"
