"""Limits on open connections: a share for each address, and a place for every newcomer.

When places or memory run out, the address that holds most loses one: the connection that has been idle longest, or, if
it holds many, one that is being answered. So nobody shuts others out by holding many connections, and no stream is ever
cut for another connection.
"""

import logging
import socket
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from operator import itemgetter

from msgspec import Struct

from companion.access.address_holder import holder_of
from companion.web.http.proxies import plain

MEMORY = 185_000
"""Kilobytes for all connections: the service is limited to 256 MB and takes some 60 MB without any."""
ANSWERED = 85
"""Kilobytes of a connection whose client does not read the answer, at most (measured)."""
STREAM = 32
"""Kilobytes of a stream whose client does not read (measured)."""
A_PHONES = 8
"""Connections that one phone may need: a browser opens six to a host, and its streams."""
SHARES_TOGETHER = 4
"""How many full shares the addresses of one IPv6 network have together. All phones of a home may be in one network; but
a single device can take any number of addresses there, so there is a bound.
"""
A_MINUTE = 60.0
"""Seconds between two lines in the journal, so that a flood of connections can't fill it."""
RESERVED = 16
"""Places kept for clients on this machine: the watchdog, a reverse proxy."""

_journal = logging.getLogger(__name__)


class _Holder(Struct, frozen=True):
    """The client that a connection counts for."""

    address: str
    network: str
    """The address again; for IPv6 the /64 network."""


