// A browser has six connections to one table, for all its windows together. So a few of them hold a stream, and the others
// ask every second. They agree in what the browser keeps for all of them, which every browser has.
"use strict";
const HELD = 3; // streams at a time: the other connections are for acts, and for pages that open
const ASLEEP = 4000; // ms without a sign of its window after which a stream is free for another
const HOLDS = "stream ";
const ownHold = `${HOLDS}${Math.random().toString(36).slice(2)}`;
let began = 0; // when this window began to hold one; 0: it does not

// What the windows hold, the longest holding first; one whose clock is amiss holds nothing.
function holds() {
  const found = [];
  for (let at = localStorage.length - 1; at >= 0; at -= 1) {
    const key = localStorage.key(at);
    if (!key?.startsWith(HOLDS)) continue;
    const [since, sign] = localStorage.getItem(key).split(" ").map(Number);
    if (Math.abs(Date.now() - sign) < ASLEEP) found.push({ key, since });
    else localStorage.removeItem(key);
  }
  return found.sort((one, other) => one.since - other.since || (one.key < other.key ? -1 : 1));
}

// Whether this window may hold a stream, or go on holding it; to be asked every second.
function mayHold() {
  try {
    const first = holds().filter(({ key, since }) => key !== ownHold && (!began || since <= began)); // two may begin at once
    if (first.length >= HELD) release();
    else {
      began = began || Date.now();
      localStorage.setItem(ownHold, `${began} ${Date.now()}`);
    }
    return Boolean(began);
  } catch {
    return true; // a browser that keeps nothing: its windows know nothing of one another
  }
}

function release() {
  began = 0;
  try { localStorage.removeItem(ownHold); } catch { /* nor has it kept that */ }
}
