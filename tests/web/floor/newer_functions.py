"""What browsers newer than the oldest know, by MDN's data: a page is tried with all of it deleted."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

KNOWN = Path(__file__).parents[3] / "build/floor/node_modules/@mdn/browser-compat-data/data.json"
FLOOR: dict[str, str] = json.loads(Path(__file__).with_name("floor.json").read_text("utf-8"))
_DELETE = """(() => {
  for (const path of %s) {
    const [owner, name] = path.split(".");
    if (name === undefined) { delete window[owner]; continue; }
    const holder = name.endsWith("_static") || !window[owner]?.prototype ? window[owner] : window[owner].prototype;
    if (holder) delete holder[name.replace("_static", "")];
  }
  const Fields = window.FormData; // its second parameter
  window.FormData = class extends Fields { constructor(form) { super(form); } };
  const find = {}; // what a selector may say
  for (const holder of [Document.prototype, DocumentFragment.prototype, Element.prototype])
    for (const name of ["querySelector", "querySelectorAll", "closest", "matches"]) {
      const own = Object.getOwnPropertyDescriptor(holder, name)?.value;
      if (own) holder[name] = function (selector) {
        if (/%s/.test(selector)) throw new SyntaxError(`not a selector: ${selector}`);
        return own.call(this, selector);
      };
    }
})()"""
_KEPT = {"AudioContext", "BaseAudioContext"}
"""Safari 14.0 has them by an older name."""


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.removeprefix("≤").split(".")))


def _has(support: Any, floor: str) -> bool:
    return any(
        isinstance(statement.get("version_added"), str)
        and re.fullmatch(r"≤?[\d.]+", statement["version_added"])
        and not {"version_removed", "flags", "prefix", "alternative_name"} & statement.keys()
        and _number(statement["version_added"]) <= _number(floor)
        for statement in (support if isinstance(support, list) else [support])
    )


def _at_floor(feature: dict[str, Any]) -> bool:
    support = feature.get("__compat", {}).get("support")
    return support is None or all(_has(support.get(browser, {}), version) for browser, version in FLOOR.items())


@cache
def compatibility_data() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(KNOWN.read_text("utf-8"))
    return data


def newer() -> Iterator[str]:
    """Yield what some browser at the floor lacks: an interface or a global, or one of its members."""
    for owner, members in {**compatibility_data()["api"], **compatibility_data()["javascript"]["builtins"]}.items():
        if owner in _KEPT:
            continue
        if not _at_floor(members):
            yield owner
            continue
        for name, member in members.items():
            if name != "__compat" and name.isidentifier() and name != owner and not _at_floor(member):
                yield f"{owner}.{name}"


@cache
def deleting() -> str:
    """Return a script that takes all of it from a page before its own scripts run."""
    selectors = [name for name, selector in compatibility_data()["css"]["selectors"].items() if not _at_floor(selector)]
    pseudo_classes = "|".join(f":{re.escape(name)}(?![a-z-])" for name in selectors if name != "nesting")
    return _DELETE % (json.dumps(sorted(newer())), pseudo_classes)
