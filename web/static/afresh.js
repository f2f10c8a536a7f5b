// Changes on a page that stays: only what differs, never under a finger, and what has no stream is fetched now and then.
"use strict";
const TOUCH = 700; // ms for which nothing moves under a finger
const CLICK = 50; // ms from its lifting to its click, if that was one
const AFRESH = 3000; // ms after which what has no stream of its own is fetched once more
let touched = 0; // the timer of the finger that lies on the page
const waiting = []; // what came meanwhile
const clicked = new MessageChannel(); // tells when all that a click does is done

// Make `old`'s children like `fresh`'s, touching only what differs: focus, scroll and what is being typed stay.
function morph(old, fresh) {
  const kept = new Map([...old.children].filter((child) => child.id).map((child) => [child.id, child]));
  const stays = new Set([...fresh.children].map((child) => child.id).filter(Boolean));
  let at = old.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    const named = wanted.id ? kept.get(wanted.id) : wanted.nodeName === "FORM" ? sameForm(at, wanted) : null;
    // What is gone goes first: what stays must not be moved, or it would lose the focus and be read out again.
    while (at && at !== named && (at.id ? !stays.has(at.id) : named)) {
      const next = at.nextSibling;
      at.remove();
      at = next;
    }
    if (named && named !== at) old.insertBefore(named, at);
    const have = named || at;
    if (
      have &&
      have.nodeName === wanted.nodeName &&
      (have.id || "") === (wanted.id || "") &&
      goesWhere(have) === goesWhere(wanted)
    ) {
      at = have.nextSibling;
      if (have.nodeType === Node.ELEMENT_NODE) {
        attributes(have, wanted);
        morph(have, wanted);
      } else if (have.data !== wanted.data) have.data = wanted.data;
    } else old.insertBefore(wanted, at);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

const goesWhere = (node) => (node.nodeName === "FORM" ? node.getAttribute("action") : "");

// The next form that goes to the same address: somebody may be typing in it.
function sameForm(at, wanted) {
  while (at && (at.nodeName !== "FORM" || goesWhere(at) !== goesWhere(wanted))) at = at.nextSibling;
  return at;
}

function attributes(old, fresh) {
  // Opened by hand: not ours to close; held by `hold`; and set by `older.js`.
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

// What is pressed is what lay under the finger when it came down: until it is lifted nothing moves there.
function untouched(change) {
  waiting.push(change);
  if (!touched) lifted();
}

function lifted() {
  clearTimeout(touched);
  touched = 0;
  for (const change of waiting.splice(0)) change();
}

// A page as it is now; nothing of it while there is no connection: it is asked for once more in a while.
async function pageAt(url) {
  try {
    const answer = await fetch(url);
    return await answer.text();
  } catch {
    return "";
  }
}

// What follows others without a stream of its own.
async function afresh() {
  if (document.hidden) return;
  for (const part of document.querySelectorAll("[data-afresh]")) {
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
for (const own of document.querySelectorAll(".own-seats > [aria-current]")) {
  const strip = own.parentElement;
  strip.scrollLeft +=
    own.getBoundingClientRect().left - strip.getBoundingClientRect().left - (strip.clientWidth - own.offsetWidth) / 2;
}

// What acts when it is touched may move then.
document.addEventListener("pointerdown", (event) => {
  clearTimeout(touched);
  touched = event.target.closest("[data-at-once]") ? 0 : setTimeout(lifted, TOUCH);
});
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => setTimeout(lifted, CLICK));
document.addEventListener("click", () => clicked.port2.postMessage(0));
clicked.port1.onmessage = lifted;
