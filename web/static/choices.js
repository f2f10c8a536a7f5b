// What a person has chosen, typed or opened stays while a page is renewed around it; what can't stay is said.
/**
 * @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control
 * @typedef {string | boolean} State how a control is left; of radio buttons, which one
 */

/** @type {Map<string, State>} */
const chosen = new Map(); // what was touched, by its key → how it was left
/** @type {Map<string, string>} */
const notes = new Map(); // a group of choices, by its key → what it says about one that is gone
let looked = false; // whether what the browser itself brought back (after a reload) is among them
const CONTROLS = "input:not([type=hidden]), select, textarea";

/** @param {ParentNode} part @returns {NodeListOf<Control>} */
const controlsIn = (part) => part.querySelectorAll(CONTROLS);

/** @param {Element} control @returns {control is HTMLSelectElement} */
const isSelect = (control) => control.nodeName === "SELECT";

/** @param {Control} control @returns {control is HTMLInputElement} */
const isTickable = (control) => control.type === "radio" || control.type === "checkbox";

/** @param {Element} control @returns {control is HTMLDetailsElement} */
const isDetails = (control) => control.nodeName === "DETAILS";

// The parts of the page in which an element lies, by their ids: with the next round, say, a part has another id. What is
// only folded away is the same question.
/** @param {Element} element */
function partsAround(element) {
  const ids = [];
  for (let part = element.parentElement; part; part = part.parentElement)
    if (part.nodeName !== "DETAILS" && part.hasAttribute("id")) ids.push(part.getAttribute("id"));
  return ids.join(" ");
}

// A form is named by where it lies and goes, and by what it says of itself; one of many like it differs in the latter.
/** @param {HTMLFormElement} form */
function formKey(form) {
  if (!form) return "";
  /** @type {NodeListOf<HTMLInputElement>} */
  const hidden = form.querySelectorAll(":scope > input[type=hidden]");
  const says = [...hidden].map((field) => `${field.name}=${field.value}`);
  return form.getAttribute("id") || [partsAround(form), form.getAttribute("action"), ...says].join(" ");
}

// The value of radio buttons and check boxes may be the same for all: then their labels are named.
/** @param {Control} control */
const valueKey = (control) => `${control.value} ${control.closest("label")?.id ?? ""}`;

/** @param {Control | HTMLDetailsElement} control */
function keyOf(control) {
  if (isDetails(control)) return `details ${control.id || control.querySelector("summary")?.textContent.trim()}`;
  const group = `${formKey(control.form)} ${control.name}`;
  if (control.type === "radio") return group;
  if (control.type === "checkbox") {
    const { whom } = control.dataset; // a person stays the same one at another seat
    return whom ? `${formKey(control.form)} ${whom}` : `${group} ${valueKey(control)}`;
  }
  const alike = [...controlsIn(control.form ?? document)].filter((one) => one.name === control.name);
  return `${group} ${alike.indexOf(control)}`;
}

/** @param {Control} control @returns {State | undefined} */
function stateOf(control) {
  if (!isTickable(control)) return control.value;
  if (control.type === "checkbox") return control.checked;
  return control.checked ? valueKey(control) : undefined;
}

/** @param {Control} control */
function isAsWritten(control) {
  if (isSelect(control)) {
    const written = [...control.options].findIndex((one) => one.defaultSelected);
    return control.selectedIndex === Math.max(written, 0);
  }
  if (!isTickable(control)) return control.value === control.defaultValue;
  if (control.type === "radio") return !control.checked || control.defaultChecked;
  return control.checked === control.defaultChecked;
}

/** @param {Control} control */
function keep(control) {
  if (stateOf(control) !== undefined) chosen.set(keyOf(control), stateOf(control));
}

/** Show what the table says from now on: it has accepted what the form said. @param {HTMLFormElement} form */
export function forget(form) {
  for (const control of /** @type {Iterable<Control>} */ (form.elements)) chosen.delete(keyOf(control));
}

// What people call a choice: a radio button's own label, or the option at which a list stands.
/** @param {Control} control */
function labelOf(control) {
  const text = isSelect(control) ? control.selectedOptions[0]?.textContent : control.closest("label")?.textContent;
  return (text || control.value).replace(/\s+/g, " ").trim();
}

// What stands chosen in each group of a part.
/** @param {Element} part */
function offered(part) {
  /** @type {Map<string, Offer>} */
  const offers = new Map();
  for (const control of controlsIn(part)) {
    if (isSelect(control) || (control.type === "radio" && isTickable(control) && control.checked))
      offers.set(keyOf(control), { value: stateOf(control), label: labelOf(control) });
  }
  return offers;
}

/**
 * How a part of the page is before it is renewed: what stands chosen in each group, and which of its elements were there.
 * @typedef {{ offers: Map<string, Offer>, elements: Set<Element> }} Earlier
 * @typedef {{ value: State, label: string }} Offer
 */

