"""How every test starts Debian's Chromium: offline, and silent about it."""

import shutil
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from playwright.sync_api import CDPSession, Page, ViewportSize

from tests.waiting import until

Opened = Callable[..., Page]
"""Opens a page at a URL, by `go` where that is to be done otherwise; more of a browser context's settings by name."""

CHROMIUM: dict[str, Any] = {
    # The same browser without its own windows, where there is one, takes a quarter less of the processor's time.
    "executable_path": shutil.which("chromium-headless-shell") or shutil.which("chromium") or "/usr/bin/chromium",
    "args": [
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        # Without it every page that is opened has one process more begin beside its own, in case of another site.
        "--renderer-process-limit=1",
    ],
}
UNSEEN = {**CHROMIUM, "args": [*CHROMIUM["args"], "--force-gpu-mem-available-mb=0"]}
"""With no room for pixels: all is laid out, moves and is hit as ever, but not painted, a third of what it costs."""

PHONE: ViewportSize = {"width": 360, "height": 740}
DESK: ViewportSize = {"width": 1280, "height": 800}
TELEVISION: ViewportSize = {"width": 1920, "height": 1080}

LONGER_THAN_ANY_TICK = 10_000
"""Milliseconds after which a page that has heard nothing says that it is old."""
HURRY = 50
"""How many times as fast a page fades, and lets a finger hit what has just appeared, where no test looks at that."""

_hurried: WeakKeyDictionary[Page, CDPSession] = WeakKeyDictionary()


def hurry(page: Page) -> None:
    """Have everything on a page that fades or settles do so at once."""
    _hurried[page] = page.context.new_cdp_session(page)
    _hurried[page].send("Animation.enable")
    _hurried[page].send("Animation.setPlaybackRate", {"playbackRate": HURRY})


def leave_time(page: Page) -> None:
    """Have it take its time again."""
    if page in _hurried:
        _hurried[page].send("Animation.setPlaybackRate", {"playbackRate": 1})
        _hurried.pop(page).detach()


def stop_animations_at(page: Page, time: int) -> None:
    """Stop all that moves on a page so many milliseconds after it began."""
    stop = "time => document.getAnimations().forEach(one => { one.pause(); one.currentTime = time; })"
    page.evaluate(stop, time)


def module(name: str) -> str:
    """Return what evaluates, in an async function of a page, to the exports of one of its scripts as it runs there."""
    return f"""await import(document.querySelector("script[src*='/static/{name}.js']").src)"""


def of_connection(page: Page, name: str) -> Any:
    """Return what a page's script knows of its connection to the table: `web/static/stream.js`."""
    return page.evaluate(f"async () => ({module('stream')}).connection.{name}")


def until_news(page: Page) -> None:
    """Wait for what a page's stream begins with, its own state: what comes from now on is news."""
    until(lambda: not of_connection(page, "begins"))


def in_still_time(page: Page, url: str) -> None:
    """Load it and wait until what comes is news.

    The page's clock stands still, however busy the machine is; a test puts it forward (`page.clock`).
    """
    leave_time(page)
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.goto(url)
    until_news(page)
