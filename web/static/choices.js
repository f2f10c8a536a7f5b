// What a person has chosen, typed or opened stays while a page is renewed around it; what can't stay is said.
"use strict";
const chosen = new Map(); // what was touched, by its key → how it was left
const notes = new Map(); // a group of choices, by its key → what it says about one that is gone
let looked = false; // whether what the browser itself brought back (after a reload) is among them
const CONTROLS = "input:not([type=hidden]), select, textarea";
const OFFERS = "input[type=radio], select"; // of these one is chosen before anybody touches them

// The parts of the page in which an element lies, by their ids: with the next round, say, a part has another id. What is
// only folded away is the same question.
function partsAround(element) {
  const ids = [];
  for (let part = element.parentElement; part; part = part.parentElement)
    if (part.nodeName !== "DETAILS" && part.hasAttribute("id")) ids.push(part.getAttribute("id"));
  return ids.join(" ");
}

// A form is named by where it lies and goes, and by what it says of itself; one of many like it differs in the latter.
function formKey(form) {
  if (!form) return "";
  const says = [...form.children].filter((one) => one.type === "hidden").map((one) => `${one.name}=${one.value}`);
  return form.getAttribute("id") || [partsAround(form), form.getAttribute("action"), ...says].join(" ");
}

// The value of radio buttons and check boxes may be the same for all: then their labels are named.
const valueKey = (control) => `${control.value} ${control.closest("label")?.id ?? ""}`;

function keyOf(control) {
  if (control.nodeName === "DETAILS")
    return `details ${control.id || control.querySelector("summary")?.textContent.trim()}`;
  const group = `${formKey(control.form)} ${control.name}`;
  if (control.type === "radio") return group;
  if (control.type === "checkbox") return `${group} ${valueKey(control)}`;
  const alike = [...(control.form ?? document).querySelectorAll(CONTROLS)].filter((one) => one.name === control.name);
  return `${group} ${alike.indexOf(control)}`;
}

function stateOf(control) {
  if (control.type === "radio") return control.checked ? valueKey(control) : undefined;
  return control.type === "checkbox" ? control.checked : control.value;
}

function isAsWritten(control) {
  if (control.nodeName === "SELECT") {
    const written = [...control.options].findIndex((one) => one.defaultSelected);
    return control.selectedIndex === Math.max(written, 0);
  }
  if (control.type === "radio") return !control.checked || control.defaultChecked;
  return control.type === "checkbox"
    ? control.checked === control.defaultChecked
    : control.value === control.defaultValue;
}

function keep(control) {
  if (stateOf(control) !== undefined) chosen.set(keyOf(control), stateOf(control));
}

// What the form said was accepted: from now on it shows what the table says.
function forget(form) {
  for (const control of form.elements) chosen.delete(keyOf(control));
}

// What people call a choice: a radio button's own label, or the option at which a list stands.
function labelOf(control) {
  const text =
    control.nodeName === "SELECT" ? control.selectedOptions[0]?.textContent : control.closest("label")?.textContent;
  return (text || control.value).replace(/\s+/g, " ").trim();
}

// What stands chosen in each group of a part.
function offered(part) {
  const found = new Map();
  for (const control of part.querySelectorAll(OFFERS)) {
    if (control.nodeName === "SELECT" || control.checked)
      found.set(keyOf(control), { value: stateOf(control), label: labelOf(control) });
  }
  return found;
}

// Renew a part of the page as `fresh` has it, but for what was touched there.
function renew(part, fresh) {
  if (!looked) for (const control of document.querySelectorAll(CONTROLS)) if (!isAsWritten(control)) keep(control);
  looked = true;
  const earlierOffers = offered(part);
  const earlierElements = new Set(part.querySelectorAll(`${CONTROLS}, details`));
  for (const words of part.querySelectorAll(".choice-gone")) words.remove();
  morph(part, fresh);
  for (const taken of part.querySelectorAll("input:checked:disabled")) taken.checked = false;
  const groups = new Map();
  for (const control of part.querySelectorAll(CONTROLS)) {
    const key = keyOf(control);
    groups.set(key, [...(groups.get(key) ?? []), control]);
  }
  for (const [key, controls] of groups) {
    if (chosen.has(key)) leaveChosen(key, controls, earlierOffers, earlierElements);
    else if (controls[0].type === "radio") noteMoved(key, controls, earlierOffers);
    if (notes.has(key)) showNote(controls[0], key);
  }
  for (const details of part.querySelectorAll("details")) {
    if (!earlierElements.has(details) && chosen.has(keyOf(details))) details.open = chosen.get(keyOf(details));
  }
}

// Set what is one choice to what was wanted; return whether that is still possible.
function set(controls, wanted) {
  const [first] = controls;
  if (first.type === "radio") {
    for (const one of controls) one.checked = !one.disabled && valueKey(one) === wanted;
    return controls.some((one) => one.checked);
  }
  if (first.type === "checkbox") {
    first.checked = wanted && !first.disabled;
    return first.checked === wanted;
  }
  if (first.nodeName === "SELECT" && ![...first.options].some((one) => one.value === wanted && !one.disabled))
    return false;
  if (first.value !== wanted) first.value = wanted;
  return true;
}

function leaveChosen(key, controls, earlierOffers, earlierElements) {
  const [first] = controls;
  if (set(controls, chosen.get(key))) notes.delete(key);
  else if (!notes.has(key)) {
    const stands = first.nodeName === "SELECT" ? labelOf(first) : "";
    note(key, stands ? "instead" : "gone", earlierOffers.get(key)?.label ?? labelOf(first), stands);
  }
  if (earlierElements.has(first)) return;
  // What somebody was filling in is not folded away under their hands.
  for (let fold = first.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
}

// A choice that nobody made moves with what is still free, and says so.
function noteMoved(key, controls, earlierOffers) {
  const offer = earlierOffers.get(key);
  const suggested = controls.find((control) => control.checked);
  const isTaken = offer && controls.some((control) => control.disabled && valueKey(control) === offer.value);
  if (isTaken) note(key, suggested ? "instead" : "gone", offer.label, suggested ? labelOf(suggested) : "");
}

function note(key, kind, what, instead) {
  const words = document
    .getElementById("bars")
    .dataset[kind].replace("{what}", () => what)
    .replace("{instead}", () => instead);
  notes.set(key, words);
  document.dispatchEvent(new CustomEvent("gone", { detail: words }));
}

function showNote(control, key) {
  const words = Object.assign(document.createElement("strong"), {
    className: "choice-gone",
    textContent: notes.get(key),
  });
  words.dataset.of = key;
  (control.closest("fieldset") ?? control.closest("label") ?? control).after(words);
}

for (const kind of ["input", "change"]) {
  document.addEventListener(kind, ({ target }) => {
    if (!target.matches(CONTROLS)) return;
    const key = keyOf(target);
    keep(target);
    notes.delete(key);
    for (const words of document.querySelectorAll(".choice-gone")) if (words.dataset.of === key) words.remove();
  });
}
document.addEventListener("reset", ({ target }) => forget(target));
document.addEventListener("click", ({ target }) => {
  const details = target.closest("summary")?.parentElement;
  if (details?.nodeName !== "DETAILS") return;
  // Of several that share a name the browser closes the others.
  for (const other of document.querySelectorAll("details[name]"))
    if (other.name === details.name) chosen.delete(keyOf(other));
  chosen.set(keyOf(details), !details.open);
});
