"""Where the page of a table is: whether it can be opened there, and what phones must ask for."""

import errno
import socket

from companion.config import PageSettings
from companion.errors import NotNow

_EVERYWHERE = ("", "0.0.0.0", "::")


def see_that_it_is_free(page: PageSettings) -> None:
    """See that the page can be opened. Raises `NotNow`."""
    try:
        family, kind, _, _, where = socket.getaddrinfo(page.host, page.port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(where)
            probe.listen()
    except (OSError, UnicodeError) as wrong:
        raise NotNow(f"can't open the page at {page.host}, port {page.port}: {_why_not(page, wrong)}") from wrong


def answers(page: PageSettings) -> bool:
    """Return whether a program listens where the page would."""
    host = "localhost" if page.host in _EVERYWHERE else page.host
    try:
        with socket.create_connection((host, page.port), timeout=1):
            return True
    except (OSError, UnicodeError):
        return False


def of(page: PageSettings) -> str:
    """Return the page's own address: as it is set, else where it listens; for everywhere, in the local network."""
    if page.address:
        return page.address
    host = own() if page.host in _EVERYWHERE else page.host
    return f"http://{f'[{host}]' if ':' in host else host}:{page.port}/"


def own() -> str:
    """Return this machine's address in the local network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            found: str = probe.getsockname()[0]
        except OSError:
            return "127.0.0.1"
    return found


def _why_not(page: PageSettings, wrong: OSError | UnicodeError) -> str:
    match wrong:
        case socket.gaierror() | UnicodeError():
            return 'host is not an address: "0.0.0.0" is every one that this machine has, "127.0.0.1" this machine only'
        case OSError(errno=errno.EADDRINUSE):
            return "another program has that port, or another table: stop it, or choose another port (--port)"
        case OSError(errno=errno.EADDRNOTAVAIL):
            return 'this machine has no such address: "0.0.0.0" is every one that it has'
        case OSError(errno=errno.EACCES | errno.EPERM):
            return "a port below 1024 is for root and for the service: choose one from 1024 on"
    return f"{wrong.strerror}. Choose another host or port"
