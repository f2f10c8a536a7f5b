"""`companion play` and `companion run`: run a virtual or a real table with its page until it is stopped."""

import logging
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import click
from msgspec.structs import replace

from companion import games
from companion.access.rights_file import PhonesFault
from companion.cli.address import Door, PageEnd
from companion.cli.options import LOG, TABLE
from companion.cli.output import announce
from companion.cli.stderr_log import LogLine, log_to_stderr
from companion.cli.table_in_play import Start, keep
from companion.config import PageSettings, PhoneSettings, ShoutSettings, Table, load
from companion.devices.drivers import virtual
from companion.errors import CompanionError
from companion.events import SEATS
from companion.free_table import FIRST_PORT, find_free
from companion.machine import watchdog
from companion.network.serving import PageFault
from companion.network.staying_connected import networked
from companion.report.messages import kept_messages
from companion.settings import ConfigFault
from companion.storage.opening import InUse, LogFault

_WHEN_KEPT = "%(asctime)s %(levelname)s %(message)s"

_journal = logging.getLogger(__name__)


@click.command(epilog="Exit status: 0 after it was stopped; 1 it can't start; 2 wrong usage.")
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    help=f"Port of the page. [default: {FIRST_PORT}, or the next one that is free]",
)
@click.option("--host", default="0.0.0.0", show_default=True, help="Address to listen on.")
@LOG
def play(port: int | None, host: str, log: Path | None) -> None:
    """Play on a virtual table, in the browser.

    Starts the companion with virtual readers and buzzers, and prints the address as text and as a QR code. Beside
    another table of yours it is one more, with a log and a port of its own.
    """
    log_to_stderr()
    free = find_free(log, port)
    for note in free.notes:
        announce(note)
    with kept_messages(free.log, LogLine(_WHEN_KEPT)), closing(Door("--port")) as door:
        table = virtual_table(free.log, host, free.port)
        start = Start(door)
        ended = PageEnd.NEXT
        while ended is not PageEnd.OVER:
            ended = _tended(lambda: keep(table, start), start, table)


@click.command(epilog="Exit status: 0 after it was stopped; 1 it can't start; 2 wrong usage or a wrong TABLE.")
@TABLE
@click.option("--anyway", is_flag=True, hidden=True, help="Means nothing; units of earlier versions name it.")
def run(file: Path, anyway: bool) -> None:
    """Run a real table: its readers, its buzzers, its page.

    TABLE.toml names the drivers; hardware/settings.md explains every setting. Resumes the match it was
    stopped in. If there is no such file yet, or it names no device, the page sets the table up and writes it. A
    reader or buzzer box that does not answer is reported, on the page too, and joins in when it does.
    """
    log_to_stderr()
    from companion.first_aid.examination import described  # a virtual table has no file to look at

    table = described(file)[0]
    with (
        kept_messages(table.log, LogLine(_WHEN_KEPT)),
        closing(Door("`port` in [page]")) as door,
        networked(table) as wifi,
    ):
        start = Start(door, file, wifi)
        ended = PageEnd.NEXT
        while ended is not PageEnd.OVER:
            last_end = ended
            if last_end is PageEnd.RESTORE:
                from companion.backups.at_table import bring_back_chosen

                start = replace(start, restored=bring_back_chosen(file))
            ended = _tended(lambda: _begin(file, start, last_end), start)  # noqa: B023 - it is called at once
            start = replace(start, restored=None)
    watchdog.stopping()


def _begin(file: Path, start: Start, last_end: PageEnd) -> PageEnd:
    """Run a table, or its setup if that was asked for or it has no devices. Raises as `keep`, and `ConfigFault`."""
    from companion.first_aid.examination import described

    table, ailment = described(file)
    if ailment:
        raise ConfigFault(ailment.says)
    if last_end is not PageEnd.SET_UP and table.sensors:
        return keep(load(file), start)
    from companion.cli.setting_up import set_up  # only when needed: it looks at every kind of device

    return set_up(file, table, start.door, start.wifi)


def _tended(begin: Callable[[], PageEnd], start: Start, table: Table | None = None) -> PageEnd:
    """Call `begin`; if a file of the table can't be used, serve first aid. `table`: a table without a settings file."""
    try:
        return begin()
    except InUse:  # a LogFault, but the other companion serves the page
        raise
    except (LogFault, PhonesFault, ConfigFault) as wrong:
        return _aided(wrong, start, table)
    except PageFault as wrong:
        if start.file is None:
            raise  # the address was typed at this terminal just now
        return _aided(wrong, start, table)
    except CompanionError:
        raise
    except Exception as wrong:
        _journal.exception("the table can't start")
        return _aided(wrong, start, table)


def _aided(wrong: Exception, start: Start, table: Table | None) -> PageEnd:
    from companion.cli.first_aid import give_first_aid  # only when needed

    return give_first_aid(wrong, start.file, table, start.door, start.wifi)


def virtual_table(log: Path, host: str, port: int) -> Table:
    """Return a table of virtual readers and buzzers only."""
    return Table(
        log=log,
        tags=None,
        page=PageSettings(host, port),
        shout=ShoutSettings(window=0.0),
        phones=PhoneSettings(),
        readers=tuple(virtual.Reader(place) for place in games.places()),
        buzzers=(virtual.Buzzers(tuple(SEATS)),),
    )
