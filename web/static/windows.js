// A browser has six connections to one table, for all its windows together. So a few of them hold a stream, and the others
// ask every second. They agree in what the browser keeps for all of them, which every browser has.
"use strict";
const HELD = 3; // streams at a time: the other connections are for acts, and for pages that open
const SIGN = 1500; // ms between two signs of a window that holds one
const ASLEEP = 5000; // ms without a sign after which its stream is free for another
const HOLDS = "stream ";
const ownHold = `${HOLDS}${Math.random().toString(36).slice(2)}`;
let began = 0; // when this window began to hold one; 0: it does not
let signed = 0; // when it last said so

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
