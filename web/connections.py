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

from companion.web.http.page_turns import holder_of

MEMORY = 185_000
"""Kilobytes that connections may take: the service may have 256 MB, and takes some 60 before anybody comes."""
ANSWERED = 85
"""Kilobytes of a connection on which nobody reads the answer, at most (measured)."""
STREAM = 32
"""Kilobytes of a stream that nobody reads (measured)."""
A_PHONES = 8
"""Connections that one phone may need: its browser's six, and its streams."""
A_MINUTE = 60.0
"""Seconds between two lines in the journal: knocking all evening must not fill it."""
RESERVED = 16
"""Places that only this machine itself may take: its watchdog, a reverse proxy."""

_journal = logging.getLogger(__name__)


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
        self._open: dict[socket.socket, str] = {}
        self._held: Counter[str] = Counter()
        self._waiting: dict[socket.socket, str] = {}
        """The longest waiting first."""
        self._refused = 0
        self._silent_until = -A_MINUTE

    def admits(self, one: socket.socket, address: str) -> bool:
        """Return whether a new connection may stay, if need be in place of a waiting one; if so, it counts."""
        here = _is_here(address)
        many = here or self._is_proxy(address)
        address = holder_of(address)
        if not many and self._held[address] >= self._share:
            room = self._cut_waiting(address)
        elif len(self._open) >= self._most - (0 if here else RESERVED) or not (here or self._has_memory()):
            room = self._cut_one()
        else:
            room = True
        if not room:
            self.refused(f"no place is left for {address}")
            return False
        self._open[one] = address
        self._held[address] += 1
        self._waiting[one] = address
        return True

    def waits(self, one: socket.socket) -> None:
        """Note that it was answered: from now on it waits for a request."""
        self._waiting.pop(one, None)
        if one in self._open:
            self._waiting[one] = self._open[one]

    def is_answered(self, one: socket.socket) -> None:
        """Note that its request has come: until it waits again, it is not cut for anybody."""
        self._waiting.pop(one, None)

    def passes(self, one: socket.socket, to: socket.socket) -> None:
        """Note that another object holds an open connection from now on."""
        self._waiting.pop(one, None)
        if one in self._open:
            self._open[to] = self._open.pop(one)

    def streams(self, one: socket.socket, to: socket.socket) -> None:
        """Note that an open connection only listens from now on, as another object."""
        self.passes(one, to)
        if to in self._open:
            self._streams.add(to)

    def left(self, one: socket.socket) -> None:
        """Forget one that is closed."""
        self._waiting.pop(one, None)
        self._streams.discard(one)
        address = self._open.pop(one, None)
        if address is not None:
            self._held[address] -= 1
            if not self._held[address]:
                del self._held[address]

    def refused(self, why: str) -> None:
        """Log refusals, at most a line a minute."""
        self._refused += 1
        now = self._clock()
        if now >= self._silent_until:
            _journal.warning("connections refused: %d; %s", self._refused, why)
            self._refused, self._silent_until = 0, now + A_MINUTE

    def _has_memory(self) -> bool:
        answered = len(self._open) - len(self._streams)
        return (answered + 1) * ANSWERED + len(self._streams) * STREAM <= self._memory

    def _cut_one(self) -> bool:
        """Cut one of the address that holds most, or the one that has waited longest; return whether there was one."""
        busiest, held = max(self._held.items(), key=itemgetter(1), default=("", 0))
        if held > A_PHONES:
            return self._cut_waiting(busiest) or self._cut_answered(busiest)
        longest = max(self._waiting.values(), key=self._held.__getitem__, default=None)  # of several, the first
        return longest is not None and self._cut_waiting(longest)

    def _cut_waiting(self, address: str) -> bool:
        """Cut the one of an address that has waited longest; return whether there was one."""
        longest = next((one for one, of in self._waiting.items() if of == address), None)
        if longest is None:
            return False
        del self._waiting[longest]
        _cut(longest)
        return True

    def _cut_answered(self, address: str) -> bool:
        """Cut the oldest of an address that is no stream; return whether there was one."""
        oldest = next((one for one, of in self._open.items() if of == address and one not in self._streams), None)
        if oldest is None:
            return False
        self.left(oldest)  # its reader sees the end only once it is its turn
        _cut(oldest)
        return True


def _cut(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)  # its reader sees the end, and closes it


def _is_here(address: str) -> bool:
    return address == "::1" or address.removeprefix("::ffff:").startswith("127.")
