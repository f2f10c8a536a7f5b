"""Matches by ear with the seat's page open in Chromium: its live region is given the sentences that the listener hears.

At each look at the table the page has got the same news. What it then puts into its live region, or sets the focus on,
must be what the trial's ears hear at that moment of the table's clock: the same sentences in the same order.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from flask import Flask
from playwright.sync_api import Browser, Page, sync_playwright

from companion import games
from companion.web.site import site
from tests.chromium import UNSEEN
from tests.trust.by_ear.matches import LONGEST, SEAT, SeatPage, played
from tests.trust.by_ear.page import Ears
from tests.trust.findings import Finding
from tests.web.listening import RECORD
from tests.web.table import ANAS, serving

ARRIVES = """
window.shownLast = "";
const Plain = window.EventSource;
window.EventSource = class extends Plain {
  constructor(...how) {
    super(...how);
    this.addEventListener("message", ({ data }) => { window.cameLast = data; });
  }
};
document.addEventListener("fresh", () => { window.shownLast = window.cameLast; }, true);
window.heardOnceShown = part => new Promise(done => {
  const look = () => setTimeout(
    window.shownLast === part ? () => done(window.heard.splice(0).map(([, text]) => text)) : look, 5);
  look();
});
"""
"""Remembers which live part the page shows, and tells what was heard once it shows another."""


class OpenSeatPage(SeatPage):
    """The seat's page, which is open in Chromium as well."""

    def __init__(self, app: Flask, page: Page):
        super().__init__(app)
        self._open = page
        self.said: list[Sequence[str]] = []
        """What the page said at each look."""

    def html(self) -> str:
        """Look at it once Chromium shows what is on it now."""
        html = super().html()
        live_part = site().screens.fragment(self.page, "en").decode().rstrip("\n")
        texts = self._open.evaluate("part => window.heardOnceShown(part)", live_part)
        self.said.append([" ".join(text.split()) for text in texts])
        return html


@dataclass(frozen=True, slots=True)
class Difference:
    """Where the page said something else than the listener heard."""

    at: float
    page: Sequence[str]
    listener: Sequence[str]


@dataclass(slots=True)
class Opened:
    """How often both were compared, and where they differed."""

    looks: int = 0
    sentences: int = 0
    differences: list[Difference] = field(default_factory=list)


def differences(
    browser: Browser, slug: str, number: int, *, steps: int = LONGEST, ears: Callable[[], Ears] = Ears
) -> Opened:
    """Play a match by ear beside its page in Chromium; at the first look, a page that has just been opened says nothing
    by itself.
    """
    with ExitStack() as until_closed:
        pages: list[OpenSeatPage] = []

        def opened(app: Flask) -> SeatPage:
            port = until_closed.enter_context(serving(app))
            url = f"http://127.0.0.1:{port}"
            context = until_closed.enter_context(browser.new_context(locale="en"))
            cookies = {"phone": ANAS, "aloud": "normal-reader"}
            context.add_cookies([{"name": name, "value": value, "url": url} for name, value in cookies.items()])
            page = context.new_page()
            page.add_init_script(RECORD)
            page.add_init_script(ARRIVES)
            page.goto(f"{url}/seat/{SEAT}")
            pages.append(OpenSeatPage(app, page))
            return pages[-1]

        match = played(slug, number, by_ear=True, steps=steps, ears=ears(), page_of=opened)
        both = [*zip(pages[0].said, match.looks, strict=True)][1:]
    unlike = [Difference(at, page, listener) for page, (at, listener) in both if [*page] != [*listener]]
    return Opened(len(both), sum(len(listener) for _, (_, listener) in both), unlike)


def beside_chromium(slugs: Sequence[str], matches: int) -> Iterator[Finding]:
    """Play so many matches of each game to their end, and compare each look with the page."""
    with sync_playwright() as playwright, playwright.chromium.launch(**UNSEEN) as browser:
        for slug in slugs:
            opened = [differences(browser, slug, number) for number in range(matches)]
            examples = [str(difference) for match in opened for difference in match.differences]
            yield Finding(
                f"{games.known()[slug].title}: a page in Chromium says what is heard, when it is heard",
                sum(match.looks for match in opened),
                len(examples),
                examples[0].replace("|", "/")[:600]
                if examples
                else f"{matches} matches, {sum(match.sentences for match in opened):,} sentences",
            )
