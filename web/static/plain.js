// Where the page's own script can't run, or fails, the page is what it is without one: it renews itself, and says why.
// The oldest browsers read this file, even those that can't read the others: nothing in it is newer than 2009.
(function () {
  "use strict";
  var OURS = /\/static\/\w+\.js/;
  var NEEDED = /\/static\/(companion|stream|afresh|choices|overlay)\.js/; // without one of these nothing on the page moves
  var NO_FAULT = /ResizeObserver loop/; // browsers report it as an error, and go on
  /** @type {HTMLScriptElement} */
  var ownScript = document.querySelector("script[src*='/plain.js']");
  var unreached = false;
  var plain = false;

  /** @param {string} id @param {string} [said] */
  function tell(id, said) {
    var notice = document.getElementById(id);
    if (!notice) return;
    if (said) notice.appendChild(document.createTextNode(notice.getAttribute(said)));
    notice.setAttribute("role", "alert");
    notice.removeAttribute("hidden");
  }

  /** @param {number} seconds */
  function renewAfter(seconds) {
    setTimeout(function () {
      var at = document.activeElement;
      if (at && /^(INPUT|SELECT|TEXTAREA)$/.test(at.nodeName))
        renewAfter(seconds); // what is being typed stays
      else location.reload();
    }, seconds * 1000);
  }

  // Show what stands on the page for whoever has no script; return after how many seconds it renews itself then, if at all.
  function showPlain() {
    var hidden = document.getElementsByTagName("noscript");
    var seconds = 0;
    var shown, refresh;
    while (hidden.length) {
      refresh = /http-equiv="refresh" content="(\d+)"/.exec(hidden[0].textContent);
      if (refresh) {
        seconds = Number(refresh[1]);
      } else {
        shown = document.createElement("div");
        shown.innerHTML = hidden[0].textContent;
        hidden[0].parentNode.insertBefore(shown, hidden[0]);
      }
      hidden[0].parentNode.removeChild(hidden[0]);
    }
    return seconds;
  }

  function becomePlain() {
    var seconds;
    if (plain) return;
    plain = true;
    window.plainly = true; // from now on the browser itself sends the forms
    seconds = showPlain();
    if (document.getElementById("partly")) document.getElementById("partly").setAttribute("hidden", "");
    if (unreached)
      tell("old"); // that is the network's fault, not the script's
    else tell("plain", seconds ? "data-renews" : "data-stays");
    if (seconds) renewAfter(seconds);
  }

  // While the page loads it is known only in the end whether its script runs.
  /** @param {string} where */
  function fail(where) {
    if (NEEDED.test(where) && window.runs) becomePlain();
    else if (!NEEDED.test(where) && !plain) tell("partly");
  }

  // Style sheets that the browser can't read come in a form that it can, and a script that sets what that form asks for.
  function takeOlderSheets() {
    /** @type {NodeListOf<HTMLLinkElement>} */
    var links = document.querySelectorAll("link[rel=stylesheet]");
    var script = document.createElement("script");
    var at;
    /** @param {HTMLLinkElement} link */
    function take(link) {
      var fresh = /** @type {HTMLLinkElement} */ (link.cloneNode(false));
      fresh.onload = function () {
        if (link.parentNode) link.parentNode.removeChild(link);
      };
      fresh.href = link.href.replace(".css", ".older.css");
      link.parentNode.insertBefore(fresh, link);
    }
    for (at = 0; at < links.length; at += 1) take(links[at]);
    script.src = ownScript.src.replace("/plain.js", "/older.js");
    document.head.appendChild(script);
  }

  if (!window.getComputedStyle(document.body).getPropertyValue("--newest")) takeOlderSheets();
  window.addEventListener(
    "error",
    function (event) {
      var script = /** @type {HTMLScriptElement} */ (event.target);
      if (script && script.nodeName === "SCRIPT") unreached = unreached || NEEDED.test(script.src);
      else if (OURS.test(event.filename) && !NO_FAULT.test(event.message)) fail(event.filename);
    },
    true
  );
  window.addEventListener("unhandledrejection", function (event) {
    var where = OURS.exec(event.reason && event.reason.stack);
    if (where) fail(where[0]);
  });
  window.addEventListener("load", function () {
    if (!window.runs && document.querySelector("script[src*='/companion.js'], script[src*='/overlay.js']"))
      becomePlain();
  });
})();
