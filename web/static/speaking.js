// A seat that is played by ear: what its player asks for, and the phone's own voice, where no screen reader speaks.
import { live } from "./companion.js";
import { list, ownLines, sentences, tell } from "./saying.js";

const FIRST = ["unread", "card", "stop"]; // in this order before the rest
const STATES = /^(turn|task|reach|awaited|left|points-|pile-)/; // what no longer holds is left out; nothing else ever is
const LONG = 3; // waiting sentences from which on the phone speaks faster
const FASTER = 1.35;
/** @typedef {import("./saying.js").Line} Line */
/** @typedef {{ says: string, of?: string }} Waiting */
// The keys that neither browsers nor screen readers use: not letters, which those take for themselves.
/** @type {Record<string, () => void>} */
const KEYS = { F2: shout, F4: () => answer("news"), F8: () => answer("standing") };
const voice = window.speechSynthesis;
/** @type {Line[]} */
let waiting = [];
/** @type {Line[]} */
let latest = []; // what was said last, to be said again
/** @type {SpeechSynthesisUtterance | null} */
let talking = null;
let touched = false;
let reads = list()?.dataset.aloud !== undefined;

// Who listens has said who speaks; a phone without a voice leaves it to the screen reader.
const speaks = () => Boolean(voice) && list()?.dataset.speaker === "page";
/** @param {Line} line */
const rank = ({ of }) => (FIRST.includes(of) ? FIRST.indexOf(of) : FIRST.length);

/** @param {Line[]} lines */
function speak(lines) {
  if (!talking && !waiting.length) latest = [];
  latest.push(...lines);
  const newer = new Set(lines.map(({ of }) => of).filter((of) => STATES.test(of)));
  waiting = [...waiting.filter(({ of }) => !newer.has(of)), ...lines].sort((a, b) => rank(a) - rank(b));
  next();
}

// One sentence after the other: none is cut short. Browsers say nothing before the page was touched.
function next() {
  if (talking && !voice.speaking && !voice.pending) talking = null; // some browsers forget to say that it is over
  if (talking || !touched || !waiting.length) return;
  const one = new SpeechSynthesisUtterance(waiting.shift().text);
  talking = one;
  one.lang = document.documentElement.lang;
  if (waiting.length >= LONG) one.rate = FASTER;
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
}

/** What a player asks for, in one sentence after the other. @type {Record<string, () => Line[]>} */
const ANSWERS = {
  standing: () => ownLines().filter(({ of }) => !["card", "news", "why"].includes(of)),
  news: () => {
    const told = ownLines().filter(({ of }) => of === "news");
    const why = ownLines().filter(({ of }) => of === "why");
    return told.length ? [...told.slice(-3), ...why] : ANSWERS.standing();
  },
  again: () => latest.slice(),
};

function shout() {
  /** @type {HTMLElement | null} */
  const button = live.querySelector("[aria-keyshortcuts=F2], button[data-at-once]");
  button?.click();
}

/** @param {string} what */
function answer(what) {
  touched = true;
  const wanted = ANSWERS[what]().map((line) => ({ ...line, of: line.of === "hand" ? "hand" : "answer" }));
  const isSaid = what !== "again" && (talking !== null || waiting.length) && latest.some(({ of }) => of === "answer");
  hush();
  if (!isSaid) tell(wanted); // asked again meanwhile, it falls silent
}

live.addEventListener("tell", (event) => {
  const lines = /** @type {CustomEvent<Line[]>} */ (event).detail;
  if (!speaks()) {
    latest = lines;
    return;
  }
  event.preventDefault();
  speak(lines);
});

live.addEventListener("fresh", () => {
  const read = reads;
  reads = list()?.dataset.aloud !== undefined;
  if (!reads && read) hush();
  else if (reads && !read) answer("standing");
});

live.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (target.closest("#to-reading")) {
    const fold = /** @type {HTMLDetailsElement} */ (document.getElementById("reading"));
    fold.open = true;
    setTimeout(() => /** @type {HTMLElement} */ (fold.querySelector("input:not([type=hidden]), button")).focus()); // after the link has led there
  }
  const asked = target.closest("[data-say]")?.getAttribute("data-say");
  if (asked) answer(asked);
});
document.addEventListener("keydown", (event) => {
  const act = KEYS[event.key];
  if (!act || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.repeat) return;
  event.preventDefault();
  act();
});
// Only the phone's own voice is overheard.
live.addEventListener("change", needEarphone);
live.addEventListener("fresh", needEarphone);
function needEarphone() {
  const earphone = /** @type {HTMLInputElement | null} */ (document.querySelector("#earphone input"));
  if (!earphone) return;
  const speaker = /** @type {HTMLInputElement | null} */ (document.querySelector("#reading [name=speaker]:checked"));
  earphone.required = speaker?.value === "page";
  earphone.closest("label").hidden = speaker?.value === "reader";
}
for (const touch of ["pointerup", "keydown", "click"]) {
  document.addEventListener(touch, () => {
    if (!touched) {
      touched = true;
      next();
    }
  });
}
addEventListener("pagehide", hush);
