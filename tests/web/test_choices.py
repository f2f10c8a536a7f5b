"""What a person has chosen, typed or opened stays while a page renews itself; what can't stay is said."""

import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, Route, expect

from companion.kit.in_chromium import Rendered
from tests.chromium import Opened, module
from tests.conftest import LONG
from tests.web.states import TABLES, rendered
from tests.web.table import app_with, client_of, living, phones_of, post

STATIC = Path(__file__).parents[2] / "web" / "static"
AFRESH = '(await import("/static/afresh.js"))'
"""The script that renews a page, where a page is shown without its table."""
RENEWED = """() => [...document.querySelectorAll(document.body.dataset.stream ? "#live" : "[data-afresh]")]"""
"""The parts of a page that renew themselves."""
CONTROLS = "input:not([type=hidden]), select, textarea"
TOUCH = f"""part => {{
  const controls = [...part.querySelectorAll("{CONTROLS}")].filter((one) => !one.disabled);
  const another = {{
    radio: (one) => {{
      const group = controls.filter((other) => other.name === one.name && other.form === one.form);
      if (!one.defaultChecked && !group.some((other) => other.touched)) one.click();
    }},
    checkbox: (one) => one.click(),
    "select-one": (one) => {{ one.selectedIndex = (one.selectedIndex + 1) % one.length; }},
    number: (one) => {{ one.value = one.max || "7"; }},
    range: (one) => {{ one.value = one.max; }},
    date: (one) => {{ one.value = "2001-02-03"; }},
    file: () => {{}}, // only a person can choose one
    "datetime-local": (one) => {{ one.value = "2001-02-03T04:05"; }},
  }};
  for (const one of controls) {{
    (another[one.type] ?? (() => {{ one.value = "typed"; }}))(one);
    one.touched = one.checked;
    for (const kind of ["input", "change"]) one.dispatchEvent(new Event(kind, {{ bubbles: true }}));
  }}
  for (const one of part.querySelectorAll("details > summary")) one.click();
}}"""
"""Set everything to something else, as hands would."""
STATE = f"""part => [...part.querySelectorAll("{CONTROLS}, details:not([id^=fold])")].map((one) => [
  one.form?.getAttribute("action") ?? "",
  one.name ?? "",
  one.type ?? one.querySelector("summary").textContent.trim(),
  one.options ? "" : one.labels?.[0]?.textContent.replace(/\\s+/g, " ").trim() ?? "",
  ["radio", "checkbox"].includes(one.type) ? `${{one.value}} ${{one.checked}}` : one.open ?? one.value,
].join(" | ")).sort()"""
RENEWALS = {
    "as it was": "() => {}",
    "suggesting others": """fresh => {
      const all = (css) => fresh.querySelectorAll(css);
      for (const one of all("input[type=checkbox]")) one.toggleAttribute("checked");
      const groups = Map.groupBy(all("input[type=radio]:enabled"), (one) => `${one.form?.action} ${one.name}`);
      for (const group of groups.values()) {
        const suggested = group.some((one) => one.hasAttribute("checked")) ? group.at(-1) : group[0];
        for (const one of group) one.toggleAttribute("checked", one === suggested);
      }
      for (const one of all("option")) one.toggleAttribute("selected", !one.previousElementSibling);
      for (const one of all("input[type=text], input:not([type])")) one.setAttribute("value", "another");
    }""",
    "in another order": """fresh => {
      for (const group of fresh.querySelectorAll("fieldset, fieldset > div, select")) {
        const first = group.querySelector("legend")?.nextSibling ?? group.firstChild;
        for (const one of [...group.children].filter((child) => child.matches("label, option"))) {
          group.insertBefore(one, first);
        }
      }
    }""",
    "with more above": """fresh => {
      for (const one of fresh.querySelectorAll("form, details")) one.before(document.createElement("p"));
    }""",
    "with less above": f"""fresh => {{
      const stays = "summary, legend, label, details, form, {CONTROLS}";
      for (const one of fresh.querySelectorAll("form, details")) {{
        const above = one.previousElementSibling;
        if (above && !above.id && !above.matches(stays) && !above.querySelector(stays)) above.remove();
      }}
    }}""",
    "folded away": """fresh => {
      for (const form of fresh.querySelectorAll("form")) {
        const fold = Object.assign(document.createElement("details"), { id: `fold-${form.action}` });
        fold.append(document.createElement("summary"));
        form.replaceWith(fold);
        fold.append(form);
      }
    }""",
    "in another part": """fresh => {
      for (const form of fresh.querySelectorAll("form")) {
        const part = document.createElement("section");
        form.replaceWith(part);
        part.append(form);
      }
    }""",
}
"""How what comes may differ from what is there: each makes it so."""


class Forms(HTMLParser):
    """The forms of a page that have something to choose, to type or to open, each by all that it asks."""

    def __init__(self, html: str):
        super().__init__()
        self.found: set[str] = set()
        self._asked = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        names = dict(attributes)
        if tag == "form":
            self._asked = names.get("action") or ""
        elif tag in ("input", "select", "textarea") and names.get("type") != "hidden":
            self._asked += f" {tag} {names.get('type')} {re.sub(r'[0-9]+', '#', names.get('name') or '')}"

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.found |= {self._asked} if " " in self._asked else set()
            self._asked = ""


def renewing() -> list[Rendered]:
    """Return pages on which every form stands that stands on any page that renews itself."""
    forms_seen = set[str]()
    few = list[Rendered]()
    for table in TABLES:
        for state in rendered(table):
            if state.language == "en" and ("data-stream" in state.html or "data-afresh" in state.html):
                forms = Forms(state.html).found
                few += [state] if forms - forms_seen else []
                forms_seen |= forms
    assert len(forms_seen) > 20, forms_seen
    return few


