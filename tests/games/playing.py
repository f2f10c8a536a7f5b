"""A match under way with its pages: real judge, real log and, for tests in a browser, a real server."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page
from playwright.sync_api import ViewportSize as Size

from companion.events import Player
from companion.live.table import Live
from tests.on_paper import Phone
from tests.web.table import PEOPLE, Clock, app_of, living, serving

PHONE: Size = {"width": 360, "height": 740}


@contextmanager
def playing(
    slug: str, folder: Path, people: tuple[Player, ...] = PEOPLE, clock: Clock | None = None, **options: Any
) -> Iterator[tuple[Live, str]]:
    """Begin a match; give the table and the address of its pages."""
    with living(folder, clock, simulated=True) as live, serving(app_of(live)) as port:
        live.begin(slug, people, options)
        yield live, f"http://127.0.0.1:{port}"


@contextmanager
def watched(
    slug: str, folder: Path, people: tuple[Player, ...] = PEOPLE, **options: Any
) -> Iterator[tuple[Live, Callable[[str], str]]]:
    """Begin a match; give the table and what renders a page of it, by its path."""
    with living(folder, simulated=True) as live:
        live.begin(slug, people, options)
        yield live, rendering(live)


def rendering(live: Live) -> Callable[[str], str]:
    """Return what renders a page of a table, by its path."""
    phone = app_of(live).test_client()
    return lambda path: phone.get(path).text


@contextmanager
def on_paper(
    slug: str, folder: Path, paper: Page, people: tuple[Player, ...] = PEOPLE, **options: Any
) -> Iterator[tuple[Live, Callable[[str], Phone]]]:
    """Begin a match; give the table and what opens a page of it on paper, by its path."""
    with watched(slug, folder, people, **options) as (live, _):
        yield live, papers(live, paper)


def papers(live: Live, paper: Page) -> Callable[[str], Phone]:
    """Return what opens a page of a table on paper, by its path."""
    return partial(Phone, paper, app_of(live).test_client())


def button(page: Page | Locator, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def misplays(live: Live) -> list[str]:
    return live.ask(lambda match: [misplay.code for misplay in match.misplays])


def undo(page: Page) -> None:
    """Take back what this phone did last, also while a picture lies over it: its line stays."""
    line = page.locator(".just-done button")
    assert line.evaluate("one => one.parentElement.getAnimations({ subtree: true }).length") == 0
    line.dispatch_event("click")
