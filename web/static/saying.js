// Says what is new to people who do not look, in one live region that stays: the news first, then the task, each once.
import { live, toast } from "./companion.js";

const STANDS = 10000; // ms that a sentence stays there: a screen reader takes it out of the page late, and must not meet it twice
const ORDER = ["alert", "news", "task"]; // what a page announces, before all else there
const ENDS = /[.!?…]$/; // a sentence that stops by itself
const NEVER_SAID = "[aria-hidden=true], [hidden], form, details, svg"; // pictures, and what may be done about it
const KEPT = `said ${location.pathname}`; // what was said stays known when the page is loaded again
const voice = document.getElementById("voice");
const flash = document.getElementById("flash");
/**
 * A sentence, what kind of thing it says, the mark by which it is the same sentence, and from which wish on it is said.
 * @typedef {{ text: string, of?: string, mark?: string, says?: string, speaker?: string }} Line
 */
/** @type {Set<string> | null} */
let known = stored(); // the marks of what the page said last; null: it has just been opened
/** @type {Line[]} */
let left = []; // what is not said, as the focus is about to read it out

/** @returns {Set<string> | null} */
function stored() {
  try {
    const marks = sessionStorage.getItem(KEPT);
    return marks && new Set(JSON.parse(marks));
  } catch {
    return null;
  }
}

/** @param {Set<string>} marks */
function store(marks) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify([...marks]));
  } catch {
    /* a phone that keeps nothing */
  }
}

export const list = () => document.getElementById("spoken");

/** Return what a seat's own page has to say, in order. @returns {Line[]} */
export function ownLines() {
  /** @type {NodeListOf<HTMLElement>} */
  const items = document.querySelectorAll("#spoken > *");
  return [...items].map(({ textContent: text, dataset }) => ({
    text,
    ...dataset,
    mark: `${dataset.of} ${dataset.mark ?? text}`,
  }));
}

/** @param {Element} element */
function words(element) {
  const copy = /** @type {Element} */ (element.cloneNode(true));
  for (const silent of copy.querySelectorAll(NEVER_SAID)) silent.remove();
  return copy.textContent.replace(/\s+/g, " ").trim();
}

/** Return what the page announces, in the order in which it is said. @returns {Line[]} */
function announced() {
  /** @type {NodeListOf<HTMLElement>} */
  const elements = live.querySelectorAll("[data-announced]");
  return [...elements]
    .map((element) => {
      const text = words(element);
      return { text, of: element.dataset.announced, mark: `${element.id} ${text}`, says: "1" };
    })
    .filter(({ text }) => text)
    .sort((a, b) => rank(a) - rank(b));
}

/** @param {Line} line */
const rank = ({ of }) => (ORDER.indexOf(of) < 0 ? ORDER.length : ORDER.indexOf(of));

/** Say these, unless the phone itself speaks: `speaking.js` then takes them. @param {Line[]} lines */
export function tell(lines) {
  if (!lines.length) return;
  if (!live.dispatchEvent(new CustomEvent("tell", { detail: lines, cancelable: true }))) return;
  // One paragraph: of several that come at once Chromium tells a screen reader in no order.
  const paragraph = document.createElement("p");
  for (const textContent of sentences(lines)) {
    const sentence = document.createElement("span");
    sentence.textContent = textContent;
    paragraph.append(sentence, ENDS.test(textContent) ? " " : ". ");
  }
  voice.append(paragraph);
  setTimeout(() => paragraph.remove(), STANDS);
}

/** Return the lines as sentences: cards that come together are one. @param {Line[]} lines */
export function sentences(lines) {
  /** @type {string[]} */
  const all = [];
  lines.forEach(({ text, of }, at) => {
    if (of === "hand" && lines[at - 1]?.of === "hand") all[all.length - 1] += `, ${text}`;
    else all.push(text);
  });
  return all;
}

/** Say what the page says for the first time. What takes the focus is read out by that. @param {Element | null} focused */
function look(focused) {
  const lines = [...ownLines(), ...announced()];
  const before = known;
  known = new Set(lines.map(({ mark }) => mark));
  store(known);
  if (!before) return;
  const wish = list()?.dataset.wish ?? "1";
  const isSpokenByPhone = list()?.dataset.speaker === "page";
  const readOut = focused && !isSpokenByPhone ? words(focused) : null;
  const news = lines.filter(({ mark, says }) => !before.has(mark) && says <= wish);
  if (readOut !== null) left = [...left, ...news].filter(({ text }) => readOut.endsWith(text));
  tell(news.filter(({ text }) => !readOut?.endsWith(text)));
}

live.addEventListener("fresh", (event) => look(/** @type {Fresh} */ (event).detail.focused));
live.addEventListener("inherited", (event) => {
  const { isRead } = /** @type {CustomEvent<{ isRead: boolean }>} */ (event).detail;
  if (!isRead) tell(left.filter(({ mark }) => known.has(mark)));
  left = [];
});
if (!known) look(null); // what was missed is said once the stream has begun: a screen reader hears no page that loads

/** What the table answers is said too. @param {HTMLElement} answer @param {() => boolean} isSaid */
function hear(answer, isSaid) {
  new MutationObserver(() => {
    if (answer.textContent && isSaid()) tell([{ of: "answer", text: answer.textContent }]);
  }).observe(answer, { childList: true });
}

hear(toast, () => true);
if (flash) hear(flash, () => list()?.dataset.aloud === undefined); // who plays by ear is told their card in full
