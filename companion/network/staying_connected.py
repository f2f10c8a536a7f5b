"""The network that a running table is kept in, where its file wants that."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

from gevent.event import Event

from companion.config import Table
from companion.network.own_wifi import kept
from companion.network.wifi import Wifi


@contextmanager
def networked(table: Table) -> Iterator[Wifi | None]:
    """See to it, where the table's file wants that, that it is in a network as long as the block lasts."""
    if not table.network.wifi:
        yield None
        return
    wifi = Wifi(kept(table.log, table.name))
    wifi.look()
    wifi.start()
    with closing(wifi):
        yield wifi


def moves(wifi: Wifi | None) -> Event:
    """Return what is set when the table is in another network."""
    moved = Event()
    if wifi is not None:
        wifi.watch(moved.set)
    return moved
