"""The connections that phones hold: a share for each address, and a place for every newcomer.

When places or memory run out, the address that holds most gives one up: the one that has waited longest without a
request, and if it holds many, one that is being answered. So nobody shuts others out by holding many connections, and a
stream is never cut for another.
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
"""Kilobytes that connections may take: the service may have 256 MB, and takes some 60 before anybody comes."""
ANSWERED = 85
"""Kilobytes of a connection on which nobody reads the answer, at most (measured)."""
STREAM = 32
"""Kilobytes of a stream that nobody reads (measured)."""
A_PHONES = 8
"""Connections that one phone may need: its browser's six, and its streams."""
SHARES_TOGETHER = 4
"""How many addresses of one IPv6 network have a full share. All phones of a home may be in one, each with several
addresses; but anybody in it has as many as they like, so all of them together have a bound.
"""
A_MINUTE = 60.0
"""Seconds between two lines in the journal: knocking all evening must not fill it."""
RESERVED = 16
"""Places that only this machine itself may take: its watchdog, a reverse proxy."""

_journal = logging.getLogger(__name__)


class _Holder(Struct, frozen=True):
    """Who holds a connection."""

    address: str
    network: str
    """The address again, or of IPv6 the network of which each holder has all."""


class Connections:
    """The open connections, their addresses, and which of them wait for a request."""

    def __init__(
        self,
        most: int,
        share: int,
        clock: Callable[[], float] = time.monotonic,
        is_proxy: Callable[[str], bool] = lambda _: False,
        memory: int = MEMORY,
    ):
        """`most` is for all together; `share` for one address, which may stand for a room full of phones.

        `is_proxy` returns whether an address is that of a proxy for many, which has no share; `memory` in kilobytes.
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
        """The proxies of connections that count for whoever has asked by them."""
        self._waiting: dict[socket.socket, _Holder] = {}
        """The longest waiting first."""
        self._refused = 0
        self._silent_until = -A_MINUTE

    def admits(self, client: socket.socket, address: str) -> bool:
        """Return whether a new connection may stay, if need be in place of a waiting one; if so, it counts."""
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
        """Count a proxy's connection for whoever asks by it, until it waits again; return False if they have theirs."""
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
        """Note that it was answered: from now on it waits for a request."""
        self._waiting.pop(client, None)
        proxy = self._peers.pop(client, None)
        if proxy is not None:
            self._uncount(client)
            self._count(client, proxy)
        if client in self._open:
            self._waiting[client] = self._open[client]

    def is_answered(self, client: socket.socket) -> None:
        """Note that its request has come: until it waits again, it is not cut for anybody."""
        self._waiting.pop(client, None)

    def passes(self, client: socket.socket, to: socket.socket) -> None:
        """Note that another object holds an open connection from now on."""
        self._waiting.pop(client, None)
        self._peers.pop(client, None)
        if client in self._open:
            self._open[to] = self._open.pop(client)

    def streams(self, client: socket.socket, to: socket.socket) -> None:
        """Note that an open connection only listens from now on, as another object."""
        self.passes(client, to)
        if to in self._open:
            self._streams.add(to)

    def left(self, client: socket.socket) -> None:
        """Forget one that is closed."""
        self._waiting.pop(client, None)
        self._streams.discard(client)
        self._peers.pop(client, None)
        if client in self._open:
            self._uncount(client)

    def refused(self, why: str) -> None:
        """Log refusals, at most a line a minute."""
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
        """Cut a waiting one for another of an address that has its share; return whether there was one."""
        if self._held[holder] >= self._share:
            return self._cut_waiting(holder)
        return self._cut_waiting(self._busiest_of(holder.network))

    def _cut_one(self) -> bool:
        """Cut one of the address that holds most, or the one that has waited longest; return whether there was one."""
        network, held = max(self._held_together.items(), key=itemgetter(1), default=("", 0))
        if held > A_PHONES:
            busiest = self._busiest_of(network)
            return self._cut_waiting(busiest) or self._cut_answered(busiest)
        longest = max(self._waiting.values(), key=self._held.__getitem__, default=None)  # of several, the first
        return longest is not None and self._cut_waiting(longest)

    def _busiest_of(self, network: str) -> "_Holder":
        return max((holder for holder in self._held if holder.network == network), key=self._held.__getitem__)

    def _cut_waiting(self, holder: "_Holder") -> bool:
        """Cut the one of an address that has waited longest; return whether there was one."""
        longest = next((client for client, of in self._waiting.items() if of == holder), None)
        if longest is None:
            return False
        del self._waiting[longest]
        _cut(longest)
        return True

    def _cut_answered(self, holder: "_Holder") -> bool:
        """Cut the oldest of an address that is no stream; return whether there was one."""
        oldest = next(
            (client for client, of in self._open.items() if of == holder and client not in self._streams), None
        )
        if oldest is None:
            return False
        self.left(oldest)  # its reader sees the end only once it is its turn
        _cut(oldest)
        return True


def _cut(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)  # its reader sees the end, and closes it


def _holder(address: str) -> _Holder:
    return _Holder(plain(address).partition("%")[0], holder_of(address))


def _is_here(address: str) -> bool:
    return address == "::1" or address.removeprefix("::ffff:").startswith("127.")
