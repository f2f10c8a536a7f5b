"""A place for what tests leave, and fixtures for tests that look at the pages in a real Chromium."""

import fcntl
import gc
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from itertools import islice
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from companion import threads
from companion.kit.in_chromium import Glass
from tests.chromium import CHROMIUM, UNSEEN, Opened, hurry
from tests.needs import needs
from tests.waiting import PATIENCE
from tests.web.table import TABLET, app_of, living

LONG = round(PATIENCE * 1000)
"""Milliseconds; a test waits for what it expects, never a fixed time."""
EXPECTED = re.compile("ERR_|status of 4")

pytest_plugins = ["companion.kit.pytest_plugin"]
collect_ignore = [str(page.parent) for page in Path(__file__).parent.glob("packages/*/README.md")]
"""Packages of their own: `test_tutorials.py` tries them as such."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark whatever opens a browser: `make quick` leaves it out, as it does trials and long ones, which come first."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
    long = {item: None for item in items if any(map(item.get_closest_marker, ("trial", "long")))}
    other_items = iter([item for item in items if item not in long])
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    shares = [(len(items) * (worker + 1) // workers, [*long][worker::workers]) for worker in range(workers)]
    items.clear()
    for (
        end,
        workers_items,
    ) in shares:  # what a worker is given begins with its long ones: in the end nobody waits for them
        items += workers_items
        items += islice(other_items, max(0, end - len(items)))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Have the collector leave alone what stays for the whole run: it would go through all tests again and again."""
    gc.disable()
    collected = yield
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    gc.enable()
    return collected


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say once for each reason how many tests were skipped: pytest itself would say it of every place."""
    skipped = Counter(report.longrepr[2] for report in terminalreporter.getreports("skipped"))
    for why, count in skipped.items():
        terminalreporter.write_line(f"SKIPPED [{count}] {why.removeprefix('Skipped: ')}")


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Callable[[Path], None]], Path]:
    """Return a file by its name, which is made first where no worker of this run has made it yet."""
    base = tmp_path_factory.getbasetemp()
    folder = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def made(name: str, make: Callable[[Path], None]) -> Path:
        path = folder / name
        with (folder / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.exists():
                make(path)
        return path

    return made


@pytest.fixture(autouse=True)
def no_faults_of_others() -> None:
    """What threads of earlier tests have raised is no fault of this one."""
    threads.forget_faults()


@pytest.fixture(scope="session", autouse=True)
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Temporary folders lie in pytest's own: it clears away later what tests leave that are killed."""
    directory_before = tempfile.tempdir
    tempfile.tempdir = str(tmp_path_factory.mktemp("scratch"))
    yield
    tempfile.tempdir = directory_before


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    needs("Chromium", Path(CHROMIUM["executable_path"]).exists())
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    with playwright.chromium.launch(**UNSEEN) as browser:
        yield browser


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opened]:
    """Open pages that must stay silent and ask for nothing from elsewhere; `token` says on which phone."""
    wrong: list[str] = []
    contexts: list[BrowserContext] = []

    def open_page(
        url: str, token: str | None = TABLET, go: Callable[[Page, str], object] = Page.goto, **more: object
    ) -> Page:
        settings = {"locale": "en-GB", "reduced_motion": "reduce", **more}
        context = browser.new_context(**settings)  # type: ignore[arg-type]
        contexts.append(context)
        site = re.match(r"http://[^/]+/", url)
        assert site
        if token:
            context.add_cookies([{"name": "phone", "value": token, "url": site[0]}])
        page = context.new_page()
        if settings["reduced_motion"] == "reduce":
            hurry(page)
        page.set_default_timeout(LONG)
        expect.set_options(timeout=LONG)
        # The browser itself logs a connection that is lost and a form that is refused; all else is a mistake of ours.
        page.on("console", lambda message: None if EXPECTED.search(message.text) else wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: None if request.url.startswith(site[0]) else wrong.append(request.url))
        go(page, url)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []


@pytest.fixture(scope="session")
def paper(browser: Browser) -> Iterator[Page]:
    """One page on which what is rendered is laid to be read: no style, no script, no pictures."""
    page = browser.new_page(java_script_enabled=False)
    page.set_default_timeout(LONG)
    yield page
    page.close()


@pytest.fixture(scope="session")
def bare() -> Iterator[FlaskClient]:
    """A phone at a table before its first match."""
    with tempfile.TemporaryDirectory() as folder, living(Path(folder), simulated=True) as live:
        yield app_of(live).test_client()


@pytest.fixture(scope="session")
def glass(browser: Browser, bare: FlaskClient) -> Iterator[Glass]:
    """One page in which every rendered page of a worker's tests is shown."""
    page = browser.new_page()
    yield Glass(page, bare)
    page.close()
