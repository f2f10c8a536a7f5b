"""Where phones find a page: as its settings say, or else at this machine's addresses, which may change at any time."""

import time
from collections.abc import Callable

from companion.config import PageSettings
from companion.network.own_addresses import own_addresses

EVERYWHERE = ("", "0.0.0.0", "::")
"""Hosts that stand for every address of this machine."""
LOOK_EVERY_S = 2.0
"""Seconds for which the addresses are taken to be as they were."""


class PageAddress:
    """Looks again whenever it is asked, at most every two seconds."""

    def __init__(self, find_urls: Callable[[], tuple[str, ...]], clock: Callable[[], float] = time.monotonic) -> None:
        """`find_urls` returns where the page can be opened, the likeliest for phones first; each ends in a slash."""
        self._find_urls = find_urls
        self._clock = clock
        self._urls = find_urls()
        self._look_at = clock() + LOOK_EVERY_S
        self._watchers: list[Callable[[], None]] = []

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` when the page is found elsewhere."""
        self._watchers.append(changed)

    @property
    def urls(self) -> tuple[str, ...]:
        """Where it can be opened, the likeliest first: the same object until that changes."""
        if self._clock() >= self._look_at:
            self._look_at = self._clock() + LOOK_EVERY_S
            urls = self._find_urls()
            if urls != self._urls:
                self._urls = urls
                for changed in self._watchers:
                    changed()
        return self._urls

    @property
    def url(self) -> str:
        """Where phones should open it."""
        return self.urls[0]


def fixed(url: str) -> PageAddress:
    """Return the address of a page that never moves."""
    return PageAddress(lambda: (url,))


def address_of(page: PageSettings) -> PageAddress:
    """Return a page's address: as set, or else where it listens; if everywhere, on the local network."""
    if page.address:
        return fixed(f"{page.address.rstrip('/')}/")
    if page.host in EVERYWHERE:
        return PageAddress(lambda: tuple(_url(page, host) for host in own_addresses()))
    return fixed(_url(page, page.host))


def _url(page: PageSettings, host: str) -> str:
    scheme, usual = ("https", 443) if page.tls else ("http", 80)
    port = "" if page.port == usual else f":{page.port}"
    return f"{scheme}://{f'[{host}]' if ':' in host else host}{port}/"
