"""Where everything lies in each game, for the build guide: the pages' own drawings and words, made to stand alone."""

import tempfile
from pathlib import Path

from playwright.sync_api import Browser

from companion import games
from companion.words import Words
from tests.web.table import app_of, living, serving

FOLDER = Path(__file__).parent.parent / "hardware/pictures"

_SHEET = FOLDER.parent / "where.md"
_HEAD = """# Where everything lies

Written by `make pictures` from the pages' own drawings and words; the page `/how/…` of your table shows it for your
pads. Print it for the first evening. A dashed field is a pad: one card at a time is tapped there and laid beside it.
Whatever stays on the table lies 10 cm from any pad: the drawings are not to scale.
"""
_SEVEN_PADS = 7
# What a style sheet says is written into the drawing; what it takes from another file, too.
_ALONE = """async ([svg]) => {
  const SAID = { fill: "rgb(0, 0, 0)", stroke: "none", "stroke-width": "1px", "stroke-linecap": "butt",
    "stroke-linejoin": "miter", "stroke-dasharray": "none", "font-size": "", "font-weight": "400",
    "text-anchor": "start", opacity: "1", "fill-opacity": "1", "stroke-opacity": "1" };
  const clone = svg.cloneNode(true);
  const pairs = (from, to) =>
    [[from, to], ...[...from.children].flatMap((child, at) => pairs(child, to.children[at]))];
  for (const [from, to] of pairs(svg, clone)) {
    const style = getComputedStyle(from);
    const drawn = ["path", "rect", "circle", "ellipse", "line", "polygon", "polyline", "text", "tspan", "use"];
    for (const [what, usual] of Object.entries(SAID)) {
      if (what.startsWith("font") || what.startsWith("text") ? to.tagName.startsWith("t") : drawn.includes(to.tagName))
        if (style.getPropertyValue(what) !== usual)
          to.setAttribute(what, style.getPropertyValue(what).replace("px", ""));
    }
    if (to.tagName === "use") to.setAttribute("color", style.color);
    for (const gone of ["class", "aria-hidden", "style"]) to.removeAttribute(gone);
  }
  for (const use of clone.querySelectorAll("use")) {
    const [file, id] = use.getAttribute("href").split("#");
    const text = await (await fetch(file)).text();
    const found = new DOMParser().parseFromString(text, "image/svg+xml").getElementById(id);
    const inner = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    for (const name of ["x", "y", "width", "height", "fill", "stroke", "color"])
      if (use.hasAttribute(name)) inner.setAttribute(name, use.getAttribute(name));
    inner.setAttribute("viewBox", found.getAttribute("viewBox"));
    inner.innerHTML = found.innerHTML;
    use.replaceWith(inner);
  }
  clone.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  clone.setAttribute("font-family", "sans-serif");
  return clone.outerHTML.replace(/\\n\\s*/g, "\\n");
}"""


def sheet() -> str:
    """Return what is written below the drawings, in English and French."""
    return "\n".join([_HEAD, *(steps_of_game(slug, game.title) for slug, game in games.known().items())])


def steps_of_game(slug: str, title: str) -> str:
    drawn = f'<img src="pictures/lies-{slug}.svg" alt="{title} on a table with seven pads" width="560">'
    lists = []
    for language in ("en", "fr"):
        words = Words(slug, language)
        codes = [f"tap-{number}" for number in range(1, 5) if words.has(f"tap-{number}")]
        lists += ["\n".join(f"{number}. {words.say(code)}" for number, code in enumerate(codes, 1)), ""]
    return "\n".join([f"## {title}\n", drawn, "", lists[0], "", "*En français :*\n", lists[2], ""])


def write_plans(browser: Browser) -> None:
    """Write the sheet, and each game's drawing at the table with seven pads."""
    _SHEET.write_text(sheet(), encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder, living(Path(folder)) as live, serving(app_of(live)) as port:
        page = browser.new_page()
        for slug in games.known():
            page.goto(f"http://127.0.0.1:{port}/how/{slug}")
            plans = page.query_selector_all("svg.d-plan")
            [plan, *_] = [plan for plan in plans if len(plan.query_selector_all(".d-pad")) == _SEVEN_PADS]
            drawn = page.evaluate(_ALONE, [plan])
            (FOLDER / f"lies-{slug}.svg").write_text(drawn + "\n", encoding="utf-8")
        page.close()
