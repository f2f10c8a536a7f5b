// A screen that is one thing only: it fills itself and stays awake; a phone at a seat stays awake and nudges its owner.
import { live } from "./companion.js";

const TURN = 40; // ms
const VERDICT = [20, 60, 20];
/** @type {HTMLButtonElement | null} */
const start = document.querySelector("[data-start]");
const sleepy = document.getElementById("sleepy");
/** @type {WakeLockSentinel} */
let lock = null;

// Only over a secure connection, and only while the page is seen.
async function stayAwake() {
  try {
    lock = (await navigator.wakeLock?.request("screen")) ?? null;
  } catch {
    lock = null;
  }
  if (sleepy) sleepy.hidden = Boolean(lock);
}
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && (lock || sleepy)) stayAwake();
});
if (sleepy) stayAwake();

const isFull = () => Boolean(document.fullscreenElement ?? null);

function fill() {
  if (isFull()) document.exitFullscreen?.();
  else
    document.documentElement.requestFullscreen?.().catch(() => {
      /* a browser that does not */
    });
}
/** @param {string} what @returns {HTMLButtonElement | null} */
const buttonOf = (what) => document.querySelector(`[data-aloud=${what}]`);

if (start) {
  start.addEventListener("click", () => {
    fill();
    stayAwake();
    const sound = buttonOf("sound");
    if (sound.dataset.state === "off") sound.click();
    document.body.classList.add("started");
  });
  document.addEventListener("fullscreenchange", () => document.body.classList.toggle("started", isFull()));
  document.addEventListener("keydown", ({ key, ctrlKey, metaKey, altKey }) => {
    if (ctrlKey || metaKey || altKey) return;
    switch (key.toLowerCase()) {
      case "f":
        return fill();
      case "m":
        return buttonOf("sound")?.click();
      case "s":
        return buttonOf("speech")?.click();
    }
  });
}

/** @returns {DOMStringMap} */
const phone = () => document.getElementById("phone")?.dataset ?? {};
let before = { ...phone() };
/** @type {ReturnType<typeof setTimeout>} */
let waiting = 0;
live.addEventListener("fresh", (event) => {
  const { missed } = /** @type {Fresh} */ (event).detail;
  const { state, verdict } = before;
  before = { ...phone() };
  if (missed || !before.state) return;
  const nudge =
    before.state === "turn" && state !== "turn" ? TURN : before.verdict && before.verdict !== verdict ? VERDICT : 0;
  if (
    nudge &&
    (nudge === TURN || !live.querySelector(".news.weight-1")) &&
    !document.activeElement.matches("input, select")
  )
    scrollTo(0, 0);
  if (!navigator.userActivation?.hasBeenActive) return; // browsers shake no phone that nobody touched
  const [asked] = live.querySelector(".news > .soon")?.getAnimations() ?? []; // what is still being played
  clearTimeout(waiting);
  if (nudge) waiting = setTimeout(() => navigator.vibrate?.(nudge), Number(asked?.effect.getTiming().duration ?? 0));
});
