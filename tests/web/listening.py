"""What a screen reader is told by a page in Chromium: what is put into its live regions, and what takes the focus."""

from typing import Any

from playwright.sync_api import Page

from tests.waiting import until

RECORD = """
window.heard = [];
const REGIONS = '[aria-live], [role=status], [role=alert], [role=log]';
const sentences = one => (one.matches?.('#voice > p') ? [...one.children] : [one]);
const region = one => (one.nodeType == 1 ? one : one.parentElement)?.closest(REGIONS);
addEventListener('DOMContentLoaded', () => {
  new MutationObserver(all => all.forEach(({type, target, addedNodes}) => {
    for (const one of type == 'characterData' ? [target] : addedNodes) {
      const live = region(one);
      // A region that is put into the page together with its text says nothing: screen readers leave it out.
      if (live && live !== one && !(one.nodeType == 1 && one.contains(live)))
        for (const said of sentences(one).map(({textContent}) => textContent.trim()))
          if (said) window.heard.push(['said', said]);
    }
  })).observe(document.body, {subtree: true, childList: true, characterData: true});
  document.addEventListener('focusin', ({target}) => window.heard.push(['focus', target.textContent.trim()]));
});
"""


def take_heard(page: Page) -> list[tuple[str, str]]:
    """Return what was said and what took the focus since the page was asked last, in order."""
    return [(how, text) for how, text in page.evaluate("window.heard.splice(0)")]


def hear(page: Page, text: str) -> list[tuple[str, str]]:
    """Wait until this is heard; return all that was heard up to then."""
    until(lambda: any(text in words for _, words in page.evaluate("window.heard")))
    page.wait_for_timeout(150)  # what the same act brings has come
    return take_heard(page)


def focused_in_tree(page: Page) -> dict[str, Any]:
    """Return what has the focus in the accessibility tree, as a screen reader finds it."""
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    for node in nodes:
        properties = {property_["name"]: property_["value"].get("value") for property_ in node.get("properties", [])}
        if properties.get("focused") and node["role"]["value"] != "RootWebArea":
            return {"role": node["role"]["value"], "name": node["name"]["value"]}
    return {}
