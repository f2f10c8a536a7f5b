// The page's own script: keeps the live part fresh, says when it is old, sends forms without leaving the page.
"use strict";
const SILENCE = 9000; // ms without a sign of life (one comes every 4 s) after which what is shown is old
const LATE = 6000; // ms without one after which what comes was long under way
const SOON = 150; // ms within which an answer is at once: later, what was tapped shows that it is under way
const PATIENCE = 10000; // ms until a form that brings no answer is given up
const AGAIN = 5000; // ms until a connection that brings nothing is tried afresh
const ASKS = 3000; // ms between two answers to a page that asks every second, at the most
const live = document.getElementById("live");
const oldNotice = document.getElementById("old");
const toast = document.getElementById("toast");
let source = null;
let holding = true; // whether it is a stream, and not asked for again every second
let newest = ""; // what came last
let heard = performance.now();
let tried = 0;
let dropped = false;
let lost = false;
let first = true;
let late = 0;
let shown = 0;

function listen() {
  if (!document.body.dataset.stream) return; // a page that stays as it is
  if (source) source.close();
  tried = performance.now();
  holding = mayHold();
  source = new EventSource(document.body.dataset.stream + (holding ? "" : "&once"));
  // Also if the browser has reconnected by itself; but who asks every second misses nothing.
  source.onopen = () => {
    first = first || holding || performance.now() - heard > ASKS;
  };
  source.onmessage = (message) => {
    alive();
    comes(message.data);
  };
  source.addEventListener("tick", alive);
  source.addEventListener("part", (message) => {
    alive();
    untouched(() => part(message.data));
  });
  source.addEventListener("not-yours", () => {
    source.close();
    anew();
  });
  source.onerror = () => {
    dropped = holding;
  }; // an answer to a question ends
}

// What is being sent may be why: its answer says where to go, and by what this phone is known from now on.
function anew() {
  lost = true;
  history.scrollRestoration = "manual"; // the way to one's seat comes at the top
  if (!sending.size && !leaving) location.reload();
}

let leaving = false; // on a slow network the page is still there for a while, and hears what goes on

function leave(to) {
  leaving = true;
  if (source) location.assign(to);
  else location.replace(to); // nobody goes back to a code that is used
}

function hangUp() {
  source?.close();
  release();
}

function alive() {
  const now = performance.now();
  if (now - heard > LATE) late = now + 1000; // what was kept waiting comes all at once
  heard = now;
  dropped = false;
  oldNotice.hidden = true;
  document.body.classList.remove("stale");
}

// Who asks is told again what is shown already.
async function comes(html) {
  if (html === newest && !first) return;
  newest = html;
  const [, sheet] = / data-sheet="([^"]+)"/.exec(html) ?? [];
  if (sheet && !hasSheet(sheet)) {
    await sheetComes(sheet);
    if (html !== newest) return;
  }
  untouched(() => show(html));
}

// How a game looks comes with its first match on this page; until then what was shown before stays.
const coming = new Map(); // a game's style sheet that is under way → when it is there
const OLDER = ".older.css"; // what an older browser gets instead

function asRead(sheet) {
  return document.querySelector(`link[href*="${OLDER}"]`) ? sheet.replace(".css", OLDER) : sheet;
}

function hasSheet(sheet) {
  return !coming.has(sheet) && document.querySelector(`link[rel=stylesheet][href$="${asRead(sheet)}"]`) !== null;
}

