// A match is leafed through: the slider shows its moments at once, and plays them one after the other.

const PACE = 1300; // ms between two moments that are played
const form = /** @type {HTMLFormElement} */ (document.getElementById("replay"));
const slider = sliderIn(document);
const play = document.getElementById("replay-play");
/** @type {string | null} */
let wanted = null;
let asking = false;
/** @type {ReturnType<typeof setInterval>} */
let next = 0;

/** @param {Document} page */
function sliderIn(page) {
  return /** @type {HTMLInputElement} */ (page.getElementById("moment"));
}

// One question at a time, and always for where the slider stands now: a table that plays is not held up.
/** @param {string | number} moment */
async function show(moment) {
  wanted = String(moment);
  if (asking) return;
  asking = true;
  try {
    while (wanted !== null) {
      /** @type {string} */
      const asked = wanted;
      const answer = await fetch(`${form.action}?moment=${asked}&lang=${document.documentElement.lang}`);
      if (!answer.ok) break;
      put(new DOMParser().parseFromString(await answer.text(), "text/html"), answer.url);
      if (wanted === asked) wanted = null;
    }
  } catch {
    stop();
  } finally {
    asking = false;
    wanted = null;
  }
}

/** @param {Document} fresh @param {string} url */
function put(fresh, url) {
  for (const id of ["live", "replay-where", "replay-steps"])
    document.getElementById(id).replaceWith(fresh.getElementById(id));
  if (wanted === null || wanted === sliderIn(fresh).getAttribute("value")) slider.value = sliderIn(fresh).value;
  history.replaceState(null, "", new URL(url).pathname);
}

function stop() {
  clearInterval(next);
  next = 0;
  play.textContent = play.dataset.play;
}

function step() {
  if (slider.value === slider.max) return stop();
  if (!asking) show(Number(slider.value) + 1);
}

play.hidden = false;
form.querySelector("button:not([type])").setAttribute("hidden", "");
slider.addEventListener("input", () => {
  stop();
  show(slider.value);
});
play.addEventListener("click", () => {
  if (next) return stop();
  if (slider.value === slider.max) slider.value = "0";
  play.textContent = play.dataset.stop;
  next = setInterval(step, PACE);
  step();
});
document.addEventListener("click", (event) => {
  /** @type {HTMLAnchorElement | null} */
  const link = /** @type {Element} */ (event.target).closest("#replay-steps a");
  if (!link || event.metaKey || event.ctrlKey) return;
  event.preventDefault();
  stop();
  show(link.dataset.step);
});
