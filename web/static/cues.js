// What the page sounds like, reads aloud and flashes: only what is new; what was missed stays unsaid.
"use strict";
{
  const TONES = { // [hertz, begins after s, lasts s, how loud]
    first: [[1175, 0, 0.14, 0.5], [1568, 0.13, 0.5, 0.5]],
    start: [[523, 0, 0.14, 0.35], [784, 0.14, 0.3, 0.35]],
    end: [[784, 0, 0.25, 0.4], [988, 0.22, 0.25, 0.4], [1175, 0.44, 0.9, 0.4]],
    read: [[988, 0, 0.07, 0.15]],
    complete: [[784, 0, 0.1, 0.2], [1047, 0.1, 0.2, 0.2]],
    wrong: [[196, 0, 0.3, 0.3]],
  };
  const STAYS = 4000; // ms; what has to be put right is to be read in peace
  const STAYS_WRONG = 9000;
  const aloud = document.getElementById("aloud");
  const flash = document.getElementById("flash");
  const kept = {}; // where nothing can be stored, for as long as the page stands
  let audio = null;
  let touched = false;
  let fading = 0;

  function wants(what) {
    try { return localStorage.getItem(what) === "on"; } catch { return kept[what] === "on"; }
  }
  function want(what, wish) {
    kept[what] = wish;
    try { localStorage.setItem(what, wish); } catch { /* a phone that keeps nothing */ }
  }
  const awake = (what) => (what === "sound" ? audio?.state === "running" : touched);

  function label() {
    for (const button of aloud.querySelectorAll("[data-aloud]")) {
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
      audio = new AudioContext();
      audio.onstatechange = label;
    }
    if (wants("sound") && audio.state !== "running") audio.resume().then(label, label);
    label();
  }

  for (const button of aloud.querySelectorAll("[data-aloud]")) {
    if (button.dataset.aloud === "speech" && !window.speechSynthesis) { button.remove(); continue; }
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
    document.addEventListener(touch, (event) => { if (!event.target.closest?.("[data-aloud]")) wake(); });
  }
  addEventListener("storage", label);

  function play(name) {
    if (!wants("sound") || !awake("sound")) return;
    for (const [hertz, after, span, loud] of TONES[name]) {
      const at = audio.currentTime + after;
      const tone = audio.createOscillator();
      const swell = audio.createGain();
      tone.type = "triangle";
      tone.frequency.value = hertz;
      swell.gain.setValueAtTime(0, at);
      swell.gain.linearRampToValueAtTime(loud, at + 0.01);
      swell.gain.exponentialRampToValueAtTime(0.001, at + span);
      tone.connect(swell).connect(audio.destination);
      tone.start(at);
      tone.stop(at + span);
    }
  }

  function speak(text) {
    const said = new SpeechSynthesisUtterance(text);
    said.lang = document.documentElement.lang;
    speechSynthesis.cancel();
    speechSynthesis.speak(said);
  }

  function show(kind, text) {
    flash.className = kind;
    flash.textContent = text;
    clearTimeout(fading);
    fading = setTimeout(() => { flash.textContent = ""; }, kind === "wrong" ? STAYS_WRONG : STAYS);
  }

  // "match entry name", of which only the names are no numbers; what was taken back is followed by smaller ones.
  const told = (what) => live.querySelector(`[data-${what}]`)?.dataset[what].split(" ");
  const later = ([match, entry, name], before) =>
    !before || match !== before[0] || +entry > +before[1] || (entry === before[1] && name !== before[2]);
  const before = { sound: told("sound"), news: told("news"), answer: told("answer") };

  live.addEventListener("fresh", ({ detail: { missed } }) => {
    const { sound, news, answer } = before;
    for (const what of Object.keys(before)) before[what] = told(what) ?? before[what];
    if (missed) return;
    if (before.sound && later(before.sound, sound)) play(before.sound[2]);
    if (before.news && later(before.news, news) && wants("speech") && aloud.querySelector("[data-aloud=speech]") && touched) {
      speak(live.querySelector(".headline").textContent);
    }
    if (flash && before.answer && before.answer[0] !== answer?.[0]) {
      show(before.answer[1], live.querySelector("[data-answer]").textContent);
      play(before.answer[1]);
    }
  });
  aloud.hidden = false;
  label();
}
