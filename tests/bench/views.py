"""The first view on a slow phone: from the tap on the address to the first content, nothing cached before.

Chromium's own throttling: a processor four times slower, 150 ms until an answer begins, 1.6 Mbit/s. That is the slow
phone in a slow network that page audits take; the table's own Wi-Fi answers in a few milliseconds.
"""

from collections.abc import Iterator

from playwright.sync_api import Browser, sync_playwright

from tests.bench.figures import Budget, Figure
from tests.bench.rig import PHONE, Program, rig
from tests.chromium import CHROMIUM

BUDGET = Budget(median_at_most=1.0)
PROCESSOR = 4
NETWORK = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
PAGES = {"the score": "/", "a seat, by the host": "/host/1", "the host's page": "/host"}
FIRST = """() => new Promise(seen => new PerformanceObserver(list => seen(list.getEntries()[0].startTime / 1000))
    .observe({type: "paint", buffered: true}))"""


def views(quick: bool) -> Iterator[Figure]:
    samples = 2 if quick else 10
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(**CHROMIUM) as browser,
        rig() as table,
        table.running() as program,
    ):
        program.first_page()
        program.start_match()
        for name, path in PAGES.items():
            took = [_first_view(browser, program, path) for _ in range(samples)]
            yield Figure(f"first view of {name} on a slow phone in a slow network", "s", took, BUDGET)


def _first_view(browser: Browser, program: Program, path: str) -> float:
    """Open a page as the host's phone, which keeps nothing but its cookie."""
    address = f"http://127.0.0.1:{program.port}"
    context = browser.new_context(viewport={"width": 360, "height": 740})
    context.add_cookies([{"name": "phone", "value": PHONE, "url": address}])
    page = context.new_page()
    slow = context.new_cdp_session(page)
    slow.send("Network.emulateNetworkConditions", NETWORK)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": PROCESSOR})
    page.goto(address + path)
    first_view: float = page.evaluate(FIRST)
    context.close()
    return first_view
