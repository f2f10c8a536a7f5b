"""The URLs at which phones find a page: as set, or else this machine's addresses, which may change at any time."""

import time
from collections.abc import Callable

from companion.config import PageSettings
from companion.network.own_addresses import own_addresses

EVERYWHERE = ("", "0.0.0.0", "::")
"""Hosts that stand for every address of this machine."""
LOOK_EVERY_S = 2.0
"""Seconds for which the addresses are cached."""


class PageAddress:
    """A page's URLs, looked up again when asked for, at most every `LOOK_EVERY_S`."""

    def __init__(self, find_urls: Callable[[], tuple[str, ...]], clock: Callable[[], float] = time.monotonic) -> None:
        """`find_urls` returns the page's URLs, the likeliest for phones first; each ends in a slash."""
        self._find_urls = find_urls
        self._clock = clock
        self._urls = find_urls()
        self._look_at = clock() + LOOK_EVERY_S
        self._watchers: list[Callable[[], None]] = []

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` when the URLs have changed."""
        self._watchers.append(changed)

    @property
    def urls(self) -> tuple[str, ...]:
        """The page's URLs, the likeliest first; the same object until they change."""
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
        """The URL for phones."""
        return self.urls[0]


def fixed(url: str) -> PageAddress:
    """Return an address that never changes."""
    return PageAddress(lambda: (url,))


def address_of(page: PageSettings) -> PageAddress:
    """Return a page's address: as set, or else where it listens; for all interfaces, this machine's addresses."""
    if page.address:
        return fixed(f"{page.address.rstrip('/')}/")
    if page.host in EVERYWHERE:
        return PageAddress(lambda: tuple(_url(page, host) for host in own_addresses()))
    return fixed(_url(page, page.host))


def _url(page: PageSettings, host: str) -> str:
    scheme, usual = ("https", 443) if page.tls else ("http", 80)
    port = "" if page.port == usual else f":{page.port}"
    return f"{scheme}://{f'[{host}]' if ':' in host else host}{port}/"
