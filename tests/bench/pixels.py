"""From a press, or a card laid down, to the pixel: the real companion, emulated devices, phones, one real Chromium.

Three moments of each are written down:
- the bytes of the new page are read from a phone's socket (every phone but Chromium);
- Chromium's page has changed (a MutationObserver was called);
- the next frame begins (requestAnimationFrame): the pixel, but for the painting itself.

Presses are shouts and restarts in turn, taps are cards that nobody has called for. The phones show six different pages
in French and English, and share the processor with the companion.
"""

import random
import time
from collections.abc import Callable, Iterator
from functools import partial

from playwright.sync_api import Page, sync_playwright

from tests.bench.figures import Budget, Figure
from tests.bench.phones import Phones
from tests.bench.rig import PATIENCE, Program, Rig, rig, some_cards
from tests.chromium import CHROMIUM

BUDGET = Budget(median_at_most=30, most_at_most=100)
PHONES, FEW = {1: 20, 50: 60}, 6
"""How many samples are taken beside so many phones; and how many in haste."""
SEEN = 0.2
"""Seconds after which whatever was done has been seen; nobody asks the page before, for asking is work too."""
NOT_DEAF = 0.55
"""Seconds after a start before a shout is heard."""

WATCH = """() => {
  const now = () => performance.timeOrigin + performance.now();
  window.seen = [];
  new MutationObserver(() => {
    const changed = now();
    requestAnimationFrame(() => seen.push([changed, now()]));
  }).observe(document.getElementById("live"), {subtree: true, childList: true, characterData: true, attributes: true});
}"""

Acts = Callable[[Program, Rig, int], Iterator[Callable[[], object]]]
"""Gives acts that each change the page, at random phases; each is done before the next is asked for."""


def press(quick: bool) -> Iterator[Figure]:
    yield from _to_pixel("press", presses, quick)


def tap(quick: bool) -> Iterator[Figure]:
    yield from _to_pixel("tap", taps, quick)


def presses(program: Program, table: Rig, count: int) -> Iterator[Callable[[], object]]:
    """Shout and start again in turn; that nobody had a stop card is said by phone in between."""
    chance = random.Random(count)
    for _ in range(count // 2):
        seat = chance.randint(1, 4)
        time.sleep(NOT_DEAF + chance.random() / 10)
        yield partial(table.box.press, seat)
        program.enter(kind="said", seat=str(seat), what="no-stop")
        time.sleep(SEEN + chance.random() / 10)
        yield partial(table.box.press, seat)


def taps(program: Program, table: Rig, count: int) -> Iterator[Callable[[], object]]:
    """Lay cards on the centre's reader while nobody has shouted: the page says so of each, by its name."""
    chance = random.Random(count)
    for card in some_cards(count):
        yield partial(table.centre.put, table.uids[card])
        table.centre.clear()
        time.sleep(0.4 + chance.random() / 10)  # a card counts as gone after 0.3 s


def _to_pixel(label: str, acts: Acts, quick: bool) -> Iterator[Figure]:
    with sync_playwright() as playwright, playwright.chromium.launch(**CHROMIUM) as browser, rig() as table:
        for count, samples in {50: FEW}.items() if quick else PHONES.items():
            page = browser.new_page()
            with table.running() as program:
                program.first_page()
                program.start_match()
                with Phones(program.port, count) as phones:
                    # The last to come is the last to be told.
                    page.goto(f"http://127.0.0.1:{program.port}/")
                    page.evaluate(WATCH)
                    time.sleep(1.5)  # until the box's clock is known
                    todo = acts(program, table, samples)
                    yield from _timed(f"{label}, {count} phone{'s' if count > 1 else ''} beside it", page, phones, todo)
            page.close()


def _timed(label: str, page: Page, phones: Phones, acts: Iterator[Callable[[], object]]) -> Iterator[Figure]:
    sockets = []
    changes = []
    frames = []
    for act in acts:
        page.evaluate("seen.length = 0")
        phones.take()
        began = time.time()
        act()
        time.sleep(SEEN)
        end = began + PATIENCE
        while not (frames_seen := page.evaluate("seen")):
            assert time.time() < end, "the page never changed"
            time.sleep(0.05)
        changes.append(frames_seen[0][0] - began * 1000)
        frames.append(frames_seen[0][1] - began * 1000)
        sockets += [(updates[0].at - began) * 1000 for updates in phones.take() if updates]
    yield Figure(f"{label}: to the bytes at a phone's socket", "ms", sockets, emulated=True)
    yield Figure(f"{label}: to the change in Chromium's page", "ms", changes, emulated=True)
    yield Figure(f"{label}: to the frame in Chromium (pixel)", "ms", frames, BUDGET, emulated=True)
