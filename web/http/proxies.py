"""Trusted reverse proxies: their requests count for the client that they name.

Only proxies in the settings are trusted: any other client could send such headers itself.
"""

from collections.abc import Collection, Iterable
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING, Any

from werkzeug.middleware.proxy_fix import ProxyFix

from companion.web.http.prefix import is_prefix

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_FOR = "HTTP_X_FORWARDED_FOR"
_PREFIX = "HTTP_X_FORWARDED_PREFIX"
_INGRESS = "HTTP_X_INGRESS_PATH"
"""Home Assistant's name for the prefix."""


class Proxies:
    """The networks of trusted proxies."""

    def __init__(self, written: Collection[str] = ()) -> None:
        """`written`: addresses and networks. Raises ValueError."""
        self._networks = [_network(address) for address in written]

    def has(self, address: str) -> bool:
        """Return whether an address is a trusted proxy's."""
        try:
            ip = ip_address(plain(address))
        except ValueError:
            return False
        return any(ip in network for network in self._networks)


class ForwardedRequests:
    """Gives an app a trusted proxy's requests as the proxy got them: client, scheme, host and prefix."""

    def __init__(self, app: "WSGIApplication", proxies: Proxies) -> None:
        self._app = app
        self._proxies = proxies
        self._fixed = ProxyFix(app, x_for=1, x_proto=1, x_host=1, x_prefix=1)

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Pass a request on, with the trusted headers applied."""
        if not self._proxies.has(environ.get("REMOTE_ADDR", "")):
            return self._app(environ, start_response)
        prefix = environ.pop(_PREFIX, environ.get(_INGRESS, "")).rstrip("/")
        if is_prefix(prefix):  # it is written into every page
            environ[_PREFIX] = prefix
        asker = forwarded_for(environ)
        environ.pop(_FOR, None)
        if asker:
            environ[_FOR] = asker
        return self._fixed(environ, start_response)


def forwarded_for(environ: dict[str, Any]) -> str:
    """Return the client's address as the nearest proxy names it, with or without a port; "" if it names none."""
    # The last entry alone is the trusted proxy's own; those before it may be the client's invention.
    written = environ.get(_FOR, "").rpartition(",")[2].strip()
    host, _, port = written.rpartition(":")
    for address in (written, host if port.isdigit() else "", written.strip("[]")):
        try:
            return str(ip_address(address.strip("[]")))
        except ValueError:
            continue
    return ""


def plain(address: str) -> str:
    """Return an IPv4 address without the prefix that a dual-stack socket gives it."""
    return address.removeprefix("::ffff:")


def _network(written: str) -> IPv4Network | IPv6Network:
    return ip_network(written, strict=False)
