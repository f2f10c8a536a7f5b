"""The names under which a site may be opened.

Anybody can point a name of theirs at this address, and their page would then count as ours (DNS rebinding). So only
these are accepted: IP addresses, names that nobody can register, this machine's own, and the one in the site's URL.
"""

import ipaddress
import re
import socket
from collections.abc import Collection, Iterator
from pathlib import Path
from urllib.parse import urlsplit

NOBODYS = (
    # Reserved (RFC 6761, 6762, 8375, 9476; ICANN), or used by routers for their networks and no top-level domain: home,
    # lan and corp never will be one.
    *("local", "localhost", "localdomain", "test", "internal", "home.arpa", "alt"),
    *("home", "lan", "corp", "private", "intranet", "localnet", "homenet"),
    # Registered domains whose owners give names below them only to machines of one's own network.
    *("fritz.box", "speedport.ip", "mshome.net", "attlocal.net", "ts.net", "beta.tailscale.net"),
)
"""Endings of names that nobody can register."""
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
    """Return whether a site with these URLs may be opened under a name or an IP address."""
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
    """Return this machine's host name in each domain that it is in.

    Other names in `/etc/hosts` don't count: ad-blocking lists put half the internet there.
    """
    host, _, domain = socket.gethostname().lower().partition(".")
    domains = {domain, *_search_domains(), *_domains_in_hosts_file(host)} - {""}
    return frozenset(f"{host}.{domain}" for domain in domains)


def _search_domains() -> Iterator[str]:
    """Yield the resolver's search domains, which the router announces."""
    for line in _lines(_RESOLVER):
        match line.split():
            case ["search" | "domain", *domains]:
                yield from (domain.strip(".") for domain in domains)


def _domains_in_hosts_file(host: str) -> Iterator[str]:
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