SERVED = re.compile(r"<script.*?</script>|<link[^>]*>|<noscript>.*?</noscript>", re.DOTALL)
"""What a page has from its table: nothing of it answers here."""


@pytest.fixture(scope="module")
def alone(browser: Browser) -> Iterator[Callable[[Rendered], Page]]:
    """Show a page without its table, with the scripts by which it is renewed."""
    page = browser.new_page()
    htmls = list[str]()
    page.set_default_timeout(LONG)

    def answer(route: Route) -> None:
        file = STATIC / urlsplit(route.request.url).path.removeprefix("/static/")
        if route.request.is_navigation_request():
            route.fulfill(body=htmls[-1], content_type="text/html")
        elif file.suffix == ".js":
            route.fulfill(body=file.read_text("utf-8"), content_type="text/javascript")
        else:
            route.abort()

    def show(state: Rendered) -> Page:
        htmls.append(SERVED.sub("", state.html))
        page.goto("http://table.test/")
        return page

    page.route("**/*", answer)
    yield show
    page.close()


@pytest.mark.parametrize("renewal", RENEWALS)
def test_whatever_was_touched_in_a_form_stays_however_its_page_is_renewed(
    alone: Callable[[Rendered], Page], renewal: str
) -> None:
    changed = f"""async () => {{ const {{ renew }} = {AFRESH}; return ({RENEWED})().flatMap((part) => {{
      const fresh = part.cloneNode(true), touch = {TOUCH}, state = {STATE}, differ = {RENEWALS[renewal]};
      differ(fresh);
      touch(part);
      const before = state(part);
      renew(part, fresh);
      const after = state(part);
      return before.filter((one) => !after.includes(one)).concat(after.filter((one) => !before.includes(one)));
    }}); }}"""
    assert [(str(state), lost) for state in renewing() for lost in alone(state).evaluate(changed)] == []


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Flask]:
    """A virtual table before its first match: whoever sits down is offered an animal, a colour and a seat."""
    with living(tmp_path, simulated=True) as live:
        yield app_with(live, phones_of(live, {}))


def sit(app: Flask, name: str, animal: str, colour: str, seat: int) -> None:
    form = {"name": name, "animal": animal, "colour": colour, "seat": seat}
    assert post(client_of(app, None), "/sit", **form)[0] == 200


def choices_on(page: Page) -> list[str]:
    """Return what is chosen on a page, and what it says of choices that are gone."""
    chosen: list[str] = page.evaluate("[...document.querySelectorAll('#live input:checked')].map((one) => one.value)")
    return chosen + page.locator(".choice-gone").all_text_contents()


def renewed(page: Page) -> None:
    """Have a page renew itself, as it does every few seconds."""
    page.evaluate(f"async () => ({module('afresh')}).afresh()")


def choose(page: Page, animal: str, colour: str, seat: int) -> None:
    for label in (animal, colour, f"seat {seat}"):
        page.get_by_label(label, exact=True).check()


def test_what_i_have_chosen_stays_while_another_sits_down(table: Flask, served: Callable[[Flask], Opened]) -> None:
    page = served(table)("/join", token=None)
    choose(page, "cat", "violet", 6)
    sit(table, "Yan", "fox", "red", 1)
    renewed(page)
    expect(page.get_by_label("fox (taken: Yan)")).to_be_disabled()
    assert choices_on(page) == ["cat", "violet", "6"]


def test_what_another_has_taken_is_unticked_and_said_where_it_stood_until_i_choose_again(
    table: Flask, served: Callable[[Flask], Opened]
) -> None:
    page = served(table)("/join", token=None)
    choose(page, "cat", "violet", 6)
    sit(table, "Yan", "cat", "red", 6)
    for _ in range(2):
        renewed(page)
        expect(page.get_by_label("cat (taken: Yan)")).to_be_disabled()
        assert choices_on(page) == [
            "violet",
            "“cat” is no longer free. Choose again.",
            "“seat 6” is no longer free. Choose again.",
        ]
    expect(page.locator("#toast")).to_contain_text("is no longer free")
    choose(page, "owl", "violet", 2)
    renewed(page)
    assert choices_on(page) == ["owl", "violet", "2"]


def test_a_suggestion_that_another_has_taken_moves_and_says_so(table: Flask, served: Callable[[Flask], Opened]) -> None:
    page = served(table)("/join", token=None)
    animal, colour, seat = choices_on(page)
    sit(table, "Yan", animal, colour, int(seat))
    renewed(page)
    expect(page.locator(".choice-gone")).to_have_count(3)
    first, second, third = choices_on(page)[:3]
    assert (first, second, third) != (animal, colour, seat)
    assert f"“{animal}” is no longer free. Chosen for you instead: “{first}”." in choices_on(page)


def test_whom_i_have_unticked_is_not_ticked_again_by_changing_seats(
    table: Flask, served: Callable[[Flask], Opened]
) -> None:
    yan = client_of(table, None)
    looks = {"name": "Yan", "animal": "fox", "colour": "red"}
    assert post(yan, "/sit", **looks, seat=1)[0] == 200
    page = served(table)("/host/match", token=None)
    page.locator("[name=plays-1]").first.uncheck()
    assert post(yan, "/sit", **looks, seat=4)[0] == 200
    renewed(page)
    expect(page.locator("[name=plays-4]").first).not_to_be_checked()
