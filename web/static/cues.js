// What the page sounds like, reads aloud and flashes: only what is new; what was missed stays unsaid.
import { live } from "./companion.js";

// Wood and felt, and quiet: what is struck [hertz, begins after s, lasts s, how loud], and what is brushed, through a
// filter that lets through about so many hertz. The table's own loudspeaker has them from the same file.
/** @typedef {Record<string, [number, number, number, number][]>} Strokes */
/** @type {Promise<{ struck: Strokes, brushed: Strokes }>} */
let strokes = null;
const Sounds = window.AudioContext ?? window.webkitAudioContext; // Safari 14.0 has it by its old name
const OF_THE_VERDICT = ["stamp", "score", "end"]; // no sound comes before what it tells is seen
const STAYS = 4000; // ms; what must be put right should be read in peace
const STAYS_WRONG = 9000;
const aloud = document.getElementById("aloud");
/** @type {NodeListOf<HTMLButtonElement>} */
const buttons = aloud.querySelectorAll("[data-aloud]");
const flash = document.getElementById("flash");
/** @type {Record<string, string>} */
const kept = {}; // where nothing can be stored, for as long as the page stands
/** @type {AudioContext} */
let audio = null;
let touched = false;
/** @type {ReturnType<typeof setTimeout>} */
let fading = 0;

/** @param {string} what */
function wants(what) {
  try {
    return localStorage.getItem(what) === "on";
  } catch {
    return kept[what] === "on";
  }
}
/** @param {string} what @param {string} wish */
function want(what, wish) {
  kept[what] = wish;
  try {
    localStorage.setItem(what, wish);
  } catch {
    /* a phone that keeps nothing */
  }
}
/** @param {string} what */
const awake = (what) => (what === "sound" ? audio?.state === "running" : touched);

function label() {
  for (const button of buttons) {
    const what = button.dataset.aloud;
    button.dataset.state = !wants(what) ? "off" : awake(what) ? "on" : "asleep";
    button.textContent = button.dataset[button.dataset.state];
    button.setAttribute("aria-pressed", String(wants(what)));
  }
}

// Browsers make no sound before the page was touched; asked earlier, they refuse it for good.
function wake() {
  touched = true;
  if (wants("sound") && !audio) {
    strokes = fetch(aloud.dataset.strokes)
      .then((answer) => answer.json())
      .catch(() => ({ struck: {}, brushed: {} })); // silent until the page is loaded again, and no fault of the script
    audio = new Sounds();
    audio.onstatechange = label;
  }
  if (wants("sound") && audio.state !== "running") audio.resume().then(label, label);
  label();
}

for (const button of buttons) {
  if (button.dataset.aloud === "speech" && !window.speechSynthesis) {
    button.remove();
    continue;
  }
  button.addEventListener("click", () => {
    const { aloud: what, state } = button.dataset;
    if (state !== "asleep") want(what, state === "off" ? "on" : "off");
    if (state === "on" && what === "speech") speechSynthesis.cancel();
    const asked = state === "off" && what === "sound" && !awake(what);
    wake();
    if (state === "off" && what === "sound") asked ? audio.resume().then(() => play("read")) : play("read");
  });
}
for (const touch of ["pointerup", "touchend", "click", "keydown"]) {
  document.addEventListener(touch, (event) => {
    const target = /** @type {Partial<Element>} */ (event.target);
    if (!target.closest?.("[data-aloud]")) wake();
  });
}
addEventListener("storage", ({ key }) => {
  if (["sound", "speech", null].includes(key)) label();
});

/** @param {string} name */
async function play(name) {
  if (!wants("sound") || !awake("sound")) return;
  const { struck, brushed } = await strokes;
  for (const [hertz, after, span, loud] of struck[name] ?? []) {
    const tone = audio.createOscillator();
    tone.frequency.value = hertz;
    tone.frequency.exponentialRampToValueAtTime(hertz * 0.97, audio.currentTime + after + span); // as wood gives
    sound(tone, after, span, loud).connect(audio.destination);
  }
  for (const [hertz, after, span, loud] of brushed[name] ?? []) {
    const brush = audio.createBufferSource();
    const grains = audio.createBuffer(1, Math.ceil(audio.sampleRate * span), audio.sampleRate);
    grains.getChannelData(0).forEach((_, at, all) => {
      all[at] = Math.random() * 2 - 1;
    });
    brush.buffer = grains;
    const felt = audio.createBiquadFilter();
    felt.type = "bandpass";
    felt.frequency.value = hertz;
    sound(brush, after, span, loud).connect(felt).connect(audio.destination);
  }
}

