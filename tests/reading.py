"""Reading rendered pages as one reads a page of the browser, without loading any: most of what that costs."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

Paper = Callable[[str], Page]
"""Puts what was rendered where its parts and words can be found; it has no style, no script and no pictures."""


@pytest.fixture(scope="session")
def paper(browser: Browser) -> Iterator[Paper]:
    """One page for all that is read; the next that is put there takes the place of the last."""
    page = browser.new_page(java_script_enabled=False)

    def put(html: str) -> Page:
        page.set_content(html)
        return page

    yield put
    page.close()
