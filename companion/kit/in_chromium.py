"""Checks rendered pages in Chromium; one browser page shows them all in turn, because loading is the slowest part."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from flask.testing import FlaskClient
from msgspec import Struct
from playwright.sync_api import Page, Route, ViewportSize

from companion import games
from companion.catalogue import entries_of
from companion.languages import LANGUAGES


class Rendered(Struct, frozen=True):
    """A rendered page."""

    path: str
    language: str
    html: str

    def __str__(self) -> str:
        return f"{self.path} ({self.language})"


HERE = "http://table.test"
NARROW_TO_WIDE: list[ViewportSize] = [{"width": width, "height": 740} for width in (320, 360, 768, 1366, 1920)]
"""320 is the width of 1280 CSS pixels zoomed to 400 % (WCAG 1.4.10)."""
_EMPTY = '<!doctype html><meta name="color-scheme" content="light dark">'
"""The inner page, without scripts that would refresh it."""
_FRAME = '<!doctype html><iframe src="empty" style="border: 0"></iframe>'
"""The outer page: a frame and its contents are resized at once, faster than a viewport."""
_PUT = """async html => {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  const links = [...fresh.head.querySelectorAll("link[rel=stylesheet]")];
  const sheets = await Promise.all(links.map((one) => sheetAt(one.getAttribute("href"))));
  const worn = document.adoptedStyleSheets;
  const alike = sheets.length === worn.length && sheets.every((one, at) => one === worn[at]);
  if (!alike) document.adoptedStyleSheets = sheets; // the same ones again would be gone through anew
  document.documentElement.lang = fresh.documentElement.lang;
  document.title = fresh.title;
  document.body.replaceWith(fresh.body);
  document.body.getBoundingClientRect(); // only what is laid out asks for its letters
  await document.fonts.ready;
  const aloud = document.getElementById("aloud"); // what `cues.js` does with it
  if (aloud) aloud.hidden = false;
  for (const button of aloud?.querySelectorAll("[data-aloud]") ?? []) button.textContent = button.dataset.off;
}"""
_SHEETS = """const sheets = new Map();
const sheetAt = async (href) => {
  if (!sheets.has(href)) {
    const answer = await fetch(href);
    if (!answer.ok) throw new Error(`${href}: ${answer.status}`);
    const beside = href.replace(/[^/]*$/, "");
    const text = (await answer.text()).replaceAll(/url\\((?=[\\w-]+\\.)/g, `url(${beside}`);
    sheets.set(href, await new CSSStyleSheet().replace(text));
  }
  return sheets.get(href);
}"""
"""Loads style sheets by URL, once.

Not as links: one that was disabled is loaded again, perhaps too late, and keeps its first place in the cascade.
"""
_EACH = f"""async ([htmls, sizes]) => {{
  const put = {_PUT}, found = sizes.map(() => []);
  for (const html of htmls)
    for (const [at, size] of sizes.entries()) {{
      frameElement.width = size.width;
      frameElement.height = size.height;
      if (at === 0) await put(html);
      found[at].push(await amiss());
    }}
  return found;
}}"""
UNFIT = """() => {
  const wrong = [], seen = (css) => [...document.querySelectorAll(css)].filter((one) => one.checkVisibility());
  const said = (one) => one.outerHTML.slice(0, 200);
  const open = (wish) => { for (const one of document.querySelectorAll("details")) one.open = wish; };
  const look = () => {
    const edge = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > edge)
      wrong.push("too wide", ...seen("body *").filter((one) => one.getBoundingClientRect().right > edge + 0.5)
        .map(said).slice(-3));
    for (const one of seen(
      ".mine :is(button, summary, label, .ticks span), .hand :is(button, summary, label:not(.ticks label))"))
      if (Math.min(one.offsetWidth, one.offsetHeight) < 43.5) wrong.push(`too small for a thumb: ${said(one)}`);
    for (const one of seen("[data-whole] > li, [data-whole] button"))
      if (one.scrollWidth > one.clientWidth + 1) wrong.push(`cut off: ${said(one)}`);
    for (const one of seen(".chart svg text")) {
      const box = one.getBoundingClientRect();
      if (box.left < 0 || box.right > innerWidth) wrong.push(`outside: ${said(one)}`);
    }
  };
  open(false);
  look();
  open(true);
  look();
  return wrong;
}"""
"""Lists elements that can't be read or hit, with all details closed and open."""


class Glass:
    """A browser page that shows rendered pages; `client` serves their style sheets, scripts and pictures."""

    def __init__(self, page: Page, client: FlaskClient):
        self._page = page

        def answer(route: Route) -> None:
            with client.get(route.request.url.removeprefix(HERE)) as answered:
                route.fulfill(status=answered.status_code, headers=dict(answered.headers), body=answered.data)

        page.route(f"{HERE}/**", answer)
        page.route(f"{HERE}/", lambda route: route.fulfill(content_type="text/html", body=_FRAME))
        page.route(f"{HERE}/empty", lambda route: route.fulfill(content_type="text/html", body=_EMPTY))
        page.goto(f"{HERE}/")
        self._frame = page.frames[1]
        self._frame.add_script_tag(content=_SHEETS)

    def know(self, script: str) -> None:
        """Run a script that defines functions for `ask`."""
        self._frame.evaluate(script)

    def ask(
        self,
        states: Sequence[Rendered],
        amiss: str,
        *sizes: ViewportSize,
        scheme: Literal["light", "dark"] = "light",
        forced_colors: Literal["active", "none"] = "none",
        contrast: Literal["no-preference", "more"] = "no-preference",
    ) -> list[str]:
        """Return the faults on these pages at these sizes; `amiss` is a script that lists those of one."""
        order = sorted(range(len(states)), key=lambda number: states[number].path)  # so that most keep their sheets
        self._page.emulate_media(
            color_scheme=scheme, contrast=contrast, reduced_motion="reduce", forced_colors=forced_colors
        )
        every: Any = self._frame.evaluate(
            f"asked => {{ const amiss = {amiss}; return ({_EACH})(asked); }}",
            [[states[number].html for number in order], sizes],
        )
        return [
            f"{states[number]} at {size['width']} x {size['height']}: {fault}"
            for size, lists in zip(sizes, every, strict=True)
            for number, faults in sorted(zip(order, lists, strict=True))
            for fault in faults
        ]


def at_every_moment(client: FlaskClient, paths: Sequence[str], moments: Iterable[str]) -> list[Rendered]:
    """Return every different page of a match, at every moment, in the language that needs most room."""
    widest = max(LANGUAGES, key=_letters)
    pages: dict[str, Rendered] = {}
    for moment in moments:
        for path in paths:
            html = client.get(path, query_string={"lang": widest}).text
            pages.setdefault(html, Rendered(f"{path}, {moment}", widest, html))
    return [*pages.values()]


def _letters(language: str) -> int:
    """Return the total length of all games' sentences."""
    folders = [game.folder for game in games.known().values()]
    return sum(len(entry.text) for folder in folders for entry in entries_of(folder, language).values())