/** @param {AudioScheduledSourceNode} source @param {number} after @param {number} span @param {number} loud */
function sound(source, after, span, loud) {
  const at = audio.currentTime + after;
  const swell = audio.createGain();
  swell.gain.setValueAtTime(0, at);
  swell.gain.linearRampToValueAtTime(loud, at + 0.004);
  swell.gain.exponentialRampToValueAtTime(0.001, at + span);
  source.connect(swell);
  source.start(at);
  source.stop(at + span);
  return swell;
}

// How long the page holds its headline back, in ms.
function held() {
  const headline = live.querySelector(".felt > .news > .headline:not(.soon), .slip > .news > .headline:not(.soon)");
  return Math.max(0, ...(headline?.getAnimations() ?? []).map((animation) => animation.effect.getTiming().delay));
}

/** @type {ReturnType<typeof setTimeout>[]} */
let waiting = [];
/** @param {() => void} act @param {number} late */
function then(act, late) {
  if (late) waiting.push(setTimeout(act, late));
  else act();
}

/** @param {string} text */
function speak(text) {
  const said = new SpeechSynthesisUtterance(text);
  said.lang = document.documentElement.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(said);
}

/** @param {string} kind @param {string} text */
function show(kind, text) {
  flash.className = kind;
  flash.textContent = text;
  clearTimeout(fading);
  fading = setTimeout(
    () => {
      flash.textContent = "";
    },
    kind === "wrong" ? STAYS_WRONG : STAYS
  );
}

// "match entry name", where only the names are not numbers; what was taken back is followed by smaller ones.
/** @param {string} what */
const told = (what) => live.querySelector(`[data-${what}]`)?.getAttribute(`data-${what}`).split(" ");
/** @param {string[]} now @param {string[]} [before] */
const later = ([match, entry, name], before) =>
  !before || match !== before[0] || +entry > +before[1] || (entry === before[1] && name !== before[2]);
/** @type {Record<string, string[]>} */
const before = {
  sound: told("sound"),
  news: told("news"),
  answer: told("answer"),
  hurried: told("hurried"),
  refused: told("refused"),
  mute: told("mute"),
};

live.addEventListener("fresh", (event) => {
  const silent = leaveItToTheTable();
  const { missed } = /** @type {Fresh} */ (event).detail;
  const { sound, news, answer, hurried, refused, mute } = before;
  for (const what of Object.keys(before)) before[what] = told(what) ?? before[what];
  if (missed || silent) return;
  if (before.news && later(before.news, news)) {
    // the next act ends what is played
    waiting.forEach(clearTimeout);
    waiting = [];
  }
  if (before.sound && later(before.sound, sound)) {
    const name = before.sound[2];
    then(() => play(name), OF_THE_VERDICT.includes(name) ? held() : 0);
  }
  if (
    before.news &&
    later(before.news, news) &&
    wants("speech") &&
    aloud.querySelector("[data-aloud=speech]") &&
    touched
  ) {
    const headline = live.querySelector(".felt > .news > .headline, .headline").textContent;
    then(() => speak(headline), held());
  }
  if (flash && before.answer && before.answer[0] !== answer?.[0]) {
    show(before.answer[1], live.querySelector("[data-answer]").textContent);
    play(before.answer[1]);
  }
  if (before.hurried && before.hurried[0] !== hurried?.[0]) play("wrong");
  if (before.refused && later(before.refused, refused)) play("wrong");
  if (before.mute && later(before.mute, mute)) play("wrong"); // one of the table's own cards says nothing now
});
// One voice in a room: where the table itself is heard, its big screen is silent.
function leaveItToTheTable() {
  const silent = live.querySelector("[data-heard]") !== null;
  for (const button of buttons) button.hidden = silent;
  return silent;
}
leaveItToTheTable();
aloud.hidden = false;
label();