function sheetComes(sheet) {
  if (!coming.has(sheet)) {
    const link = document.createElement("link");
    const arrival = new Promise((arrived) => {
      link.onload = arrived;
      link.onerror = arrived;
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

function show(html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  // What stands around the live part is a game's, and the way to one's own seat and to the next match.
  for (const of of ["game", "held"]) {
    const wanted = fresh.content.querySelector(`[data-${of}]`)?.dataset[of];
    if ((document.body.dataset[of] ?? wanted) === wanted) continue;
    if (of === "held") sessionStorage.setItem("seated", "perhaps");
    anew();
  }
  const above = within(document.activeElement);
  const went = !first && !live.querySelector("[data-after]"); // where it ends, what comes next stands at the top
  const broke = live.querySelector(".news.break"); // what stands there after it was seen before it
  const said = live.querySelector(".news:not([data-moment])")?.id; // a screen that opens later hides it no more
  const stays = underThumb();
  renew(live, fresh.content);
  const missed =
    first || broke || performance.now() < late || (said && live.querySelector("[data-moment]")?.id === said);
  still();
  if (told(toast.textContent)) toast.textContent = "";
  stand();
  // What the page said as it opened is old once something has happened.
  if (first) opened = tells();
  else if (tells() !== opened) document.querySelector("body > .answer")?.remove();
  if (!toast.textContent) toast.className = "";
  if (missed) settle();
  stays();
  hold(above);
  if (went && live.querySelector("[data-after]")) scrollTo(0, 0);
  shown += 1;
  unanswered.clear();
  live.dispatchEvent(new CustomEvent("fresh", { detail: { missed } }));
  first = false;
}

// One thing of many has changed: the page holds it by its id.
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
function within(element) {
  const above = [];
  for (let one = element; one && live.contains(one); one = one.parentElement) above.push(one);
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

// Keyboard users go on where they were, or, if that is gone, in what it stood in.
function hold(above) {
  const left = above.find((one) => one.isConnected && !one.disabled);
  if (!left || left === document.activeElement) return;
  if (left !== above[0] && !left.hasAttribute("tabindex")) left.tabIndex = -1;
  left.focus({ preventScroll: true });
}

const sending = new Map(); // acts under way, as they were done: each waits for the answer to the one before
const unanswered = new Map(); // acts that brought no answer: sent again from the same page, each is still the same act

function send(form, by) {
  const body = new URLSearchParams(new FormData(form));
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

function take({ ok, message, go }, form) {
  say(message, !ok);
  if (ok) forget(form);
  else lacking(form);
  if (go) sessionStorage.removeItem("seated");
  if (go === location.pathname && live.querySelector("[data-held]") && !("held" in document.body.dataset)) {
    sessionStorage.setItem("seated", "perhaps"); // who asks for a seat finds here that they wait, and is led to it
    anew();
  }
  if (go && (!source || go !== location.pathname)) leave(go);
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
const told = (message) => live.querySelector(".news .why p")?.textContent === message;

function say(message, wrong) {
  toast.textContent = told(message) ? "" : message || "";
  toast.className = toast.textContent && (wrong ? "stands wrong" : "stands");
  came = performance.now();
  stand();
}

// What was refused for want of a name is typed there.
function lacking(form) {
  const name = form.elements.namedItem("name");
  if (name?.type !== "text" || name.value.trim() || !name.getClientRects().length) return;
  name.setAttribute("aria-invalid", "true");
  name.focus();
}

document.addEventListener("input", (event) => event.target.removeAttribute("aria-invalid"));
let pressed = null; // the button of the form that is sent next; not every browser says which it is
document.addEventListener(
  "click",
  ({ target }) => {
    pressed = target.closest("button:not([type=button])");
  },
  true
);
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.plain !== undefined || window.plainly) return;
  if (form.dataset.sure && !confirm(form.dataset.sure)) return event.preventDefault();
  send(form, pressed?.form === form ? pressed : null);
  event.preventDefault(); // only now: if this script can't send it, the browser does
});
// A buzzer acts when it is touched, not when it is let go. (A click without a touch, `detail` 0, is the keyboard's.)
document.addEventListener("pointerdown", (event) => {
  const buzzer = event.target.closest("[data-at-once]");
  if (buzzer && !event.button) send(buzzer.form, buzzer);
});
document.addEventListener("click", (event) => {
  if (event.detail && event.target.closest("[data-at-once]")) event.preventDefault();
});
live.addEventListener("fresh", afresh);
document.addEventListener("gone", ({ detail }) => say(detail, true));
// A page nobody sees holds no connection; seen again, it asks for the newest at once.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) hangUp();
  else listen();
});
addEventListener("pagehide", hangUp);
addEventListener("pageshow", (event) => {
  if (event.persisted) {
    leaving = false;
    listen();
  }
});
document.addEventListener("resume", () => {
  if (!document.hidden) listen();
});
// A phone that says it is offline may still reach a table it runs on: only asking tells.
for (const change of ["online", "offline"])
  addEventListener(change, () => {
    if (!document.hidden) listen();
  });

// Refused, not lost: meanwhile the seat has gone to another phone.
async function again() {
  tried = performance.now();
  try {
    const answer = await fetch(document.body.dataset.stream, { method: "HEAD" });
    if (answer.status === 403) return location.reload();
  } catch {
    /* still no connection */
  }
  listen();
}

let apart = Date.now() - performance.now();

setInterval(() => {
  if (!source) return;
  if (!document.hidden && mayHold() !== holding) listen();
  const now = Date.now() - performance.now();
  if (Math.abs(now - apart) > LATE) {
    // the clock of one stood still: the phone slept, or was told the time
    apart = now;
    dropped = true;
    if (!document.hidden) listen();
  }
  const silent = performance.now() - heard;
  if (document.hidden || !(silent > SILENCE || (dropped && silent > 2000))) return;
  oldNotice.hidden = false;
  document.body.classList.add("stale");
  const closed = source.readyState === EventSource.CLOSED;
  if ((closed || silent > SILENCE) && performance.now() - tried > (closed ? 1000 : AGAIN)) {
    if (closed) again();
    else listen();
  }
}, 1000);
// Whoever is let in is taken to their seat.
const own = document.querySelector("a.own");
if (sessionStorage.getItem("seated") && own) leave(own.href);
sessionStorage.removeItem("seated");
settle();
listen();
for (const form of document.querySelectorAll("form[data-at-load]")) send(form);
window.runs = true; // what `plain.js` waits for
