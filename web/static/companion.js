// The page's own script: keeps the live part fresh, sends forms without leaving the page.
import { afresh, attributes, renew, untouched } from "./afresh.js";
import { forget } from "./choices.js";
import { AGAIN, connection, follow, listen } from "./stream.js";

const SOON = 150; // ms within which an answer is at once: later, what was tapped shows that it is under way
const NEWS_FIRST = 400; // ms by which the focus, which is read out, follows what is said: 100 were too few for Orca
const HEIRS = ["#now, #now-ended, #now-over, .now", "h1", "h2"]; // what takes the focus of what is gone
const PATIENCE = 10000; // ms until a form that brings no answer is given up
export const live = document.getElementById("live");
export const toast = document.getElementById("toast");
let newest = ""; // what came last
/** @type {HTMLElement | null} */
let heir = null; // what is about to take the focus
let lost = false; // whether the page is to be loaded again, once nothing is being sent
let shown = 0;

// What is being sent may be why: its answer says where to go, and by what this phone is known from now on.
function anew() {
  lost = true;
  history.scrollRestoration = "manual"; // the way to one's seat comes at the top
  if (!sending.size && !leaving) location.reload();
}

let leaving = false; // on a slow network the page is still there for a while, and hears what goes on

/** @param {string} to */
function leave(to) {
  leaving = true;
  if (connection.source) location.assign(to);
  else location.replace(to); // nobody goes back to a code that is used
}

// Who asks is told again what is shown already.
/** @param {string} html */
async function comes(html) {
  if (html === newest && !connection.begins) return;
  newest = html;
  const [, sheet] = / data-sheet="([^"]+)"/.exec(html) ?? [];
  if (sheet && !hasSheet(sheet)) {
    await sheetComes(sheet);
    if (html !== newest) return;
  }
  untouched(() => show(html));
}

// How a game looks comes with its first match on this page; until then what was shown before stays.
/** @type {Map<string, Promise<void>>} */
const coming = new Map(); // a game's style sheet that is under way → when it is there
const OLDER = ".older.css"; // what an older browser gets instead

/** @param {string} sheet */
function asRead(sheet) {
  return document.querySelector(`link[href*="${OLDER}"]`) ? sheet.replace(".css", OLDER) : sheet;
}

/** @param {string} sheet */
function hasSheet(sheet) {
  return !coming.has(sheet) && document.querySelector(`link[rel=stylesheet][href$="${asRead(sheet)}"]`) !== null;
}

/** @param {string} sheet */
function sheetComes(sheet) {
  if (!coming.has(sheet)) {
    const link = document.createElement("link");
    /** @type {Promise<void>} */
    const arrival = new Promise((arrived) => {
      link.onload = () => arrived();
      link.onerror = () => arrived();
      setTimeout(arrived, AGAIN); // what is told matters more than how it looks
    });
    arrival.then(() => coming.delete(sheet));
    coming.set(sheet, arrival);
    link.rel = "stylesheet";
    link.href = asRead(sheet);
    document.head.append(link);
  }
  return coming.get(sheet);
}

// What the live part shows, as its elements say: by that, style sheets lay out the page.
/** @param {DocumentFragment} part */
function allShown(part) {
  /** @type {NodeListOf<HTMLElement>} */
  const saying = part.querySelectorAll("[data-shows]");
  return [...saying].map((element) => element.dataset.shows).join(" ");
}

/** @param {string} html */
function show(html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  // What stands around the live part is a game's, and the way to one's own seat and to the next match.
  for (const of of ["game", "held"]) {
    const wanted = fresh.content.querySelector(`[data-${of}]`)?.getAttribute(`data-${of}`);
    if ((document.body.dataset[of] ?? wanted) === wanted) continue;
    if (of === "held") sessionStorage.setItem("seated", "perhaps");
    anew();
  }
  const above = within(document.activeElement);
  const went = !connection.begins && !live.querySelector("[data-after]"); // where it ends, what comes next stands at the top
  const broke = live.querySelector(".news.break"); // what stands there after it was seen before it
  const said = live.querySelector(".news:not([data-moment])")?.id; // a screen that opens later hides it no more
  const stays = underThumb();
  live.dataset.shows = allShown(fresh.content);
  renew(live, fresh.content);
  const missed =
    connection.begins ||
    broke ||
    performance.now() < connection.late ||
    (said && live.querySelector("[data-moment]")?.id === said);
  still();
  if (told(toast.textContent)) toast.textContent = "";
  stand();
  // What the page said as it opened is old once something has happened.
  if (connection.begins) opened = tells();
  else if (tells() !== opened) document.querySelector("body > .answer")?.remove();
  if (!toast.textContent) toast.className = "";
  if (missed) settle();
  stays();
  const focused = heirOf(above);
  if (went && live.querySelector("[data-after]")) scrollTo(0, 0);
  shown += 1;
  unanswered.clear();
  live.dispatchEvent(new CustomEvent("fresh", { detail: { missed, focused } }));
  if (focused && focused !== heir) setTimeout(() => focus(focused), NEWS_FIRST);
  if (focused) heir = focused;
  connection.begins = false;
}

