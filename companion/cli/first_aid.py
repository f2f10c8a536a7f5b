"""Serves the first-aid page of a table that can't start, until it can."""

import logging
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from gevent.event import Event

from companion.cli import address
from companion.cli.address import Door, PageEnd
from companion.cli.output import announce
from companion.config import Table
from companion.errors import CompanionError
from companion.first_aid.examination import Patient, examine
from companion.first_aid.session import FirstAid
from companion.machine import watchdog
from companion.machine.table_unit import is_one_of_many
from companion.network.page_address import address_of
from companion.network.staying_connected import moves
from companion.network.wifi import Wifi
from companion.versions import launcher
from companion.web.bell import Bell
from companion.web.first_aid import Ward, create_first_aid
from companion.web.server import serve

_journal = logging.getLogger(__name__)


def give_first_aid(
    wrong: Exception, settings: Path | None, table: Table | None, door: Door, wifi: Wifi | None
) -> PageEnd:
    """Serve the first-aid page until the table can start; raise `wrong` again where it can't help.

    A version on trial serves none: it must fail, so that the previous one comes back.
    """
    if is_one_of_many() and launcher.trial(launcher.ROOT):
        raise wrong
    patient = examine(settings, table)
    aid = FirstAid(patient, str(wrong) if isinstance(wrong, CompanionError) else f"a fault of the program: {wrong!r}")
    for ailment in aid.ailments:
        _journal.error(ailment.says)
    over = Event()
    moved = moves(wifi)
    with ExitStack() as ending:
        aid.start()
        ending.callback(aid.end)
        _serve(aid, patient, door, wifi, (over, moved))
    if not over.is_set() and not moved.is_set():
        raise wrong
    return PageEnd.NEXT


def _serve(aid: FirstAid, patient: Patient, door: Door, wifi: Wifi | None, ends: tuple[Event, Event]) -> None:
    page = door.open(patient.table.page)
    where = address_of(page)
    table = patient.table
    own_wifi = wifi.standing.own if wifi else None
    ward = Ward(aid, where, Bell(), table.name, table.language, table.page.proxies, own_wifi)
    aid.watch(_ending(aid, ends[0]))
    address.show("The table can't start yet. What to do is", where)
    announce(f"Whoever keeps the table types {aid.code} there, if the host's phone is not at hand.")
    with watchdog.watched(None, page):
        serve(create_first_aid(ward), door.socket, (*ends,), page.tls, page.proxies)


def _ending(aid: FirstAid, over: Event) -> Callable[[], None]:
    def end() -> None:
        if aid.is_over:
            over.set()

    return end
