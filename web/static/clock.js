// Fills in what this phone's clock says, where a page asks for the time; what is there can still be changed.
/** @type {NodeListOf<HTMLInputElement>} */
const fields = document.querySelectorAll("input[type=datetime-local]");
for (const field of fields) {
  const now = new Date();
  field.value = new Date(now.getTime() - now.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
}