// One thing of many has changed: the page holds it by its id.
/** @param {string} html */
function part(html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  const wanted = fresh.content.firstElementChild;
  const have = document.getElementById(wanted.id);
  if (have) {
    attributes(have, wanted);
    renew(have, wanted);
  }
}

// Only what is seen to happen moves: a moment that was there first, or came while nobody could see it, shows how it ended.
let ended = ""; // its id

function settle() {
  const moment = live.querySelector("[data-moment]");
  if (moment) ended = moment.id;
  still();
}

function still() {
  live.toggleAttribute("data-ended", Boolean(ended && live.querySelector(`[data-moment]#${ended}`)));
}

// The element and what it stands in, up to the live part; nothing if it stands elsewhere.
/** @param {Element} element */
function within(element) {
  /** @type {HTMLElement[]} */
  const above = [];
  for (
    let around = /** @type {HTMLElement} */ (element);
    around && live.contains(around);
    around = around.parentElement
  )
    above.push(around);
  return above;
}

// A question comes and goes above what a thumb is about to hit, and does not push it: the page scrolls by as much.
function underThumb() {
  const asked = live.querySelector(".question"),
    hit = live.querySelector(".mine button"),
    top = hit?.getBoundingClientRect().top;
  return () => {
    if (!asked === !live.querySelector(".question") || !hit?.isConnected) return;
    scrollBy({ top: hit.getBoundingClientRect().top - top, behavior: "instant" });
  };
}

// If what had the focus is gone, the sentence that says what to do now gets it: a screen reader reads all of what it is
// set on, and the first line of a paragraph twice, so it is none. Otherwise it stays where it is, whoever moves.
/** @param {HTMLElement[]} above @returns {HTMLElement | null} */
function heirOf(above) {
  const [focused] = above;
  if (focused ? focused.isConnected && !focused.matches(":disabled") : !heir) return null;
  return HEIRS.map((wanted) => /** @type {HTMLElement} */ (live.querySelector(wanted))).find(Boolean) ?? null;
}

/** @param {HTMLElement} element */
function focus(element) {
  if (element !== heir) return; // something else has come to take it
  heir = null;
  const isRead = element.isConnected && !live.contains(document.activeElement); // or somebody was quicker
  if (isRead) {
    if (!element.hasAttribute("tabindex")) element.tabIndex = -1;
    element.focus({ preventScroll: true });
  }
  live.dispatchEvent(new CustomEvent("inherited", { detail: { isRead } }));
}

/**
 * An act as it was done: the form, the button, where it is sent, what it says, and the number by which it counts once.
 * @typedef {{ form: HTMLFormElement, by: HTMLButtonElement | null, to: string, body: URLSearchParams, once: string }} Act
 * @typedef {{ ok: boolean, message: string, go: string }} Answer
 */
/** @type {Map<string, Act>} */
const sending = new Map(); // acts under way, as they were done: each waits for the answer to the one before
/** @type {Map<string, string>} */
const unanswered = new Map(); // acts that brought no answer: sent again from the same page, each is still the same act

/** @param {HTMLFormElement} form @param {HTMLButtonElement | null} by */
function send(form, by) {
  const fields = /** @type {Iterable<[string, string]>} */ (new FormData(form));
  const body = new URLSearchParams([...fields]);
  if (by?.name) body.append(by.name, by.value);
  const to = by?.getAttribute("formaction") || form.getAttribute("action");
  const act = `${tells()} ${to}?${body}`; // the next act may be offered by the same button, and say the same
  if (sending.has(act)) return; // a double click is one act
  const once = unanswered.get(act) ?? crypto.getRandomValues(new Uint32Array(4)).join("-");
  body.set("once", once);
  sending.set(act, { form, by, to, body, once });
  if (sending.size === 1) inOrder();
}

async function inOrder() {
  for (const [act, what] of sending) {
    const reached = await answered(act, what);
    sending.delete(act);
    if (!reached) sending.clear(); // what was to follow is not done by itself, seconds later
  }
}

// Send an act; return whether the table answered. Only what the network does is told as the network's.
/** @param {string} act @param {Act} how */
async function answered(act, { form, by, to, body, once }) {
  const before = shown;
  asked = tells();
  const slow = setTimeout(() => form.toggleAttribute("data-sending", true), SOON); // which button it was may be a secret
  for (const one of document.querySelectorAll(".unsent")) one.classList.remove("unsent");
  const answer = await posted(to, body);
  clearTimeout(slow);
  if (answer) {
    unanswered.delete(act);
    take(answer, form);
  } else {
    if (before === shown) {
      unanswered.set(act, once);
      by?.classList.add("unsent");
    }
    say(document.body.dataset[before === shown ? "unsent" : "perhaps"], true);
    if (lost) location.reload();
  }
  if (!leaving) form.toggleAttribute("data-sending", false);
  return Boolean(answer);
}

