"""The `companion` command: one module a command, imported when it is called, so that `replay` starts fast.

Exit status of every command: 0 done; 1 the table, the page or the log can't do it now; 2 wrong usage or wrong input.
"""

import gc
from importlib import import_module
from io import StringIO
from typing import Any

import click

from companion.cli.legible import make_streams_legible
from companion.errors import NotNow, WrongInput

COMMANDS = {
    "play": ("run", "Play on a virtual table, in the browser."),
    "run": ("run", "Run a real table: its readers, its buzzers, its page."),
    "replay": ("replay", "Judge a record again."),
    "export": ("export", "Write a match from the log as a record."),
    "standings": ("standings", "Sum up how every player has done in the matches in the log."),
    "codes": ("codes", "Show the codes of a table: the host's, and every seat's."),
    "check": ("check", "Check that every reader and button of a table answers, and how well."),
    "tags": ("tags", "The stickers on a table's cards: put them on, carry a deck to another table."),
    "firmware": ("firmware", "The buzzer box's program, on a Raspberry Pi Pico."),
    "hub": ("hub", "Run a club's hub: all its tables at a glance, their results, the season."),
    "club": ("club", "The club of a table: join it, leave it."),
    "service": ("service", "The table as a service of this machine, started with it, and again if it fails."),
    "new-game": ("new_game", "Write a small game that works, to be turned into your own."),
    "words": ("words", "Say what is not translated yet, in the companion and in each game."),
    "backup": ("backup", "Write log, tags and settings of a table to one file, also while people play."),
    "restore": ("restore", "Bring back what `companion backup` wrote."),
    "report": (
        "report",
        "Write one file for whoever helps: what the check says, the journal, the settings; no secrets.",
    ),
    "update": ("update", "Update the companion of this machine from a signed file."),
}
"""Each command's module, and the first sentence of its help, so that the list of commands imports none of them."""


class LazyGroup(click.Group):
    """A group that imports a command when it is called, and turns its errors into sentences and exit statuses."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """See `click.Group`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """See `click.Group`."""
        if cmd_name not in COMMANDS:
            return None
        module, _ = COMMANDS[cmd_name]
        # Imported modules stay for good, so the garbage collector need not traverse them, now or later.
        gc.disable()
        try:
            command: click.Command = getattr(import_module(f"{__name__}.{module}"), cmd_name.replace("-", "_"))
        finally:
            gc.freeze()
            gc.enable()
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """See `click.Group`, which would import every command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])

    def main(self, *args: Any, **more: Any) -> Any:
        """See `click.Group`; what click prints by itself fits the terminal."""
        make_streams_legible()
        return super().main(*args, **more)

    def invoke(self, ctx: click.Context) -> None:
        """Call a command; an expected error ends as a sentence on stderr and an exit status."""
        try:
            super().invoke(ctx)
        except click.UsageError as wrong:
            complaint = StringIO()
            wrong.show(complaint)
            _complain(complaint.getvalue().rstrip())
            ctx.exit(wrong.exit_code)
        except WrongInput as wrong:
            _complain(str(wrong))
            ctx.exit(2)
        except NotNow as wrong:
            _complain(f"Error: {wrong}")
            ctx.exit(1)


def _complain(why: str) -> None:
    from companion.cli.output import say  # only when needed: it decodes JSON, too

    for line in why.split("\n"):
        say(line, err=True)


def _tell_version(ctx: click.Context, param: click.Parameter, is_wanted: bool) -> None:
    if is_wanted:
        from companion.cli.output import say
        from companion.versions.commit import full_version  # only when needed: it asks git

        say(f"companion, version {full_version()}")
        ctx.exit()


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="COMMAND --help says more, including the exit status.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_tell_version,
    help="Show the version and exit.",
)
def main() -> None:
    """The table companion: a game table that knows its game."""
