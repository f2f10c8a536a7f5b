"""What axe-core is asked about a page. It is npm's, in `build/axe`."""

from pathlib import Path

AXE = Path(__file__).parents[2] / "build/axe/node_modules/axe-core/axe.min.js"

WHOLE = "runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']"
BUT_INK = f"{WHOLE}, rules: {{'color-contrast': {{enabled: false}}}}"
INK = "runOnly: ['color-contrast']"
INK_AT_ITS_BEST = "runOnly: ['color-contrast-enhanced']"
"""At seven to one, and 4.5 where letters are large."""
THIN = """const shape = (html) => html.replace(/ (?!alt|aria|class|disabled|hidden|lang|role|type)[\\w-]+="[^"]*"/g, "")
    .replace(/\\bc-\\w+|\\d+|>[^<]+/g, "");
  const thin = (above) => {
    const alike = {};
    for (const one of [...above.children]) {
      const its = shape(one.outerHTML);
      if ((alike[its] = (alike[its] ?? 0) + 1) > 2) one.remove(); else thin(one);
    }
  };
  const known = new Set();
  const hasNew = (one, ground, above = "") => {
    const here = shape(one.cloneNode().outerHTML), words = [...one.childNodes].some(({data}) => data?.trim());
    const asked = words && known.size < known.add(above + here + ground).size;
    return [...one.children].filter((each) => hasNew(each, ground, here) || each.remove()).length > 0 || asked;
  };"""
"""Leave two of what stands beside its like, forty cards to choose from or a hundred rows: axe takes its time.

Or leave only words that no page before has in such an element, within such another: it takes far more over ink.
"""
FLAT = """const flat = () => {
    const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const mixed = (colours) => {
      pen.clearRect(0, 0, 1, 1);
      for (const colour of colours) { pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1); }
      return [...pen.getImageData(0, 0, 1, 1).data];
    };
    const light = ([red, green, blue]) => 2 * red + 7 * green + blue;
    const lying = [...document.querySelectorAll("*")].map(one => {
      const { backgroundImage, backgroundColor, color } = getComputedStyle(one);
      return [one, backgroundImage, backgroundColor, color];
    });
    for (const [one, backgroundImage, backgroundColor, color] of lying) {
      if (!backgroundImage.includes("gradient")) continue;
      const stops = backgroundImage.match(/(?:rgba?|color)\\([^)]*\\)/g).map(stop => mixed([backgroundColor, stop]));
      stops.sort((a, b) => light(a) - light(b));
      const [red, green, blue, alpha] = stops.at(light(mixed([color])) < 1275 ? 0 : -1);
      one.style.background = `rgb(${red} ${green} ${blue} / ${alpha / 255})`;
    }
  };
  const leaveInk = (body) => {
    hasNew(body, getComputedStyle(document.querySelector(".phone") ?? body).backgroundColor);
    flat();
  };"""
"""Lay one colour where several run into each other, the one its words are read worst on: of those axe says nothing."""
UNCOLOURED = """const leaveUncoloured = (body) => {
    for (const one of body.querySelectorAll("[class^='c-'], [class*=' c-']:not(.phone)")) one.remove();
    leaveInk(body);
  };"""
"""Leave out what is drawn in a game's own colours, which nobody's wish for contrast changes."""
CHECK = """(() => {{
  {thin}
  return async () => {{
    {leave}(document.body);
    for (const one of document.querySelectorAll("details")) one.open = true;
    const quick = {{resultTypes: ["violations"], preload: false, selectors: false}};
    const found = await axe.run(document, {{{asked}, ...quick}});
    return found.violations.flatMap(one => one.nodes.map(node =>
      `${{one.id}}: ${{node.html.slice(0, 200)}} (${{node.failureSummary}})`));
  }};
}})()"""
