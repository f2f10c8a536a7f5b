// Fills in what this phone's clock says, where a page asks for the time; what is there can still be changed.
"use strict";
for (const field of document.querySelectorAll("input[type=datetime-local]")) {
  const now = new Date();
  field.value = new Date(now - now.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
}
