"""Where the system chooses the colours, what a page tells by colour is told by something else as well.

A page is looked at twice: in ordinary colours, and in the system's. What lies there as a thing without words, and what
tells one of several from its siblings (a class, that it is pressed, or chosen), must be there both times. A picture
behind it does not count.
"""

from collections.abc import Sequence

from companion.kit.in_chromium import Glass, Rendered
from tests.chromium import DESK, PHONE

TELLS = """() => {
  const COLOUR = ["color", "border-top-color", "border-bottom-color", "border-left-color",
    "border-right-color", "outline-color", "fill", "stroke"];
  const SHAPE = ["display", "visibility", "border-top-width", "border-right-width", "border-bottom-width",
    "border-left-width", "border-top-style", "border-bottom-style", "outline-style", "outline-width",
    "text-decoration-line", "font-weight", "font-style", "font-size", "width", "height", "transform", "translate",
    "scale", "rotate", "opacity", "clip-path", "mask-image", "content", "stroke-width", "stroke-dasharray"];
  const LIGHT = ["box-shadow", "background-image", "text-shadow", "filter"];
  const isForced = matchMedia("(forced-colors: active)").matches;
  const PROPERTIES = [...COLOUR, ...SHAPE, ...(isForced ? [] : LIGHT)];
  const sample = document.body.appendChild(document.createElement("i"));
  sample.style.backgroundColor = "Canvas";
  const CANVAS = getComputedStyle(sample).backgroundColor;
  sample.remove();
  const groundOf = (element) => {
    for (let around = element.parentElement; around; around = around.parentElement) {
      const { backgroundColor } = getComputedStyle(around);
      if (!/^rgba.*, 0\\)$/.test(backgroundColor)) return backgroundColor;
    }
    return CANVAS;
  };
  const fillOf = (element, style) => {
    const isClear = /^rgba.*, 0\\)$/.test(style.backgroundColor);
    return isClear || style.backgroundColor === groundOf(element) ? "" : style.backgroundColor;
  };
  const looksOf = (element) => [element, ...element.querySelectorAll("*")].slice(0, 60).flatMap((part) =>
    [null, "::before", "::after"].map((which) => {
      const style = getComputedStyle(part, which);
      if (which && style.content === "none") return "";
      return [fillOf(part, style), ...PROPERTIES.map((name) => style.getPropertyValue(name))].join();
    })).join("|");
  const shapeOf = (element) => `${element.localName}.${[...element.classList].map((name) => name.replace(/\\d+/g, "#"))
    .filter((name) => !/^(c|at|to|of|v|nth|from|hand|tens|ones|lap|own|edge|spot)-/.test(name)).sort().join(".")}`;
  const placeOf = (element) => [element.parentElement?.parentElement, element.parentElement, element]
    .filter(Boolean).map(shapeOf).join(" > ");
  // What a page is made of; and suits, whose signs stand on each card.
  const NEVER_ALONE = new Set(["felt", "wood", "clubs", "diamonds", "hearts", "spades"]);
  const told = new Set();
  const compare = (element, token, take, bring) => {
    const key = `${placeOf(element)}: ${token}`;
    if (told.has(key)) return;
    const withIt = looksOf(element);
    take();
    const without = looksOf(element);
    bring();
    if (withIt !== without) told.add(key);
  };
  const all = [...document.body.querySelectorAll("*")].filter((element) => element.checkVisibility());
  for (const element of all) {
    const around = [...(element.parentElement?.children ?? [])];
    const siblings = around.filter((other) => other.localName === element.localName);
    for (const name of siblings.length > 1 ? [...element.classList] : []) {
      if (/\\d|^c-/.test(name) || NEVER_ALONE.has(name)) continue;
      if (siblings.every((other) => other.classList.contains(name))) continue;
      compare(element, `.${name}`, () => element.classList.remove(name), () => element.classList.add(name));
    }
    for (const name of ["aria-pressed", "aria-current", "aria-selected"]) {
      const value = element.getAttribute(name);
      if (!value || value === "false") continue;
      compare(element, `[${name}]`, () => element.setAttribute(name, "false"), () => element.setAttribute(name, value));
    }
    if (element.matches("input:checked") && element.nextElementSibling?.localName === "span")
      compare(element.parentElement, ":checked", () => { element.checked = false; }, () => { element.checked = true; });
  }
  const isPainted = (element, which) => {
    const style = getComputedStyle(element, which);
    if (which && style.content === "none") return false;
    const edges = ["top", "right", "bottom", "left"].some((side) => parseFloat(style[`border-${side}-width`]) > 0
      && style[`border-${side}-style`] !== "none" && !/^rgba.*, 0\\)$/.test(style[`border-${side}-color`]));
    const drawn = isForced ? false : style.backgroundImage !== "none";
    const written = which && !/^(none|normal|"")$/.test(style.content);
    const outlined = parseFloat(style.outlineWidth) > 0 && style.outlineStyle !== "none";
    return edges || fillOf(element, style) || drawn || written || outlined;
  };
  for (const element of all) {
    const box = element.getBoundingClientRect();
    const isGround = box.width * box.height > innerWidth * innerHeight / 4;
    if (isGround || box.width < 5 || box.height < 5 || element.textContent.trim() || element.closest("svg, .unseen")
      || element.querySelector("svg, img, input") || /^(img|input|svg|section)$/.test(element.localName)
      || element.children.length) continue;
    if ([null, "::before", "::after"].some((which) => isPainted(element, which)))
      told.add(`${placeOf(element)}: lies there`);
  }
  return [...told];
}"""


def untold(glass: Glass, states: Sequence[Rendered]) -> list[str]:
    """Return what a page tells in ordinary colours alone, each kind once, with a page where it stands."""
    missing: dict[str, str] = {}
    for size, is_big in ((DESK, True), (PHONE, False)):
        pages = [state for state in states if state.path.startswith("/big") == is_big]
        ordinary = glass.ask(pages, TELLS, size)
        forced = {*glass.ask(pages, TELLS, size, forced_colors="active")}
        for line in ordinary:
            page, _, fault = line.partition(": ")
            if line not in forced:
                missing.setdefault(fault, page)
    return [f"{fault} ({page})" for fault, page in missing.items()]
