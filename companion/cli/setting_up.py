"""Serves the setup of a table that has no settings file yet, or whose host wants to change it."""

from contextlib import ExitStack
from pathlib import Path

from gevent.event import Event
from msgspec.structs import replace

from companion.access.rights_file import Phones
from companion.access.seat_rights import HOST
from companion.cli import address
from companion.cli.address import Door, PageEnd
from companion.cli.output import announce
from companion.config import Table
from companion.devices.monotonic_clock import TableClock
from companion.machine import watchdog
from companion.network.page_address import address_of
from companion.network.staying_connected import moves
from companion.network.wifi import Wifi
from companion.setup.session import Setup
from companion.storage.files import phones_of
from companion.web.bell import Bell
from companion.web.server import serve
from companion.web.setup import Work, create_setup


def set_up(file: Path, table: Table, door: Door, wifi: Wifi | None) -> PageEnd:
    """Serve the setup until the settings file is written. Raises `NotNow`."""
    table = replace(table, page=door.open(table.page))
    done = Event()
    moved = moves(wifi)  # before the address is read, so that no later change is missed
    where = address_of(table.page)
    phones = Phones(phones_of(table.log))
    setup = Setup(file, TableClock())
    with ExitStack() as ending:
        ending.callback(setup.close)
        work = Work(setup, phones, where, Bell(), done, table.page.proxies, wifi.standing.own if wifi else None)
        address.show("Set the table up", where)
        announce(f"Should the phone that sets it up be lost, the host's code is {phones.rights.codes[HOST]}")
        if table.sensors:
            setup.look()
        ending.enter_context(watchdog.watched(None, table.page))
        serve(create_setup(work), door.socket, (done, moved), table.page.tls, table.page.proxies)
    if setup.written.is_set():
        return PageEnd.NEXT
    return PageEnd.SET_UP if moved.is_set() else PageEnd.OVER
