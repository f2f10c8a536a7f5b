"""Opens the page's port, and prints the page's address."""

import errno
import socket
from enum import Enum, auto
from io import StringIO

from msgspec.structs import replace

from companion.cli.output import announce, announce_picture, is_watched
from companion.config import PageSettings
from companion.errors import NotNow
from companion.network.page_address import EVERYWHERE, PageAddress
from companion.network.serving import fault_of, see_that_its_certificate_can_be_used

WAITING = 1024
"""The socket's backlog: connections that may wait to be accepted."""
TOLD = 3
"""Further addresses printed, at most."""


NEAR = 20
"""Ports tried if another program has the page's own."""
UNPRIVILEGED = 1024
"""The first port that can be opened without root's rights."""


class PageEnd(Enum):
    """What follows when a site has ended."""

    OVER = auto()
    NEXT = auto()
    """Start the table again, because it has another address on another network."""
    SET_UP = auto()
    RESTORE = auto()
    """Restore the backup that the host has chosen, and start the table again."""


def listening(page: PageSettings, chosen: str) -> socket.socket:
    """Return a listening socket at the page's port. `chosen` names the setting or option for it, for the error message.

    Raises `PortTaken` and `PageFault`.
    """
    both = socket.has_dualstack_ipv6()
    host = "::" if both and page.host in EVERYWHERE else page.host  # a network may have IPv6 alone
    try:
        family, _, _, _, where = socket.getaddrinfo(host, page.port, type=socket.SOCK_STREAM)[0]
        both = both and family == socket.AF_INET6
        return socket.create_server(where, family=family, backlog=WAITING, dualstack_ipv6=both)
    except (OSError, UnicodeError) as wrong:
        fault = fault_of(page, wrong, chosen)
        is_taken = isinstance(wrong, OSError) and wrong.errno == errno.EADDRINUSE
        raise (PortTaken(str(fault)) if is_taken else fault) from wrong


class PortTaken(NotNow):
    """Another program has the page's port."""


class Door:
    """The page's listening socket, kept open from the setup to the table, so that connections in between wait."""

    def __init__(self, chosen: str) -> None:
        """`chosen`: see `listening`."""
        self._chosen = chosen
        self._socket: socket.socket | None = None
        self._wanted: tuple[str, int] | None = None
        self._port = 0
        self.trouble = ""
        """Why the page is not at its own port; "" if it is."""

    @property
    def socket(self) -> socket.socket:
        """The listening socket, once it is open."""
        assert self._socket is not None
        return self._socket

    def open(self, page: PageSettings) -> PageSettings:
        """Open the page's port, unless it is open already; return the page with its actual port.

        If another program has that port, the next free one is taken: a keeper without a terminal could not choose one.
        Raises `PageFault` if the page can't be served as it says, and `NotNow`.
        """
        see_that_its_certificate_can_be_used(page)
        if self._wanted != (page.host, page.port):
            self.close()
            self._port = self._open_near(page)
            self._wanted = page.host, page.port
        return page if self._port == page.port else replace(page, port=self._port, address="")

    def close(self) -> None:
        """Close the socket."""
        if self._socket is not None:
            self._socket.close()
            self._socket = self._wanted = None

    def _open_near(self, page: PageSettings) -> int:
        first = page.port + 1 if page.port >= UNPRIVILEGED else PageSettings().port
        self.trouble = ""
        ports: tuple[int, ...] = (page.port, *range(first, min(first + NEAR, 65536)))
        for port in ports:
            try:
                self._socket = listening(replace(page, port=port), self._chosen)
            except PortTaken as wrong:
                self.trouble = self.trouble or str(wrong)
                continue
            return port
        raise PortTaken(self.trouble)


def answers(page: PageSettings) -> bool:
    """Return whether a program listens at the page's address."""
    host = "localhost" if page.host in EVERYWHERE else page.host
    try:
        with socket.create_connection((host, page.port), timeout=1):
            return True
    except (OSError, UnicodeError):
        return False


def show(subject: str, found_at: PageAddress) -> None:
    """Print what is at an address, with a QR code where a terminal can show one, and the other addresses."""
    url, *more_urls = found_at.urls
    scan = " (scan the code with a phone on the same network)" if is_watched() and announce_picture(_code(url)) else ""
    announce(f"{subject} at {url}{scan}")
    if more_urls:
        announce(f"If phones can't open that, it is also at {', '.join(more_urls[:TOLD])}")


def _code(url: str) -> str:
    """Draw an address as a QR code of text characters."""
    import segno  # only when needed: a service, which nobody watches, starts without it

    code = StringIO()
    segno.make(url, error="m").terminal(code, compact=True)
    return code.getvalue()
