"""Where the page of a table is: whether it can be opened there, and what phones must ask for."""

import errno
import socket
from enum import Enum, auto
from io import StringIO

import segno

from companion.cli.output import announce, announce_picture
from companion.config import PageSettings
from companion.errors import NotNow
from companion.network.page_address import EVERYWHERE, PageAddress

WAITING = 1024
"""Phones that may connect at once."""
TOLD = 3
"""Other addresses printed."""


class PageEnd(Enum):
    """What comes after a page has ended."""

    OVER = auto()
    NEXT = auto()
    """Start the table again: it is on another network, and has another address."""
    SET_UP = auto()


def listening(page: PageSettings, chosen: str) -> socket.socket:
    """Return the page's port, open. `chosen` says by which setting or option people choose it. Raises `NotNow`."""
    both = socket.has_dualstack_ipv6()
    host = "::" if both and page.host in EVERYWHERE else page.host  # a network may have IPv6 alone
    try:
        family, _, _, _, where = socket.getaddrinfo(host, page.port, type=socket.SOCK_STREAM)[0]
        both = both and family == socket.AF_INET6
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
    host = "localhost" if page.host in EVERYWHERE else page.host
    try:
        with socket.create_connection((host, page.port), timeout=1):
            return True
    except (OSError, UnicodeError):
        return False


def show(what: str, where: PageAddress) -> None:
    """Print what is at an address, and the address as a QR code too, where the terminal has the signs for it; then the
    other addresses of this machine.
    """
    url, *others = where.urls
    code = StringIO()
    segno.make(url, error="m").terminal(code, compact=True)
    scan = " (scan the code with a phone on the same network)" if announce_picture(code.getvalue()) else ""
    announce(f"{what} at {url}{scan}")
    if others:
        announce(f"If phones can't open that, it is also at {', '.join(others[:TOLD])}")


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
