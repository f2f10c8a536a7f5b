"""Checks that the page can be served as set: at its address and port, and with its certificate."""

import errno
import socket
import ssl
from contextlib import suppress

from companion.config import PageSettings
from companion.errors import NotNow
from companion.network.page_address import EVERYWHERE


class PageFault(NotNow):
    """The page can't be served as set, whatever other programs do; the message says what to write instead."""


def see_that_it_can_be_served(page: PageSettings) -> None:
    """Check address, port and certificate, but not whether another program has the port. Raises `PageFault`."""
    host = "0.0.0.0" if page.host in EVERYWHERE else page.host
    try:
        family, kind, protocol, _, where = socket.getaddrinfo(host, page.port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as door:
            door.bind(where)
    except (OSError, UnicodeError) as wrong:
        if not (isinstance(wrong, OSError) and wrong.errno == errno.EADDRINUSE):
            raise fault_of(page, wrong, "`port` in [page]") from wrong
    see_that_its_certificate_can_be_used(page)


def see_that_its_certificate_can_be_used(page: PageSettings) -> None:
    """Check a page's certificate and key, if it has any. Raises `PageFault`."""
    if page.tls is None:
        return
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(*page.tls)
    except OSError as wrong:  # SSLError is one
        raise PageFault(
            f"can't use certificate = {page.certificate!r} with key = {page.key!r} in [page]: {wrong.strerror}. "
            "Put the right files there, or remove both lines"
        ) from wrong


def served_anyway(page: PageSettings) -> PageSettings:
    """Return settings with which the first-aid page can be served: without a certificate, and otherwise as close as
    possible.
    """
    for plain in (PageSettings(page.host, page.port), PageSettings(port=page.port)):
        with suppress(PageFault):
            see_that_it_can_be_served(plain)
            return plain
    return PageSettings()


def fault_of(page: PageSettings, wrong: OSError | UnicodeError, chosen: str) -> PageFault:
    """Return the fault of a page's port that can't be opened; `chosen` names the setting or option for it."""
    return PageFault(f"can't open the page at {page.host}, port {page.port}: {why_not(wrong, chosen)}")


def why_not(wrong: OSError | UnicodeError, chosen: str) -> str:
    """Return why a port can't be opened, and what to do; `chosen` names the setting or option for it."""
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
