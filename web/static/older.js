// For browsers older than the style sheets: sets what the sheets' other form (`.older.css`) asks for. Such a sheet has
// attributes instead of `:has()` and of what holds in a container, and lengths instead of a container's units.
"use strict";
{
  const SCOPE = "data-older-scope";
  /**
   * What a sheet asks for, as `older/sheets.py` writes it.
   * @typedef {[selector: string, value: string, wraps: string[], weight: number[], byHeight: boolean]} Sized
   * @typedef {[feature: string, value: string]} Condition
   * @typedef {{ name: string, matches: string, has: string[] }} Mark
   * @typedef {{ marks: Mark[], within: [string, string, Condition[]][], containers: Sized[], ratios: Sized[] }} Table
   */
  /** @type {Table[]} */
  const tables = [];
  /** @type {Map<string, HTMLElement[]>} */
  const bearers = new Map(); // an attribute → the elements that bear it
  /** @type {Map<HTMLElement, string>} */
  const kinds = new Map(); // containers → which of their sides others are measured by
  const resized = new ResizeObserver(() => requestAnimationFrame(fill));
  const changed = new MutationObserver(fill);
  const learnt = new Set(); // sheets
  let asked = 0;

  /** @param {string} selector @param {ParentNode} within @returns {HTMLElement[]} */
  function all(selector, within = document) {
    try {
      return [.../** @type {NodeListOf<HTMLElement>} */ (within.querySelectorAll(selector))];
    } catch (wrong) {
      // a selector that this browser can't read matches nothing, as in its sheets
      return [];
    }
  }

  // Whether there is such an element in it, or beside it.
  /** @param {HTMLElement} element @param {string} inside */
  function has(element, inside) {
    if (!/^[+~]/.test(inside)) return all(`:scope ${inside}`, element).length > 0;
    element.setAttribute(SCOPE, "");
    const found = all(`[${SCOPE}] ${inside}`);
    element.removeAttribute(SCOPE);
    return found.length > 0;
  }

  /** @param {string} name @param {HTMLElement[]} elements */
  function set(name, elements) {
    for (const element of bearers.get(name) || []) if (!elements.includes(element)) element.removeAttribute(name);
    for (const element of elements) if (!element.hasAttribute(name)) element.setAttribute(name, "");
    bearers.set(name, elements);
  }

  function mark() {
    for (const { marks } of tables) {
      for (const { name, matches, has: inside } of marks) {
        set(
          name,
          all(matches).filter((element) => !inside.length || inside.some((each) => has(element, each)))
        );
      }
    }
  }

  /** @param {string} wrap */
  function holds(wrap) {
    const [, rule, condition] = /^@(\w+) (.*)/.exec(wrap);
    return rule === "media" ? matchMedia(condition).matches : CSS.supports(condition);
  }

  // What each element is by the heaviest rule that says it, the last of those that are as heavy.
  /** @param {"containers" | "ratios"} name */
  function judged(name) {
    const rules = tables.flatMap((table) => table[name]).filter(([, , wraps]) => wraps.every(holds));
    rules.sort(([, , , one], [, , , other]) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2]);
    /** @type {Map<HTMLElement, Sized>} */
    const found = new Map();
    for (const rule of rules) for (const element of all(rule[0])) found.set(element, rule);
    return found;
  }

  /** @param {HTMLElement} element */
  function inner(element) {
    const { paddingLeft, paddingRight, paddingTop, paddingBottom } = getComputedStyle(element);
    const wide = element.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    return [wide, element.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom)];
  }

  /** @param {HTMLElement} element @param {string} name @param {string} value */
  function property(element, name, value) {
    if (element.style.getPropertyValue(name) !== value) element.style.setProperty(name, value);
  }

  function contain() {
    const found = judged("containers");
    for (const element of kinds.keys()) {
      if (found.has(element)) continue;
      resized.unobserve(element);
      kinds.delete(element);
      for (const name of ["--cqw", "--cqh", "--cqmin"]) element.style.removeProperty(name);
    }
    for (const [element, [, kind]] of found) {
      if (!kinds.has(element)) resized.observe(element);
      kinds.set(element, kind);
    }
    // From the outside, because what is measured by the outer one may be the size of the inner one.
    const inOrder = [...kinds.keys()].sort((one, other) => (one.compareDocumentPosition(other) & 4 ? -1 : 1));
    for (const element of inOrder) measure(element);
  }

  /** @param {HTMLElement} element */
  function measure(element) {
    const [wide, high] = inner(element);
    const kind = kinds.get(element);
    if (kind === "normal" || !wide) return;
    property(element, "--cqw", `${wide / 100}px`);
    if (kind !== "size") return;
    property(element, "--cqh", `${high / 100}px`);
    property(element, "--cqmin", `${Math.min(wide, high) / 100}px`);
  }

  function proportion() {
    if (CSS.supports("aspect-ratio: 1")) return;
    for (const [element, [, value, , , byHeight]] of judged("ratios")) {
      const [wide, high = 1] = value.split("/").map(Number);
      if (!wide) element.style.removeProperty("height");
      else if (byHeight) property(element, "width", `${(element.offsetHeight * wide) / high}px`);
      else property(element, "height", `${(element.offsetWidth * high) / wide}px`);
      resized.observe(element);
    }
  }

  /** @param {string} length */
  const pixels = (length) =>
    parseFloat(length) * (length.endsWith("rem") ? parseFloat(getComputedStyle(document.documentElement).fontSize) : 1);

  /** @param {HTMLElement} container @param {Condition} condition */
  function meets(container, [feature, value]) {
    const [wide, high] = inner(container);
    const [limit, side] = feature.split(/-(.*)/);
    const [over, under = 1] = value.split("/").map(Number);
    /** @type {Record<string, [is: number, wanted: number]>} */
    const sides = {
      "aspect-ratio": [wide / high, over / under],
      width: [wide, pixels(value)],
      height: [high, pixels(value)],
    };
    const [is, wanted] = sides[side];
    return limit === "min" ? is >= wanted : is <= wanted;
  }

  /** @param {HTMLElement} element @param {Condition[]} conditions */
  function containerOf(element, conditions) {
    const byHeight = conditions.some(([feature]) => !feature.endsWith("width"));
    let above = element.parentElement;
    while (above && !(kinds.get(above) === "size" || (kinds.get(above) === "inline-size" && !byHeight)))
      above = above.parentElement;
    return above;
  }

  function place() {
    for (const { within } of tables) {
      for (const [name, matches, conditions] of within) {
        set(
          name,
          all(matches).filter((element) => {
            const container = containerOf(element, conditions);
            return container && conditions.every((each) => meets(container, each));
          })
        );
      }
    }
  }

  function fill() {
    mark();
    contain();
    proportion();
    place();
    changed.takeRecords(); // what was set here
  }

  function soon() {
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(fill);
  }

  // What each sheet asks for; that of a game may come later.
  async function learn() {
    const sheets = all("link[rel=stylesheet][href*='.older.css']")
      .map((link) => /** @type {HTMLLinkElement} */ (link).href.replace(".older.css", ".older.json"))
      .filter((sheet) => !learnt.has(sheet));
    for (const sheet of sheets) learnt.add(sheet);
    const answers = await Promise.all([...new Set(sheets)].map((sheet) => fetch(sheet)));
    tables.push(...(await Promise.all(answers.map((answer) => answer.json()))));
    fill();
  }

  async function begin() {
    await learn();
    new MutationObserver(learn).observe(document.head, { childList: true });
    changed.observe(document.body, { subtree: true, childList: true, attributes: true });
    for (const act of ["change", "input", "focusin", "focusout", "pointerdown", "pointerup"])
      document.addEventListener(act, soon);
    addEventListener("resize", soon);
    addEventListener("load", soon);
  }
  begin();
}
