"""Looking at pages in many states and sizes: what stands wrong depends on both, and loading a page is what costs."""

from collections.abc import Iterable, Sequence

from playwright.sync_api import Page, ViewportSize

NARROW_TO_WIDE: list[ViewportSize] = [{"width": width, "height": 740} for width in (320, 360, 768, 1366, 1920)]
UNFIT = """() => {
  const wrong = [], seen = (css) => [...document.querySelectorAll(css)].filter((one) => one.checkVisibility());
  const said = (one) => one.outerHTML.slice(0, 200);
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("too wide");
  const pressed = ".mine :is(button, summary, label, .ticks span), .hand :is(button, summary, label:not(.ticks label))";
  for (const one of seen(pressed))
    if (Math.min(one.offsetWidth, one.offsetHeight) < 43.5) wrong.push(`too small for a thumb: ${said(one)}`);
  for (const one of seen(".quad li, .slips b, .captures td, .pair button"))
    if (one.scrollWidth > one.clientWidth + 1) wrong.push(`cut off: ${said(one)}`);
  return wrong;
}"""
"""What can't be read or hit, on a phone or on a screen."""
_EACH = """(pages) => pages.map((html) => {
  for (const one of document.querySelectorAll("details")) one.open = false;
  show(new DOMParser().parseFromString(html, "text/html").getElementById("live").innerHTML);
  const wrong = amiss();
  for (const one of document.querySelectorAll("details")) one.open = true;
  return [...wrong, ...amiss()];
})"""


def look(
    page: Page, address: str, paths: Sequence[str], states: Iterable[str], sizes: Sequence[ViewportSize], amiss: str
) -> list[str]:
    """Give what is amiss in any state, at any size, all unfolded or as it comes; `amiss` is a script that lists it.

    Every page is fetched in every state, but loaded once, at the end: the page's own script then shows it what came
    before, as a table's stream has it do. That and looking are one go, between which no stream brings anything.
    """
    came: dict[str, dict[str, str]] = {path: {} for path in paths}
    for state in states:
        for path, pages in came.items():
            pages.setdefault(page.request.get(f"{address}{path}?lang=fr").text(), state)
    wrong = []
    for path, pages in came.items():
        page.goto(f"{address}{path}?lang=fr")
        for size in sizes:
            page.set_viewport_size(size)
            found = page.evaluate(f"(pages) => {{ const amiss = {amiss}; return ({_EACH})(pages); }}", [*pages])
            for state, each in zip(pages.values(), found, strict=True):
                wrong += [f"{path}, {state}, {size['width']} x {size['height']}: {one}" for one in each]
    return wrong
