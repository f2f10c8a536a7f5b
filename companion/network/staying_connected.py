"""Keeps a running table on a network, if its settings ask for that."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

from gevent.event import Event

from companion.config import Table
from companion.network.own_wifi import load_own_wifi
from companion.network.wifi import Wifi


@contextmanager
def networked(table: Table) -> Iterator[Wifi | None]:
    """Keep the table on a network during the block, if its settings ask for that; yield None if not."""
    if not table.network.wifi:
        yield None
        return
    wifi = Wifi(load_own_wifi(table.log, table.name))
    wifi.look()
    wifi.start()
    with closing(wifi):
        yield wifi


def moves(wifi: Wifi | None) -> Event:
    """Return an event that is set when the table has changed networks."""
    moved = Event()
    if wifi is not None:
        wifi.watch(moved.set)
    return moved
