"""`companion play` and `companion run`: a table in play, with its page, until it is stopped."""

import threading
from collections.abc import Sequence
from pathlib import Path

import click
import segno

from companion.access.phones import Phones
from companion.access.seats import HOST
from companion.commands import address, watchdog
from companion.commands.check import own_firmware
from companion.config import PageSettings, ShoutSettings, Table
from companion.devices.check.checkup import Checkup
from companion.devices.check.walk import around
from companion.devices.clock import TableClock
from companion.devices.drivers import virtual
from companion.devices.lamps import Lamps
from companion.devices.listening import Listening, start_all
from companion.devices.sensing import Source
from companion.errors import NotNow
from companion.events import PLACES
from companion.live.cues import cues
from companion.live.demo import Demo
from companion.live.table import Live
from companion.storage.files import phones_of
from companion.storage.integrity import see_that_it_is_whole, unread
from companion.storage.log import Log
from companion.tags.deck_file import Decks
from web import create_app
from web.server import serve


def virtual_table(log: Path, host: str, port: int) -> Table:
    """Describe a table of virtual readers and buzzers only."""
    readers = [virtual.Reader(place) for place in PLACES]
    return Table(
        log=log,
        tags=None,
        page=PageSettings(host, port),
        shout=ShoutSettings(window=0.0),
        sensors=(*readers, virtual.Buzzers((1, 2, 3, 4, 5, 6))),
        simulated=True,
    )


def run(table: Table, *, anyway: bool) -> None:
    """Keep a table until it is stopped. Raises `NotNow`, `LogFault`, `PhonesFault` and `TagsFault` where it can't
    start.
    """
    decks = Decks(table.tags)
    see_that_it_is_whole(table.log)
    log = Log(table.log, writes=True)  # first: a second companion on this table is told so, not of its port
    address.see_that_it_is_free(table.page)
    phones = Phones(phones_of(table.log))
    clock = TableClock(log.last_at())
    sources: Sequence[Source] = [sensor.open(clock) for sensor in table.sensors]
    missing = start_all(sources)
    for wrong in missing:
        click.echo(wrong, err=True)
    if missing and not anyway:
        for source in sources:
            source.close()
        raise NotNow("the table is not complete; mend it, or start with --anyway")
    live = Live(log, clock, decks, simulated=table.simulated, hold=table.shout.window, apart=table.apart)
    hand = virtual.VirtualHand(sources) if table.simulated else None
    demo = Demo(live, hand) if hand else None
    page = address.of(table.page)
    lamps = [source for source in sources if isinstance(source, Lamps)]
    if lamps:
        _light(lamps, live)
        live.watch(lambda: _light(lamps, live))
    live.start()
    threading.Thread(target=_tell_what_is_lost, args=(table.log,), daemon=True).start()
    steps = around(table.seats, table.places)
    checkup = Checkup(sources, steps, clock, own_firmware(), live.tell, lambda: live.snapshot.under_way)
    live.let_walk(lambda: checkup.walking)
    listening = Listening(sources, checkup.tell)
    try:
        _welcome(page, table, phones.rights.codes[HOST])
        app = create_app(live, phones=phones, hand=hand, demo=demo, address=page, checkup=checkup)
        with watchdog.watched(live, table.page):
            serve(app, table.page.host, table.page.port)
    finally:
        if demo:
            demo.stop()
        listening.stop()
        live.stop()
        log.close()


def _tell_what_is_lost(log: Path) -> None:
    for lost in unread(log):
        click.echo(lost, err=True)


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
    if table.tags and not table.tags.exists():
        click.echo(f"No card has a sticker yet: there is no {table.tags}. Put them on at {address}tags")
    click.echo(f"Everything is kept in {table.log}. Stop with Ctrl-C.")