class Connections:
    """The open connections, by address, and which of them are idle."""

    def __init__(
        self,
        most: int,
        share: int,
        clock: Callable[[], float] = time.monotonic,
        is_proxy: Callable[[str], bool] = lambda _: False,
        memory: int = MEMORY,
    ):
        """`most` bounds all connections; `share` those of one address, which may stand for a room full of phones.

        `is_proxy` returns whether an address is a trusted proxy's, which no share limits. `memory` is in kilobytes.
        """
        self._most = most
        self._share = share
        self._clock = clock
        self._is_proxy = is_proxy
        self._memory = memory
        self._streams: set[socket.socket] = set()
        self._open: dict[socket.socket, _Holder] = {}
        self._held: Counter[_Holder] = Counter()
        self._held_together: Counter[str] = Counter()
        """By network."""
        self._peers: dict[socket.socket, _Holder] = {}
        """The proxies of connections that count for another client during a request."""
        self._waiting: dict[socket.socket, _Holder] = {}
        """Idle connections, the longest idle first."""
        self._refused = 0
        self._silent_until = -A_MINUTE

    def admits(self, client: socket.socket, address: str) -> bool:
        """Count a new connection, cutting another for it if need be; return False if it must be closed."""
        is_local = _is_here(address)
        holder = _holder(address)
        if not (is_local or self._is_proxy(address)) and not self._has_share(holder):
            room = self._cut_for(holder)
        elif len(self._open) >= self._most - (0 if is_local else RESERVED) or not (is_local or self._has_memory()):
            room = self._cut_one()
        else:
            room = True
        if not room:
            self.refused(f"no place is left for {address}")
            return False
        self._count(client, holder)
        self._waiting[client] = holder
        return True

    def asks_for(self, client: socket.socket, address: str) -> bool:
        """Count a proxy's connection for the client named in its request, until it is idle again.

        Returns False if that client's share is used up.
        """
        holder = _holder(address)
        peer = self._open.get(client)
        if peer is None:
            return True
        if not self._has_share(holder):
            self.refused(f"no place is left for {address}")
            return False
        self._uncount(client)
        self._count(client, holder)
        self._peers[client] = peer
        return True

    def waits(self, client: socket.socket) -> None:
        """Note that a connection was answered and is idle."""
        self._waiting.pop(client, None)
        proxy = self._peers.pop(client, None)
        if proxy is not None:
            self._uncount(client)
            self._count(client, proxy)
        if client in self._open:
            self._waiting[client] = self._open[client]

    def is_answered(self, client: socket.socket) -> None:
        """Note that a request has come: until it is answered, the connection is not idle."""
        self._waiting.pop(client, None)

    def passes(self, client: socket.socket, to: socket.socket) -> None:
        """Note that another socket object stands for an open connection, as after TLS."""
        self._waiting.pop(client, None)
        self._peers.pop(client, None)
        if client in self._open:
            self._open[to] = self._open.pop(client)

    def streams(self, client: socket.socket, to: socket.socket) -> None:
        """Note that an open connection has become a stream, with another socket object."""
        self.passes(client, to)
        if to in self._open:
            self._streams.add(to)

    def left(self, client: socket.socket) -> None:
        """Forget a closed connection."""
        self._waiting.pop(client, None)
        self._streams.discard(client)
        self._peers.pop(client, None)
        if client in self._open:
            self._uncount(client)

    def refused(self, why: str) -> None:
        """Log refusals, at most one line a minute."""
        self._refused += 1
        now = self._clock()
        if now >= self._silent_until:
            _journal.warning("connections refused: %d; %s", self._refused, why)
            self._refused = 0
            self._silent_until = now + A_MINUTE

    def _has_memory(self) -> bool:
        answered = len(self._open) - len(self._streams)
        return (answered + 1) * ANSWERED + len(self._streams) * STREAM <= self._memory

    def _has_share(self, holder: "_Holder") -> bool:
        together = self._held_together[holder.network]
        return self._held[holder] < self._share and together < SHARES_TOGETHER * self._share

    def _count(self, client: socket.socket, holder: "_Holder") -> None:
        self._open[client] = holder
        self._held[holder] += 1
        self._held_together[holder.network] += 1

    def _uncount(self, client: socket.socket) -> None:
        holder = self._open.pop(client)
        self._held[holder] -= 1
        self._held_together[holder.network] -= 1
        if not self._held[holder]:
            del self._held[holder]
        if not self._held_together[holder.network]:
            del self._held_together[holder.network]

    def _cut_for(self, holder: "_Holder") -> bool:
        """Cut an idle connection of an address, or its network, that has used up its share; False: none is idle."""
        if self._held[holder] >= self._share:
            return self._cut_waiting(holder)
        return self._cut_waiting(self._busiest_of(holder.network))

    def _cut_one(self) -> bool:
        """Cut a connection of the address that holds most, or else the longest idle one; False: none could be cut."""
        network, held = max(self._held_together.items(), key=itemgetter(1), default=("", 0))
        if held > A_PHONES:  # more than one phone needs: only then may an answer be cut short
            busiest = self._busiest_of(network)
            return self._cut_waiting(busiest) or self._cut_answered(busiest)
        longest = max(self._waiting.values(), key=self._held.__getitem__, default=None)  # of several, the first
        return longest is not None and self._cut_waiting(longest)

    def _busiest_of(self, network: str) -> "_Holder":
        return max((holder for holder in self._held if holder.network == network), key=self._held.__getitem__)

    def _cut_waiting(self, holder: "_Holder") -> bool:
        """Cut an address's longest idle connection; return False if none is idle."""
        longest = next((client for client, of in self._waiting.items() if of == holder), None)
        if longest is None:
            return False
        del self._waiting[longest]
        _cut(longest)
        return True

    def _cut_answered(self, holder: "_Holder") -> bool:
        """Cut an address's oldest connection that is no stream; return False if there is none."""
        oldest = next(
            (client for client, of in self._open.items() if of == holder and client not in self._streams), None
        )
        if oldest is None:
            return False
        self.left(oldest)  # uncounted at once: its greenlet sees the end only when it is scheduled
        _cut(oldest)
        return True


def _cut(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)  # not closed: its own greenlet reads the end, and closes it


def _holder(address: str) -> _Holder:
    return _Holder(plain(address).partition("%")[0], holder_of(address))


def _is_here(address: str) -> bool:
    return address == "::1" or address.removeprefix("::ffff:").startswith("127.")
