"""Where a page says that it is found, and when it looks again."""

import pytest

from companion.config import PageSettings
from companion.network import page_address
from companion.network.page_address import LOOK_EVERY_S, PageAddress, address_of


class Moving:
    """A page that moves by hand, and a clock that moves by hand."""

    def __init__(self) -> None:
        self.at = 0.0
        self.urls = ("http://192.168.1.50:8000/",)
        self.page = PageAddress(lambda: self.urls, lambda: self.at)


def test_an_address_that_changes_is_followed_and_told_once() -> None:
    moving = Moving()
    urls = []
    moving.page.watch(lambda: urls.append(moving.page.url))
    moving.urls = ("http://192.168.1.77:8000/",)
    assert moving.page.url == "http://192.168.1.50:8000/"
    moving.at += LOOK_EVERY_S
    assert moving.page.url == "http://192.168.1.77:8000/"
    moving.at += LOOK_EVERY_S
    assert moving.page.urls == moving.urls
    assert urls == ["http://192.168.1.77:8000/"]


def test_an_address_that_stays_is_the_same_object_so_that_no_page_is_rendered_again() -> None:
    moving = Moving()
    urls_before = moving.page.urls
    moving.urls = (f"http://192.168.1.{50}:8000/",)  # an equal one
    moving.at += LOOK_EVERY_S
    assert moving.page.urls is urls_before


@pytest.mark.parametrize(
    ("page", "urls"),
    [
        (PageSettings("127.0.0.1", 8080), ("http://127.0.0.1:8080/",)),
        (PageSettings("::1"), ("http://[::1]:8000/",)),
        (PageSettings("0.0.0.0"), ("http://192.168.1.50:8000/", "http://[fd00:1::50]:8000/")),
        (PageSettings("::", 80), ("http://192.168.1.50/", "http://[fd00:1::50]/")),
        (PageSettings("127.0.0.1", address="http://table.lan/"), ("http://table.lan/",)),
        (PageSettings(address="http://table.lan"), ("http://table.lan/",)),
        (PageSettings("127.0.0.1", 443, certificate="c", key="k"), ("https://127.0.0.1/",)),
    ],
)
def test_the_address_that_is_told_is_one_where_the_page_listens(
    monkeypatch: pytest.MonkeyPatch, page: PageSettings, urls: tuple[str, ...]
) -> None:
    monkeypatch.setattr(page_address, "own_addresses", lambda: ("192.168.1.50", "fd00:1::50"))
    assert address_of(page).urls == urls
