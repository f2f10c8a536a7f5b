"""Where the page of a table is: whether it can be opened there, and what phones must ask for."""

import errno
import fcntl
import os
import socket
import struct
from collections.abc import Iterator
from contextlib import suppress
from enum import Enum, auto
from io import StringIO

import segno

from companion.cli.output import announce, announce_picture
from companion.config import PageSettings
from companion.errors import NotNow

WAITING = 1024
"""Phones that may connect at once."""
_ADDRESS = 0x8915
"""SIOCGIFADDR, netdevice(7)."""
_EVERYWHERE = ("", "0.0.0.0", "::")
_SIDES = "/sys/class/net"
"""The kernel's list of network interfaces; `socket.if_nameindex` would use netlink, which the service may not."""


class PageEnd(Enum):
    """What comes after a page has ended."""

    OVER = auto()
    NEXT = auto()
    """Start the table again: it is on another network, and has another address."""
    SET_UP = auto()


def listening(page: PageSettings, chosen: str) -> socket.socket:
    """Return the page's port, open. `chosen` says by which setting or option people choose it. Raises `NotNow`."""
    try:
        family, _, _, _, where = socket.getaddrinfo(page.host, page.port, type=socket.SOCK_STREAM)[0]
        both = family == socket.AF_INET6 and socket.has_dualstack_ipv6()  # "::" is everywhere, by IPv4 too
        return socket.create_server(where, family=family, backlog=WAITING, dualstack_ipv6=both)
    except (OSError, UnicodeError) as wrong:
        raise NotNow(f"can't open the page at {page.host}, port {page.port}: {_why_not(wrong, chosen)}") from wrong


class Door:
    """The page's port, held open from the setup to the table, so that connections in between wait."""

    def __init__(self, chosen: str) -> None:
        """`chosen`: see `listening`."""
        self._chosen = chosen
        self._socket: socket.socket | None = None

    def open(self, page: PageSettings) -> socket.socket:
        """Open it, unless it already is. Raises `NotNow`."""
        if self._socket is None:
            self._socket = listening(page, self._chosen)
        return self._socket

    def close(self) -> None:
        """Close it."""
        if self._socket is not None:
            self._socket.close()


def answers(page: PageSettings) -> bool:
    """Return whether a program listens where the page would."""
    host = "localhost" if page.host in _EVERYWHERE else page.host
    try:
        with socket.create_connection((host, page.port), timeout=1):
            return True
    except (OSError, UnicodeError):
        return False


def of(page: PageSettings) -> str:
    """Return the page's own address, which ends in a slash: as set, or else where it listens; if everywhere, on the
    local network.
    """
    if page.address:
        return f"{page.address.rstrip('/')}/"
    host = own() if page.host in _EVERYWHERE else page.host
    scheme, usual = ("https", 443) if page.tls else ("http", 80)
    port = "" if page.port == usual else f":{page.port}"
    return f"{scheme}://{f'[{host}]' if ':' in host else host}{port}/"


def show(what: str, where: str) -> None:
    """Print what is at an address, and the address as a QR code too, where the terminal has the signs for it."""
    code = StringIO()
    segno.make(where, error="m").terminal(code, compact=True)
    scan = " (scan the code with a phone on the same network)" if announce_picture(code.getvalue()) else ""
    announce(f"{what} at {where}{scan}")


def own() -> str:
    """Return this machine's address on the local network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            found: str = probe.getsockname()[0]
        except OSError:  # no way to the internet: the table's own network has none
            return next(_addresses(), "127.0.0.1")
    return found


def _addresses() -> Iterator[str]:
    """Yield the addresses of this machine's interfaces, except the loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for name in sorted(os.listdir(_SIDES)):
            with suppress(OSError):
                told = fcntl.ioctl(asking.fileno(), _ADDRESS, struct.pack("256s", name.encode()[:15]))
                if not (found := socket.inet_ntoa(told[20:24])).startswith("127."):
                    yield found


def _why_not(wrong: OSError | UnicodeError, chosen: str) -> str:
    match wrong:
        case socket.gaierror() | UnicodeError():
            return 'host is not an address: "0.0.0.0" is every one that this machine has, "127.0.0.1" this machine only'
        case OSError(errno=errno.EADDRINUSE):
            return f"another program has that port: stop it, or choose another by {chosen}"
        case OSError(errno=errno.EADDRNOTAVAIL):
            return 'this machine has no such address: "0.0.0.0" is every one that it has'
        case OSError(errno=errno.EACCES | errno.EPERM):
            return "a port below 1024 is for root and for the service: choose one from 1024 on"
    return f"{wrong.strerror}. Choose another host or port"
