// Cards and piles that one chooses from are one stop of the Tab key; the arrow keys go from one to the next, as in ARIA's
// toolbar. Without this script each is a stop of its own.
import { live } from "./companion.js";

const GROUPS = ".hand-held, .picks, .pick-card";
/** By key, the place of the button it leads to. @type {Record<string, (place: number, last: number) => number>} */
const PLACES = {
  ArrowLeft: (place, last) => (place > 0 ? place - 1 : last),
  ArrowUp: (place, last) => (place > 0 ? place - 1 : last),
  ArrowRight: (place, last) => (place < last ? place + 1 : 0),
  ArrowDown: (place, last) => (place < last ? place + 1 : 0),
  Home: () => 0,
  End: (_place, last) => last,
};
/** @type {WeakMap<Element, HTMLButtonElement>} */
const stops = new WeakMap(); // group → the button in it that Tab leads to

/** @param {Element} group @returns {HTMLButtonElement[]} */
const buttonsIn = (group) => [...group.querySelectorAll("button")].filter((button) => !button.disabled);

/** @param {Element} group */
function makeOneStop(group) {
  const buttons = buttonsIn(group);
  if (buttons.length < 2) return;
  const stop = buttons.find((button) => button === stops.get(group)) ?? buttons[0];
  stops.set(group, stop);
  group.setAttribute("role", "toolbar");
  for (const button of buttons) button.tabIndex = button === stop ? 0 : -1;
}

function makeStops() {
  live.querySelectorAll(GROUPS).forEach(makeOneStop);
}

live.addEventListener("fresh", makeStops);
live.addEventListener("focusin", ({ target }) => {
  const button = /** @type {HTMLButtonElement} */ (target);
  const group = button.closest(GROUPS);
  if (!group || !buttonsIn(group).includes(button)) return;
  stops.set(group, button);
  makeOneStop(group);
});
live.addEventListener("keydown", (event) => {
  const button = /** @type {HTMLButtonElement} */ (event.target);
  const group = button.closest(GROUPS);
  const placeAfter = PLACES[event.key];
  if (!group || !placeAfter || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const buttons = buttonsIn(group);
  const place = buttons.indexOf(button);
  if (place < 0) return;
  event.preventDefault(); // the page is not scrolled as well
  buttons[placeAfter(place, buttons.length - 1)].focus();
});
makeStops();
