// Shows score and news over a picture of the table. It knows nothing but what /api/1/stream tells any program.

const SILENCE = 9000; // as in companion.js
const SVG = "http://www.w3.org/2000/svg";
const signs = document.body.dataset.signs;
/**
 * What the interface for programs tells, as far as it is shown.
 * @typedef {{ seat: string, name: string, animal: string, colour: string, points: number | null, won: boolean }} Player
 * @typedef {{ simulated: boolean, view: unknown, said?: Record<string, string>, players: Player[] }} Table
 */
/** @type {EventSource} */
let source = null;
let heard = performance.now();

function listen() {
  if (source) source.close();
  source = new EventSource(document.body.dataset.stream);
  source.onmessage = (message) => {
    alive();
    show(JSON.parse(message.data));
  };
  source.addEventListener("tick", alive);
}

function alive() {
  heard = performance.now();
  at("old").hidden = true;
}

/** @param {string} id */
function at(id) {
  return document.getElementById(id);
}

/** @param {Table} now */
function show(now) {
  const said = now.said ?? {};
  at("simulated").hidden = !now.simulated || !now.view;
  for (const what of ["news", "more", "task"]) at(what).textContent = said[what] ?? "";
  at("said").hidden = !at("said").textContent;
  at("players").replaceChildren(...now.players.map(player));
}

/** @param {Player} one */
function player(one) {
  const item = document.createElement("li");
  item.classList.toggle("won", one.won);
  const name = document.createElement("span");
  name.textContent = one.name || one.seat;
  item.append(chip(one), name);
  if (one.points !== null) {
    const points = document.createElement("b");
    points.textContent = String(one.points).replace("-", "−");
    item.append(points);
  }
  return item;
}

// An animal and a colour on a poker chip, with the colour's symbol.
/** @param {Player} player */
function chip({ animal, colour }) {
  const drawn = shape("svg", { class: `player-chip c-${colour}`, viewBox: "0 0 103 103", "aria-hidden": "true" });
  drawn.append(shape("use", { href: `${signs}#chip-${animal}` }), shape("use", { href: `${signs}#badge-${colour}` }));
  return drawn;
}

/** @param {"svg" | "use"} kind @param {Record<string, string>} given */
function shape(kind, given) {
  const drawn = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(given)) drawn.setAttribute(name, value);
  return drawn;
}

setInterval(() => {
  if (performance.now() - heard < SILENCE) return;
  at("old").hidden = false;
  heard = performance.now();
  listen();
}, 1000);
listen();
window.runs = true; // what `plain.js` waits for
