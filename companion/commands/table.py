"""`companion play` and `companion run`: a table in play, with its page, until it is stopped."""

import socket
from collections.abc import Sequence
from pathlib import Path

import click
import segno

from companion.clock import TableClock
from companion.config import Page, Shout, Table
from companion.cues import cues
from companion.demo import Demo
from companion.events import PLACES
from companion.live import Live
from companion.log import Log
from companion.phones import Phones, beside
from companion.rights import HOST
from companion.table.cues import Lamps
from companion.table.drivers import virtual
from companion.table.listening import Listening, start_all
from companion.table.sensing import Source
from companion.tags import load
from web import create_app
from web.server import serve


def virtual_table(log: Path, host: str, port: int) -> Table:
    """Describe a table of virtual readers and buzzers only."""
    readers = [virtual.Reader(place) for place in PLACES]
    return Table(
        log=log,
        tags=None,
        page=Page(host, port),
        shout=Shout(window=0.0),
        sensors=(*readers, virtual.Buzzers((1, 2, 3, 4, 5, 6))),
        simulated=True,
    )


def run(table: Table, *, anyway: bool) -> None:
    """Keep a table until it is stopped. Raises click.ClickException where it can't start."""
    cards = load(table.tags) if table.tags else {}
    _see_that_it_is_free(table.page)
    log = Log(table.log, writes=True)
    phones = Phones(beside(table.log))
    clock = TableClock(log.last_at())
    sources: Sequence[Source] = [sensor.open(clock) for sensor in table.sensors]
    missing = start_all(sources)
    for wrong in missing:
        click.echo(wrong, err=True)
    if missing and not anyway:
        for source in sources:
            source.close()
        raise click.ClickException("the table is not complete; mend it, or start with --anyway")
    live = Live(log, clock, cards, simulated=table.simulated, hold=table.shout.window, apart=table.apart)
    hand = virtual.Hand(sources) if table.simulated else None
    demo = Demo(live, hand) if hand else None
    address = table.page.address or f"http://{_own_address()}:{table.page.port}/"
    lamps = [source for source in sources if isinstance(source, Lamps)]
    if lamps:
        _light(lamps, live)
        live.watch(lambda: _light(lamps, live))
    live.start()
    listening = Listening(sources, live.tell)
    try:
        _welcome(address, table, phones.rights.codes[HOST])
        app = create_app(live, phones=phones, hand=hand, demo=demo, address=address)
        serve(app, table.page.host, table.page.port)
    finally:
        if demo:
            demo.stop()
        listening.stop()
        live.stop()
        log.close()


def _light(lamps: Sequence[Lamps], live: Live) -> None:
    shown = cues(live.snapshot)
    for source in lamps:
        source.show(shown)


def _welcome(address: str, table: Table, code: str) -> None:
    segno.make(address, error="m").terminal(compact=True)
    if table.simulated:
        click.echo("SIMULATED: cards and buzzers are virtual.")
    click.echo(f"The table is open at {address} (scan the code with a phone in the same network)")
    click.echo(f"The first to start a match is host. Should that phone be lost, the host's code is {code}")
    click.echo(f"Everything is kept in {table.log}. Stop with Ctrl-C.")


def _see_that_it_is_free(page: Page) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((page.host, page.port))
        except OSError as wrong:
            raise click.ClickException(
                f"can't open the page at {page.host}:{page.port}: {wrong.strerror}. Choose another port or host"
            ) from wrong


def _own_address() -> str:
    """Give this machine's address in the local network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            own: str = probe.getsockname()[0]
        except OSError:
            return "127.0.0.1"
    return own
