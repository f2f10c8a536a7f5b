"""The connections that phones hold: a share for each address, and a place for every newcomer.

When places run out, whoever has waited longest without a request is cut off. So nobody shuts others out by holding many
connections and saying nothing, and what is being answered, a stream above all, is never cut for another.
"""

import logging
import socket
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

A_MINUTE = 60.0
"""Seconds between two lines in the journal: knocking all evening must not fill it."""
RESERVED = 16
"""Places that only this machine itself may take: its watchdog, a reverse proxy."""

_journal = logging.getLogger(__name__)


class Connections:
    """The open connections, their addresses, and which of them wait for a request."""

    def __init__(self, most: int, share: int, clock: Callable[[], float] = time.monotonic):
        """`most` is for all together; `share` for one address, which may stand for a room full of phones."""
        self._most = most
        self._share = share
        self._clock = clock
        self._open: dict[socket.socket, str] = {}
        self._held: Counter[str] = Counter()
        self._waiting: dict[socket.socket, str] = {}
        """The longest waiting first."""
        self._refused = 0
        self._silent_until = -A_MINUTE

    def admits(self, one: socket.socket, address: str) -> bool:
        """Return whether a new connection may stay, if need be in place of a waiting one; if so, it counts."""
        here = _is_here(address)
        if not here and self._held[address] >= self._share:
            room = self._cut_one(address)
        elif len(self._open) >= self._most - (0 if here else RESERVED):
            room = self._cut_one(None)
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

    def left(self, one: socket.socket) -> None:
        """Forget one that is closed."""
        self._waiting.pop(one, None)
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

    def _cut_one(self, address: str | None) -> bool:
        """Cut the one that has waited longest, of this address or of all; return whether there was one."""
        longest = next((one for one, of in self._waiting.items() if address in (None, of)), None)
        if longest is None:
            return False
        del self._waiting[longest]
        with suppress(OSError):
            longest.shutdown(socket.SHUT_RDWR)  # its reader sees the end, and closes it
        return True


def _is_here(address: str) -> bool:
    return address == "::1" or address.removeprefix("::ffff:").startswith("127.")
