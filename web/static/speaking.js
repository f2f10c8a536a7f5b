// Reads a seat's page aloud to its player, where they asked for it: only what is new, their own card before all else.
import { live, toast } from "./companion.js";

const KEPT = 8; // sentences that stay where a screen reader finds them
const FIRST = ["unread", "card", "hand"]; // in this order before the rest; none of them is left out
const said = document.getElementById("said");
const byReader = document.getElementById("by-reader");
const choice = byReader.querySelector("input");
const voice = window.speechSynthesis;
/** @typedef {{ text: string, of?: string, mark?: string, says?: string, told?: string }} Line */
/** @type {Set<string> | null} */
let known = null; // the marks of what the page said last
/** @type {Line[]} */
let waiting = [];
/** @type {Line[]} */
let latest = []; // what was said last, to be said again
/** @type {SpeechSynthesisUtterance | null} */
let talking = null;
let touched = false;

try {
  choice.checked = localStorage.getItem("voice") === "reader";
} catch {
  /* a phone that keeps nothing */
}
const speaks = () => voice && !choice.checked;
const list = () => document.getElementById("spoken");
/** @returns {Line[]} */
function lines() {
  /** @type {NodeListOf<HTMLElement>} */
  const said = document.querySelectorAll("#spoken > *");
  return [...said].map(({ textContent: text, dataset }) => ({ text, ...dataset }));
}
/** @param {Line} line */
const rank = ({ of }) => (FIRST.includes(of) ? FIRST.indexOf(of) : FIRST.length);

/** @param {Line[]} some */
function tell(some) {
  if (!some.length) return;
  if (!talking && !waiting.length) latest = [];
  latest.push(...some);
  const newer = new Set(some.map(({ of }) => of).filter((of) => !FIRST.includes(of)));
  waiting = [...waiting.filter(({ of }) => !newer.has(of)), ...some].sort((a, b) => rank(a) - rank(b));
  next();
}

// One sentence after the other: none is cut short. Browsers say nothing before the page was touched.
function next() {
  if (!speaks()) {
    for (const { text } of waiting.splice(0))
      said.append(Object.assign(document.createElement("p"), { textContent: text }));
    while (said.children.length > KEPT) said.firstChild.remove();
  }
  if (talking && !voice.speaking && !voice.pending) talking = null; // some browsers forget to say that it is over
  if (talking || !touched || !waiting.length) return;
  const one = new SpeechSynthesisUtterance(waiting.shift().text);
  talking = one;
  one.lang = document.documentElement.lang;
  one.onend = one.onerror = () => {
    if (talking === one) {
      talking = null;
      next();
    }
  };
  voice.speak(one);
}

function hush() {
  waiting = [];
  talking = null;
  voice?.cancel();
  said.replaceChildren();
}

const standing = () =>
  lines()
    .filter(({ of, told }) => of !== "card" && of !== "why" && told === undefined)
    .map((line) => ({ ...line, of: "standing" }));

// The page is announced by one of the two, never by both.
function arrange() {
  byReader.hidden = !list() || !voice;
  for (const id of ["flash", "toast"]) {
    if (list()) document.getElementById(id).removeAttribute("role");
    else document.getElementById(id).setAttribute("role", "status");
  }
}

/** @param {boolean} missed */
function look(missed) {
  arrange();
  const now = lines();
  const before = known;
  known = list() && new Set(now.map(({ mark }) => mark));
  if (!known) return before ? hush() : undefined;
  if (!before) return tell(standing());
  const wish = list().dataset.wish;
  tell(
    now.filter(
      ({ mark, says, told, of }) =>
        !before.has(mark) && told === undefined && (says <= wish || (missed && of === "task"))
    )
  );
}

live.addEventListener("fresh", (event) => look(/** @type {Fresh} */ (event).detail.missed));
look(true);
new MutationObserver(() => {
  if (list() && toast.textContent) tell([{ of: "toast", text: toast.textContent }]);
}).observe(toast, { childList: true });
live.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (target.closest("#to-reading")) {
    const fold = /** @type {HTMLDetailsElement} */ (document.getElementById("reading"));
    fold.open = true;
    setTimeout(() => /** @type {HTMLElement} */ (fold.querySelector("input:not([type=hidden]), button")).focus()); // after the link has led there
  }
  const asked = target.closest("[data-say]")?.getAttribute("data-say");
  if (!asked) return;
  touched = true;
  const wanted = asked === "where" ? standing() : latest.slice();
  const enough = asked === "where" && waiting.some(({ of }) => of === "standing"); // asked again, it falls silent
  hush();
  if (enough) return;
  tell(wanted);
});
choice.addEventListener("change", () => {
  try {
    localStorage.setItem("voice", choice.checked ? "reader" : "page");
  } catch {
    /* a phone that keeps nothing */
  }
  hush();
  tell(standing());
});
for (const touch of ["pointerup", "keydown", "click"]) {
  document.addEventListener(touch, () => {
    if (!touched) {
      touched = true;
      next();
    }
  });
}
addEventListener("pagehide", hush);