// What the table answers; null if nothing, or nothing of its own, comes in time.
/** @param {string} to @param {URLSearchParams} body @returns {Promise<Answer | null>} */
async function posted(to, body) {
  const patience = new AbortController();
  const late = setTimeout(() => patience.abort(), PATIENCE);
  try {
    const answer = await fetch(to, {
      method: "POST",
      body,
      headers: { Accept: "application/json" },
      signal: patience.signal,
    });
    const { message, go } = await answer.json();
    return { ok: answer.ok, message, go };
  } catch {
    return null;
  } finally {
    clearTimeout(late);
  }
}

/** @param {Answer} answer @param {HTMLFormElement} form */
function take({ ok, message, go }, form) {
  say(message, !ok);
  if (ok) forget(form);
  else lacking(form);
  if (go) sessionStorage.removeItem("seated");
  if (go === location.pathname && live.querySelector("[data-held]") && !("held" in document.body.dataset)) {
    sessionStorage.setItem("seated", "perhaps"); // who asks for a seat finds here that they wait, and is led to it
    anew();
  }
  if (go && (!connection.source || go !== location.pathname)) leave(go);
  else if (lost) location.reload();
  else if (ok && "anew" in form.dataset) listen(); // what this phone is told differs from now on
}

let quiet = 0;
let came = 0; // when the answer came
let opened = ""; // what the page told first
let asked = ""; // what the page told when the answered act was done

const tells = () => `${live.querySelector(".news")?.id} ${live.querySelector(".now")?.textContent}`;

// An answer stands for a while if the page stays as it was; if it has moved on, until it is read.
function stand() {
  const [stands, read] = toast.classList.contains("wrong") ? [12000, 5000] : [5000, 2000];
  clearTimeout(quiet);
  quiet = setTimeout(
    () => {
      toast.textContent = "";
    },
    came + (tells() === asked ? stands : read) - performance.now()
  );
}

// What is news on the page, in the judge's words behind its "Why?", is not said twice.
/** @param {string} message */
const told = (message) => live.querySelector(".news .why p")?.textContent === message;

/** @param {string} message @param {boolean} wrong */
function say(message, wrong) {
  toast.textContent = told(message) ? "" : message || "";
  toast.className = toast.textContent && (wrong ? "stands wrong" : "stands");
  came = performance.now();
  stand();
}

// What was refused for want of a name is typed there.
/** @param {HTMLFormElement} form */
function lacking(form) {
  const name = /** @type {HTMLInputElement | null} */ (form.elements.namedItem("name"));
  if (name?.type !== "text" || name.value.trim() || !name.getClientRects().length) return;
  name.setAttribute("aria-invalid", "true");
  name.focus();
}

document.addEventListener("input", (event) => /** @type {Element} */ (event.target).removeAttribute("aria-invalid"));
/** @type {HTMLButtonElement | null} */
let pressed = null; // the button of the form that is sent next; not every browser says which it is
document.addEventListener(
  "click",
  (event) => {
    pressed = /** @type {Element} */ (event.target).closest("button:not([type=button])");
  },
  true
);
document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.dataset.plain !== undefined || window.plainly) return;
  if (form.dataset.sure && !confirm(form.dataset.sure)) return event.preventDefault();
  send(form, pressed?.form === form ? pressed : null);
  event.preventDefault(); // only now: if this script can't send it, the browser does
});
// A buzzer acts when it is touched, not when it is let go. (A click without a touch, `detail` 0, is the keyboard's.)
document.addEventListener("pointerdown", (event) => {
  /** @type {HTMLButtonElement | null} */
  const buzzer = /** @type {Element} */ (event.target).closest("[data-at-once]");
  if (buzzer && !event.button) send(buzzer.form, buzzer);
});
document.addEventListener("click", (event) => {
  if (event.detail && /** @type {Element} */ (event.target).closest("[data-at-once]")) event.preventDefault();
});
live.addEventListener("fresh", afresh);
document.addEventListener("gone", (event) => say(/** @type {CustomEvent<string>} */ (event).detail, true));
addEventListener("pageshow", (event) => {
  if (event.persisted) leaving = false;
});
// Whoever is let in is taken to their seat.
/** @type {HTMLAnchorElement | null} */
const own = document.querySelector("a.own");
if (sessionStorage.getItem("seated") && own) leave(own.href);
sessionStorage.removeItem("seated");
settle();
follow({ page: comes, part, refused: anew });
/** @type {NodeListOf<HTMLFormElement>} */
const sentAtLoad = document.querySelectorAll("form[data-at-load]");
for (const form of sentAtLoad) send(form, null);
window.runs = true; // what `plain.js` waits for
