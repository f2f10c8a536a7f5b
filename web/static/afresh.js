// Changes on a page that stays: only what differs, never under a finger, and what has no stream is fetched now and then.
import { choicesIn, leaveChoices } from "./choices.js";

const TOUCH = 700; // ms for which nothing moves under a finger
const CLICK = 50; // ms from its lifting to its click, if that was one
const AFRESH = 3000; // ms after which what has no stream of its own is fetched once more
/** @type {ReturnType<typeof setTimeout>} */
let touched = 0; // the timer of the finger that lies on the page
/** @type {(() => void)[]} */
export const waiting = []; // what came meanwhile
const clicked = new MessageChannel(); // tells when all that a click does is done

/** @param {Node} node @returns {node is Element} */
const isElement = (node) => node.nodeType === Node.ELEMENT_NODE;
/** @param {Node} node */
const idOf = (node) => (isElement(node) ? node.id : "");
/** @param {Node} node */
const goesWhere = (node) => (isElement(node) && node.nodeName === "FORM" ? node.getAttribute("action") : "");

/**
 * Make `old`'s children like `fresh`'s, touching only what differs: focus, scroll and what is being typed stay.
 * @param {Element} old
 * @param {Element | DocumentFragment} fresh
 */
function morph(old, fresh) {
  const kept = new Map([...old.children].filter((child) => child.id).map((child) => [child.id, child]));
  const stays = new Set([...fresh.children].map((child) => child.id).filter(Boolean));
  /** @type {ChildNode} */
  let at = old.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    const id = idOf(wanted);
    const named = id ? kept.get(id) : sameControl(at, wanted);
    // What is gone goes first: what stays must not be moved, or it would lose the focus and be read out again.
    while (at && at !== named && (idOf(at) ? !stays.has(idOf(at)) : named)) {
      const next = at.nextSibling;
      at.remove();
      at = next;
    }
    if (named && named !== at) old.insertBefore(named, at);
    const have = named || at;
    if (have && isAlike(have, wanted)) {
      at = have.nextSibling;
      if (isElement(have) && isElement(wanted)) {
        attributes(have, wanted);
        morph(have, wanted);
      } else if (have.nodeValue !== wanted.nodeValue) have.nodeValue = wanted.nodeValue;
    } else old.insertBefore(wanted, at);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/** @param {Node} have @param {Node} wanted */
function isAlike(have, wanted) {
  return have.nodeName === wanted.nodeName && idOf(have) === idOf(wanted) && goesWhere(have) === goesWhere(wanted);
}

/** Return what of the old page stays in this one's place, wherever it stands; null: whatever stands there. @param {ChildNode} at @param {Node} wanted */
function sameControl(at, wanted) {
  if (wanted.nodeName === "FORM") return sameForm(at, wanted);
  return wanted.nodeName === "BUTTON" ? nextButton(at) : null;
}

/** Return the button behind what its form only sends: that may have the focus while what it sends changes. @param {ChildNode} at */
function nextButton(at) {
  while (at && (!isElement(at) || at.matches("input[type=hidden]"))) at = at.nextSibling;
  return at?.nodeName === "BUTTON" ? at : null;
}

/** Return the next form that goes to the same address: somebody may be typing in it. @param {ChildNode} at @param {Node} wanted */
function sameForm(at, wanted) {
  while (at && (at.nodeName !== "FORM" || goesWhere(at) !== goesWhere(wanted))) at = at.nextSibling;
  return at;
}

/** @param {Element} old @param {Element} fresh */
export function attributes(old, fresh) {
  /** Opened by hand: not ours to close; held by `hold`; and set by `older.js`. @param {string} name */
  const own = (name) =>
    (name === "open" && old.nodeName === "DETAILS") ||
    (name === "tabindex" && old === document.activeElement) ||
    name === "style" ||
    name.startsWith("data-older");
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !own(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value && !own(name)) old.setAttribute(name, value);
  }
}

/** Renew a part of the page as `fresh` has it, but for what was touched there. @param {Element} part @param {Element | DocumentFragment} fresh */
export function renew(part, fresh) {
  const earlier = choicesIn(part);
  morph(part, fresh);
  leaveChoices(part, earlier);
}

// What is pressed is what lay under the finger when it came down: until it is lifted nothing moves there.
/** @param {() => void} change */
export function untouched(change) {
  waiting.push(change);
  if (!touched) lifted();
}

function lifted() {
  clearTimeout(touched);
  touched = 0;
  for (const change of waiting.splice(0)) change();
}

// A page as it is now; nothing of it while there is no connection: it is asked for once more in a while.
/** @param {string} url */
async function pageAt(url) {
  try {
    const answer = await fetch(url);
    return await answer.text();
  } catch {
    return "";
  }
}

/** Fetch what follows others without a stream of its own. */
export async function afresh() {
  if (document.hidden) return;
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-afresh]"))) {
    const page = await pageAt(part.dataset.afresh || location.href);
    const wanted = new DOMParser().parseFromString(page, "text/html").getElementById(part.id);
    if (wanted && !("afresh" in wanted.dataset)) return location.reload(); // this phone is another by now: so is its page
    if (wanted)
      untouched(() => {
        attributes(part, wanted);
        renew(part, wanted);
      });
  }
}

if (!document.body.dataset.stream) {
  // what a stream brings says when
  afresh();
  setInterval(afresh, AFRESH);
}

// Of many seats in a strip, the one that is shown is in view.
for (const own of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".own-seats > [aria-current]"))) {
  const strip = own.parentElement;
  strip.scrollLeft +=
    own.getBoundingClientRect().left - strip.getBoundingClientRect().left - (strip.clientWidth - own.offsetWidth) / 2;
}

// What acts when it is touched may move then.
document.addEventListener("pointerdown", (event) => {
  clearTimeout(touched);
  touched = /** @type {Element} */ (event.target).closest("[data-at-once]") ? 0 : setTimeout(lifted, TOUCH);
});
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => setTimeout(lifted, CLICK));
document.addEventListener("click", () => clicked.port2.postMessage(0));
clicked.port1.onmessage = lifted;
