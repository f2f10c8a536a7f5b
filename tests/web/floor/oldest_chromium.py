"""A real Chromium 87, what a television of 2022 has: npm's, in `build/chromium87`. Playwright speaks to it as it is."""

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Playwright

from tests.waiting import until

FOLDER = Path(__file__).parents[3] / "build/chromium87/unpacked"
PROGRAM = FOLDER / "chromium"
_SAYS = re.compile(r"ws://127\.0\.0\.1:\d+\S+")


@contextmanager
def oldest(playwright: Playwright, profile: Path) -> Iterator[Browser]:
    """Run it, at a port that it chooses itself."""
    journal = profile / "said"
    arguments = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-zygote",
        "--no-first-run",
    ]
    arguments += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
    arguments += ["--remote-debugging-port=0", f"--user-data-dir={profile}", "about:blank"]
    libraries = {**os.environ, "LD_LIBRARY_PATH": str(FOLDER / "lib")}
    with journal.open("w") as sink, subprocess.Popen([PROGRAM, *arguments], env=libraries, stderr=sink) as process:
        try:
            until(lambda: _SAYS.search(journal.read_text("utf-8")) or process.poll() is not None)
            address = _SAYS.search(journal.read_text("utf-8"))
            assert address, journal.read_text("utf-8")
            yield playwright.chromium.connect_over_cdp(address[0])
        finally:
            process.kill()
