// Keeps the page's connection to its table: a stream, or a question every second; and says when what is shown is old.
import { untouched } from "./afresh.js";

const SILENCE = 9000; // ms without a sign of life (one comes every 4 s) after which what is shown is old
const LATE = 6000; // ms without one after which what comes was long under way
export const AGAIN = 5000; // ms until a connection that brings nothing is tried afresh
const ASKS = 3000; // ms between two answers to a page that asks every second, at the most
const HELD = 3; // streams at a time: the other connections are for acts, and for pages that open
const SIGN = 1500; // ms between two signs of a window that holds one
const ASLEEP = 5000; // ms without a sign after which its stream is free for another
const HOLDS = "stream ";
const ownHold = `${HOLDS}${Math.random().toString(36).slice(2)}`;
const oldNotice = document.getElementById("old");

/**
 * What hears the table: a whole live part, one thing of many, and that this phone may no longer hear it.
 * @typedef {{ page: (html: string) => void, part: (html: string) => void, refused: () => void }} Hearer
 */

export const connection = {
  /** @type {EventSource} */
  source: null,
  holding: true, // whether it is a stream, and not asked for again every second
  begins: true, // whether what comes next is what a connection begins with, and no news
  heard: performance.now(),
  tried: 0,
  dropped: false,
  late: 0, // until when what comes was kept waiting
};
/** @type {Hearer} */
let hearer = null;
let began = 0; // when this window began to hold a stream; 0: it does not
let signed = 0; // when it last said so
let apart = Date.now() - performance.now();

/** Hear the table from now on, if the page has a stream. @param {Hearer} wanted */
export function follow(wanted) {
  hearer = wanted;
  listen();
}

/** Connect, or connect afresh. */
export function listen() {
  if (!document.body.dataset.stream) return; // a page that stays as it is
  if (connection.source) connection.source.close();
  connection.tried = performance.now();
  connection.holding = mayHold();
  const source = new EventSource(document.body.dataset.stream + (connection.holding ? "" : "&once"));
  connection.source = source;
  // Also if the browser has reconnected by itself; but who asks every second misses nothing.
  source.onopen = () => {
    connection.begins = connection.begins || connection.holding || performance.now() - connection.heard > ASKS;
  };
  source.onmessage = (message) => {
    alive();
    hearer.page(message.data);
  };
  source.addEventListener("tick", alive);
  source.addEventListener("part", (message) => {
    alive();
    untouched(() => hearer.part(message.data));
  });
  source.addEventListener("not-yours", () => {
    source.close();
    hearer.refused();
  });
  source.onerror = () => {
    connection.dropped = connection.holding;
  }; // an answer to a question ends
}

function hangUp() {
  connection.source?.close();
  release();
}

function alive() {
  const now = performance.now();
  if (now - connection.heard > LATE) connection.late = now + 1000; // what was kept waiting comes all at once
  connection.heard = now;
  connection.dropped = false;
  oldNotice.hidden = true;
  document.body.classList.remove("stale");
}

// Refused, not lost: meanwhile the seat has gone to another phone.
async function again() {
  connection.tried = performance.now();
  try {
    const answer = await fetch(document.body.dataset.stream, { method: "HEAD" });
    if (answer.status === 403) return location.reload();
  } catch {
    /* still no connection */
  }
  listen();
}

// A browser has six connections to one table, for all its windows together. So a few of them hold a stream, and the others
// ask every second. They agree in what the browser keeps for all of them, which every browser has.

// The other windows that hold a stream, or, if this one does, that began before it.
function holders() {
  const keys = [];
  for (let at = localStorage.length - 1; at >= 0; at -= 1) {
    const key = localStorage.key(at) ?? "";
    if (!key.startsWith(HOLDS) || key === ownHold) continue;
    const [since, sign] = (localStorage.getItem(key) ?? "").split(" ").map(Number);
    if (!(Math.abs(Date.now() - sign) < ASLEEP))
      localStorage.removeItem(key); // its clock may have been put right as well
    else if (!began || since < began || (since === began && key < ownHold)) keys.push(key);
  }
  return keys;
}

// Whether this window may hold a stream, or go on holding it; to be asked every second.
function mayHold() {
  try {
    if (holders().length >= HELD) release();
    else if (!began || Math.abs(Date.now() - signed) > SIGN) {
      signed = Date.now();
      began = began || signed;
      localStorage.setItem(ownHold, `${began} ${signed}`);
    }
    return Boolean(began);
  } catch {
    return true; // a browser that keeps nothing: its windows know nothing of one another
  }
}

function release() {
  began = 0;
  try {
    localStorage.removeItem(ownHold);
  } catch {
    /* nor has it kept that */
  }
}

// A page nobody sees holds no connection; seen again, it asks for the newest at once.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) hangUp();
  else listen();
});
addEventListener("pagehide", hangUp);
addEventListener("pageshow", (event) => {
  if (event.persisted) {
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

setInterval(() => {
  if (!connection.source) return;
  if (!document.hidden && mayHold() !== connection.holding) listen();
  const now = Date.now() - performance.now();
  if (Math.abs(now - apart) > LATE) {
    // the clock of one stood still: the phone slept, or was told the time
    apart = now;
    connection.dropped = true;
    if (!document.hidden) listen();
  }
  const silent = performance.now() - connection.heard;
  if (document.hidden || !(silent > SILENCE || (connection.dropped && silent > 2000))) return;
  oldNotice.hidden = false;
  document.body.classList.add("stale");
  const closed = connection.source.readyState === EventSource.CLOSED;
  if ((closed || silent > SILENCE) && performance.now() - connection.tried > (closed ? 1000 : AGAIN)) {
    if (closed) again();
    else listen();
  }
}, 1000);
