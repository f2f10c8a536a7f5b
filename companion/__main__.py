"""The `companion` command.

Exit status of every command: 0 done; 1 the table, the page or the log can't do it now; 2 wrong usage or wrong input.
Each command imports what it needs when it is called, so that `replay` starts fast.
"""

import click

from companion.cli import devices, keeping, playing, records, stickers


@click.group(
    context_settings={"help_option_names": ["-h", "--help"]}, epilog="COMMAND --help tells more, exit status included."
)
@click.version_option(package_name="table-companion")
def main() -> None:
    """The table companion: a game table that knows its game."""


for command in (
    *(playing.play, playing.run, playing.codes, records.replay, records.export, records.standings),
    *(devices.check, devices.firmware, stickers.tags, keeping.backup, keeping.restore, keeping.service),
):
    main.add_command(command)

if __name__ == "__main__":
    main()
