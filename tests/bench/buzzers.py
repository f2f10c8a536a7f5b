"""Our virtual table beside a buzzer page of the usual kind (`buzzer/server.py`, which `make engines` equips).

Both run at the same time, each with as many phones that look on; each is measured in turn with the other.
A press is the Enter key on one page's button, by that key's own time, to the next frame of another page in Chromium.
Theirs is Flask-SocketIO in its default mode: it has one page for everybody, no rules and no log.
"""

import contextlib
import os
import random
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.bench.engines import INSTALLED, PYTHON
from tests.bench.figures import Figure, compared
from tests.bench.phones import Phones
from tests.bench.pixels import NOT_DEAF, WATCH
from tests.bench.rig import PATIENCE, PHONE, Program, folder, free_port, virtual
from tests.chromium import CHROMIUM

BUZZER = Path(__file__).parent / "buzzer"
SOCKET_IO = INSTALLED / "node_modules/socket.io-client/dist/socket.io.min.js"
PHONES = 50
PRESSED = """document.addEventListener("keydown", (event) => {
  window.pressed = performance.timeOrigin + event.timeStamp;
}, true)"""


def buzzers(quick: bool) -> Iterator[Figure]:
    phones, presses, times = (5, 4, 2) if quick else (PHONES, 50, 6)
    if not (SOCKET_IO.exists() and PYTHON.exists()):
        yield Figure("a usual buzzer page", "ms", ())
        return
    with folder() as directory:
        yield from _starts(directory, times)
        with virtual(directory / "log") as ours, usual() as theirs:
            ours.first_page()
            theirs.first_page()
            ours.start_match()
            with Phones(ours.port, phones), _lookers(theirs.port, phones):
                yield from _presses(ours, theirs, presses, f"{phones} phones beside it")
                memories = [ours.memory()], [theirs.memory()]
                yield from beside(f"resident, with {phones + 2} phones", "MB", *memories)


@contextlib.contextmanager
def usual() -> Iterator[Program]:
    """Start the buzzer page."""
    port = free_port()
    program = Program(port, str(PYTHON), str(BUZZER / "server.py"), str(port), str(SOCKET_IO))
    try:
        yield program
    finally:
        program.stop()


def beside(label: str, unit: str, ours: list[float], theirs: list[float]) -> Iterator[Figure]:
    samples = {"ours, virtual": ours, "Flask-SocketIO": theirs}
    yield from compared(label, unit, samples, "ours over Flask-SocketIO", better="less")


def _starts(directory: Path, times: int) -> Iterator[Figure]:
    """The first of each only compiles modules."""
    ours = []
    theirs = []
    for _ in range(1 + times):
        with virtual(directory / "log") as program:
            ours.append(program.first_page())
        with usual() as program:
            theirs.append(program.first_page())
    yield from beside("start to first page", "s", ours[1:], theirs[1:])


@contextlib.contextmanager
def _lookers(port: int, count: int) -> Iterator[None]:
    """Phones at the buzzer page."""
    environment = {**os.environ, "NODE_PATH": str(INSTALLED / "node_modules")}
    command = ["node", str(BUZZER / "phones.cjs"), str(port), str(count)]
    process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout
    assert process.stdout.readline() == b"ready\n"
    try:
        yield
    finally:
        process.communicate()


def _presses(ours: Program, theirs: Program, count: int, presser: str) -> Iterator[Figure]:
    """From the key that presses on one page to the next frame of another, in milliseconds."""
    took: tuple[list[float], list[float]] = [], []
    chance = random.Random(count)
    with sync_playwright() as playwright, playwright.chromium.launch(**CHROMIUM) as browser:
        tables = _pages(browser, ours.port, "/table", "/", "[aria-label*=Ana]")
        buzzes = _pages(browser, theirs.port, "/", "/", "#buzz")
        for number in range(count):
            time.sleep(NOT_DEAF + chance.random() / 10)
            took[0].append(_pressed(*tables))
            if not number % 2:  # it was a shout
                ours.enter(kind="said", seat="1", what="no-stop")
            took[1].append(_pressed(*buzzes))
            buzzes[0].evaluate("document.getElementById('reset').click()")
    yield from beside(f"press to pixel, {presser}", "ms", *took)


def _pages(browser: Browser, port: int, presses: str, looks: str, button: str) -> tuple[Page, Page]:
    """Open a page to press on, its button in focus, and one to look at, as on two phones."""
    opened = []
    for path in (presses, looks):
        context = browser.new_context(locale="en-GB")
        context.add_cookies([{"name": "phone", "value": PHONE, "url": f"http://127.0.0.1:{port}"}])
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{port}{path}")
        opened.append(page)
    opened[0].evaluate(PRESSED)
    opened[0].locator(button).first.focus()
    opened[1].evaluate(WATCH)
    time.sleep(1)  # until both are connected for good
    return opened[0], opened[1]


def _pressed(pressing: Page, looking: Page) -> float:
    looking.evaluate("seen.length = 0")
    pressing.keyboard.press("Enter")
    end = time.monotonic() + PATIENCE
    while not (frames := looking.evaluate("seen")):
        assert time.monotonic() < end, "the page never changed"
        time.sleep(0.05)
    milliseconds: float = frames[0][1] - pressing.evaluate("pressed")
    return milliseconds