/** @param {Element} part @returns {Earlier} */
export function choicesIn(part) {
  if (!looked) for (const control of controlsIn(document)) if (!isAsWritten(control)) keep(control);
  looked = true;
  const earlier = { offers: offered(part), elements: new Set(part.querySelectorAll(`${CONTROLS}, details`)) };
  for (const words of part.querySelectorAll(".choice-gone")) words.remove();
  return earlier;
}

/** Leave what was touched in a part as it was touched, now that the part is renewed. @param {Element} part @param {Earlier} earlier */
export function leaveChoices(part, earlier) {
  for (const control of controlsIn(part))
    if (isTickable(control) && control.matches(":disabled")) control.checked = false;
  /** @type {Map<string, Control[]>} */
  const groups = new Map();
  for (const control of controlsIn(part)) {
    const key = keyOf(control);
    groups.set(key, [...(groups.get(key) ?? []), control]);
  }
  for (const [key, controls] of groups) {
    if (chosen.has(key)) leaveChosen(key, controls, earlier);
    else if (controls[0].type === "radio") noteMoved(key, controls, earlier.offers.get(key));
    if (notes.has(key)) showNote(controls[0], key);
  }
  for (const details of part.querySelectorAll("details")) {
    if (!earlier.elements.has(details) && chosen.has(keyOf(details)))
      details.open = Boolean(chosen.get(keyOf(details)));
  }
}

/** Set what is one choice to what was wanted; return whether that is still possible. @param {Control[]} controls @param {State} wanted */
function set(controls, wanted) {
  const [first] = controls;
  if (first.type === "radio") {
    const buttons = controls.filter(isTickable);
    for (const button of buttons) button.checked = !button.disabled && valueKey(button) === wanted;
    return buttons.some((button) => button.checked);
  }
  if (isTickable(first)) {
    first.checked = wanted === true && !first.disabled;
    return first.checked === wanted;
  }
  if (isSelect(first) && ![...first.options].some((option) => option.value === wanted && !option.disabled))
    return false;
  if (first.value !== wanted) first.value = String(wanted);
  return true;
}

/** @param {string} key @param {Control[]} controls @param {Earlier} earlier */
function leaveChosen(key, controls, earlier) {
  const [first] = controls;
  if (set(controls, chosen.get(key))) notes.delete(key);
  else if (!notes.has(key)) {
    const stands = isSelect(first) ? labelOf(first) : "";
    note(key, stands ? "instead" : "gone", earlier.offers.get(key)?.label ?? labelOf(first), stands);
  }
  if (earlier.elements.has(first)) return;
  // What somebody was filling in is not folded away under their hands.
  for (let fold = first.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
}

/** Say of a choice that nobody made that it has moved with what is still free. @param {string} key @param {Control[]} controls @param {Offer} [offer] */
function noteMoved(key, controls, offer) {
  const suggested = controls.filter(isTickable).find((control) => control.checked);
  const isTaken = offer && controls.some((control) => control.disabled && valueKey(control) === offer.value);
  if (isTaken) note(key, suggested ? "instead" : "gone", offer.label, suggested ? labelOf(suggested) : "");
}

/** @param {string} key @param {"gone" | "instead"} kind @param {string} what @param {string} instead */
function note(key, kind, what, instead) {
  const words = document
    .getElementById("bars")
    .dataset[kind].replace("{what}", () => what)
    .replace("{instead}", () => instead);
  notes.set(key, words);
  document.dispatchEvent(new CustomEvent("gone", { detail: words }));
}

/** @param {Control} control @param {string} key */
function showNote(control, key) {
  const words = Object.assign(document.createElement("strong"), {
    className: "choice-gone",
    textContent: notes.get(key),
  });
  words.dataset.of = key;
  (control.closest("fieldset") ?? control.closest("label") ?? control).after(words);
}

for (const kind of ["input", "change"]) {
  document.addEventListener(kind, (event) => {
    const target = /** @type {Control} */ (event.target);
    if (!target.matches(CONTROLS)) return;
    const key = keyOf(target);
    keep(target);
    notes.delete(key);
    for (const words of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".choice-gone")))
      if (words.dataset.of === key) words.remove();
  });
}
document.addEventListener("reset", (event) => forget(/** @type {HTMLFormElement} */ (event.target)));
document.addEventListener("click", (event) => {
  const details = /** @type {Element} */ (event.target).closest("summary")?.parentElement;
  if (!details || !isDetails(details)) return;
  // Of several that share a name the browser closes the others.
  for (const other of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details[name]")))
    if (other.name === details.name) chosen.delete(keyOf(other));
  chosen.set(keyOf(details), !details.open);
});
