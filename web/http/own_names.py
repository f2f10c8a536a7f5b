"""The names under which a site may be opened.

Any name on the internet can be made to lead here, and its page would then pass for ours (DNS rebinding). So only
addresses, names that nobody can register there, this machine's own, and the name in the site's own address.
"""

import ipaddress
import re
import socket
from collections.abc import Collection, Iterator
from pathlib import Path
from urllib.parse import urlsplit

NOBODYS = (
    # Special or reserved (RFC 6761, 6762, 8375, 9476; ICANN), or what routers call their networks, and no top-level
    # domain: home, lan and corp never will be one.
    *("local", "localhost", "localdomain", "test", "internal", "home.arpa", "alt"),
    *("home", "lan", "corp", "private", "intranet", "localnet", "homenet"),
    # Registered by those who hand them out, to machines of one network only.
    *("fritz.box", "speedport.ip", "mshome.net", "attlocal.net", "ts.net", "beta.tailscale.net"),
)
"""What such names end in."""
_NAME = re.compile(r"[\w-]+(\.[\w-]+)*", re.ASCII)
_HOSTS = Path("/etc/hosts")
_RESOLVER = Path("/etc/resolv.conf")


def host_of(written: str) -> str:
    """Return the name or address in a `Host` header, in lower case; "" if it is none."""
    try:
        name = urlsplit(f"//{written}").hostname or ""
    except ValueError:
        return ""
    return name.removesuffix(".")


def is_own(name: str, urls: Collection[str] = ()) -> bool:
    """Return whether a site with these addresses may go by a name, or an IP address."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        if not _NAME.fullmatch(name):
            return False
        return _is_nobodys(name) or name in (urlsplit(url).hostname for url in urls) or name in _machine_names()
    return True


def _is_nobodys(name: str) -> bool:
    return "." not in name or name.endswith(tuple(f".{ending}" for ending in NOBODYS))


def _machine_names() -> frozenset[str]:
    """Return what this machine is called in its network: its host name in each domain that it knows itself to be in.

    No other name in `/etc/hosts` counts: lists against advertisements put half the internet there.
    """
    host, _, domain = socket.gethostname().lower().partition(".")
    domains = {domain, *_searched(), *_written_down(host)} - {""}
    return frozenset(f"{host}.{domain}" for domain in domains)


def _searched() -> Iterator[str]:
    """Yield the domains in which this machine looks for short names: its router names them."""
    for line in _lines(_RESOLVER):
        match line.split():
            case ["search" | "domain", *domains]:
                yield from (domain.strip(".") for domain in domains)


def _written_down(host: str) -> Iterator[str]:
    for line in _lines(_HOSTS):
        for name in line.partition("#")[0].split()[1:]:
            first, _, domain = name.partition(".")
            if first == host:
                yield domain


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").lower().splitlines()
    except OSError:
        return []
