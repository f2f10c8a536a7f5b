// Between matches a big screen goes slowly from what the table waits for to what was best, and back. It never stands still:
// what is drawn at one place for hours burns into some screens.
import { renew, untouched } from "./afresh.js";
import { live } from "./companion.js";

const STANDS = 45000; // ms for which what the table shows stands alone, once nobody plays
const SCENE = 20000; // ms for each scene
const PLACES = [
  [0, 0],
  [0.5, -0.3],
  [-0.5, 0.3],
  [0.3, 0.5],
  [-0.3, -0.5],
]; // rem by which everything stands beside its place
const tonight = document.getElementById("tonight");
/** @type {ReturnType<typeof setTimeout>} */
let next = 0; // the timer of the next scene
let rests = ""; // what the table rests after
let turn = 0; // how many scenes there were

/** @returns {HTMLElement | null} */
const resting = () => live.querySelector("[data-rests]");

async function fetchScenes() {
  try {
    const answer = await fetch(`/big/tonight?lang=${document.documentElement.lang}`);
    const page = await answer.text();
    const fresh = new DOMParser().parseFromString(page, "text/html").getElementById("tonight");
    if (!fresh) return;
    for (const scene of fresh.children) scene.classList.toggle("on", scene.id === document.body.dataset.scene);
    untouched(() => renew(tonight, fresh));
  } catch {
    // What was there before stays.
  }
}

// The scenes lie on the felt and move with it: so it is measured where it lies when nothing is moved.
function coverFelt() {
  document.body.style.removeProperty("--aside");
  const felt = resting()?.getBoundingClientRect();
  if (felt) {
    tonight.style.top = `${felt.top}px`;
    tonight.style.left = `${felt.left}px`;
    tonight.style.width = `${felt.width}px`;
    tonight.style.height = `${felt.height}px`;
  }
  const [right, down] = PLACES[turn % PLACES.length];
  document.body.style.setProperty("--aside", `${right}rem, ${down}rem`);
}

/** @param {string} scene */
function showScene(scene) {
  document.body.dataset.scene = scene;
  for (const one of tonight.children) one.classList.toggle("on", one.id === scene);
  coverFelt();
}

// After the last scene comes what the table shows by itself.
async function turnOver() {
  await fetchScenes();
  const scenes = ["", ...[...tonight.children].map((one) => one.id)];
  const at = scenes.indexOf(document.body.dataset.scene ?? "");
  turn += 1;
  showScene(scenes[(at + 1) % scenes.length]);
  next = setTimeout(turnOver, SCENE);
}

function look() {
  const after = resting()?.dataset.rests ?? "";
  if (after === rests) {
    if (rests) coverFelt(); // the ledge below it may have grown
    if (document.body.dataset.scene) fetchScenes(); // somebody has sat down
    return;
  }
  rests = after;
  clearTimeout(next);
  turn = 0;
  showScene("");
  if (rests) next = setTimeout(turnOver, STANDS);
}

live.addEventListener("fresh", look);
look();

// What plays itself because nobody was there leaves at the first touch.
for (const touch of ["pointerdown", "keydown"])
  document.addEventListener(touch, () => {
    if (live.querySelector("[data-by-itself]"))
      fetch("/demo/leave", { method: "POST", headers: { Accept: "application/json" } });
  });
