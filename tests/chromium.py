"""How every test starts Debian's Chromium: offline, and silent about it."""

import shutil
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

Opened = Callable[..., Page]
"""Opens a page at a URL; more of a browser context's settings by name."""

CHROMIUM: dict[str, Any] = {
    "executable_path": shutil.which("chromium") or "/usr/bin/chromium",
    "args": [
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ],
}
