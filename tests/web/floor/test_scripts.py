"""The oldest browsers that a room has: the pages' scripts run there; where they can't, the page is plain."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from companion import games
from companion.access import seat_rights
from companion.access.seat_rights import phone_of
from companion.live.pause import Why
from companion.live.simulation import Simulation
from companion.live.table import Live
from companion.web.setup import create_setup
from tests.chromium import PHONE, TELEVISION, Opened
from tests.needs import needs
from tests.web.floor.newer_functions import KNOWN, deleting
from tests.web.setting_up import PLANS, unconfigured
from tests.web.table import PEOPLE, TABLET, Clock, app_of, app_with, living, phones_of, scored, serving, to_count

BROKEN = {
    "that it can't read": "const page = live ?? class { static { nothing.of() } ;",
    "that it stumbles over": "document.notYet.begin();",
}


def as_oldest(page: Page, url: str) -> None:
    """Open it as a browser that knows nothing newer than the floor."""
    page.add_init_script(deleting())
    page.goto(url)


@pytest.fixture
def _data() -> None:
    needs("npm's @mdn/browser-compat-data", KNOWN.exists())


@pytest.mark.usefixtures("_data")
@pytest.mark.parametrize("slug", games.known())
def test_every_page_follows_the_table_without_anything_newer(slug: str, tmp_path: Path, opened: Opened) -> None:
    with living(tmp_path, Clock(), simulated=True) as live, serving(app_of(live)) as port:
        live.begin(slug, PEOPLE[: games.known()[slug].most_players], {})
        pages = {
            path: opened(f"http://127.0.0.1:{port}{path}", go=as_oldest, viewport=size)
            for path, size in {
                "/": PHONE,
                "/seat/3": PHONE,
                "/big": TELEVISION,
                "/host": PHONE,
                "/story": PHONE,
            }.items()
        }
        live.pause(Why.BREAK)
        for path in ("/", "/seat/3", "/big", "/host"):
            expect(pages[path].locator(".news.break").first).to_be_visible()
        for path in ("/join", "/results", "/season", f"/how/{slug}", "/table", "/tags"):
            opened(f"http://127.0.0.1:{port}{path}", go=as_oldest, viewport=PHONE)


@pytest.mark.usefixtures("_data")
def test_the_overlay_follows_the_table_without_anything_newer(live: Live, look: Opened) -> None:
    overlay = look("/overlay", go=as_oldest)
    expect(overlay.locator("#players li")).to_have_count(len(PEOPLE))
    scored(live)
    expect(overlay.locator("#news")).not_to_be_empty()


@pytest.mark.usefixtures("_data")
def test_a_table_is_set_up_without_anything_newer(tmp_path: Path, opened: Opened) -> None:
    work = unconfigured(tmp_path)
    work.phones.change(lambda rights: seat_rights.first(rights, phone_of(TABLET)))
    with serving(create_setup(work)) as port:
        page = opened(f"http://127.0.0.1:{port}/setup", go=as_oldest, viewport=PHONE)
        for stage in ("found", "lay", "press", "over"):
            work.setup.plan = PLANS[stage]
            work.bell.ring()
            tablet = create_setup(work).test_client()
            tablet.set_cookie("phone", TABLET)
            heading = re.findall("<h2[^>]*>([^<]+)", tablet.get("/setup?lang=en").text)
            for text in heading:
                expect(page.locator("#live")).to_contain_text(text.strip())


@pytest.mark.usefixtures("_data")
def test_an_act_says_which_button_it_was_without_anything_newer(live: Live, look: Opened) -> None:
    score = look("/", go=as_oldest)
    seat = look("/seat/3", go=as_oldest, viewport=PHONE)
    to_count(live)
    seat.get_by_role("button", name="4", exact=True).click()
    expect(seat.locator(".done")).to_contain_text("Got it")
    expect(score.locator("#lies-3")).to_contain_text("✓")
    expect(seat.locator("#toast")).not_to_contain_text("No answer")


@pytest.mark.usefixtures("_data")
def test_a_refusal_is_told_as_what_it_is_without_anything_newer(tmp_path: Path, opened: Opened) -> None:
    with living(tmp_path, Clock(), simulated=True) as live:
        simulation = Simulation(live, seed=lambda: "always the same")
        with serving(app_with(live, phones_of(live, {}), simulation=simulation)) as port:
            page = opened(f"http://127.0.0.1:{port}/", token=None, go=as_oldest, viewport=PHONE)
            page.locator("button[form=play]").first.click()
            expect(page.locator("#toast")).to_contain_text("Type a name")
            expect(page.locator("input[name=name]").first).to_be_focused()


@pytest.fixture
def stumbling(live: Live, browser: Browser) -> Iterator[Callable[[str, Callable[[str], str]], Page]]:
    """Open a page in still time whose own script is broken like this; its errors are no mistake of ours."""
    with serving(app_of(live)) as port, browser.new_context(viewport=PHONE, locale="en-GB") as context:
        context.add_cookies([{"name": "phone", "value": TABLET, "url": f"http://127.0.0.1:{port}/"}])

        def alter(route: Route, broken: Callable[[str], str]) -> None:
            answer = route.fetch()
            route.fulfill(response=answer, body=broken(answer.text()))

        def open_page(path: str, broken: Callable[[str], str]) -> Page:
            page = context.new_page()
            page.route("**/companion.js*", lambda route: alter(route, broken))
            page.clock.install(time=0)
            page.clock.pause_at(1000)
            page.goto(f"http://127.0.0.1:{port}{path}")
            return page

        yield open_page


@pytest.mark.parametrize("fault", BROKEN)
@pytest.mark.parametrize("path", ["/", "/big"])
def test_a_page_whose_script_does_not_run_renews_itself_and_says_so(
    path: str, fault: str, live: Live, stumbling: Callable[[str, Callable[[str], str]], Page]
) -> None:
    page = stumbling(path, lambda _: BROKEN[fault])
    expect(page.locator("#plain")).to_contain_text("renews itself")
    expect(page.locator("#old")).to_be_hidden()
    to_count(live)
    with page.expect_navigation():
        page.clock.fast_forward(5000)
    expect(page.locator("#live")).to_contain_text("Count your red cards")


def test_a_page_whose_script_fails_later_renews_itself_and_sends_its_forms_as_they_are(
    live: Live, stumbling: Callable[[str, Callable[[str], str]], Page]
) -> None:
    """What it stumbles over is never told as the network's."""
    to_count(live)
    page = stumbling(
        "/seat/3", lambda script: script.replace("function show(html) {", "function show(html) { nothing.at.all;")
    )
    expect(page.locator("#plain")).to_contain_text("reload the page")
    expect(page.get_by_role("link", name="Look again")).to_be_visible()
    with page.expect_navigation():
        page.get_by_role("button", name="4", exact=True).click()
    expect(page.locator("#live")).to_contain_text("Got it")


def test_a_form_that_the_script_can_t_send_is_sent_by_the_browser(
    live: Live, stumbling: Callable[[str, Callable[[str], str]], Page]
) -> None:
    to_count(live)
    page = stumbling(
        "/seat/3",
        lambda script: script.replace("function send(form, by) {", "function send(form, by) { nothing.at.all;"),
    )
    with page.expect_navigation():
        page.get_by_role("button", name="4", exact=True).click()
    expect(page.locator("#live")).to_contain_text("Got it")


def test_an_answer_that_the_script_stumbles_over_is_not_told_as_the_networks(
    live: Live, stumbling: Callable[[str, Callable[[str], str]], Page]
) -> None:
    to_count(live)
    page = stumbling(
        "/seat/3",
        lambda script: script.replace("function take({", "function take() { nothing.at.all; } function other({"),
    )
    page.get_by_role("button", name="4", exact=True).click()
    expect(page.locator("#plain")).to_contain_text("run this page’s script")
    expect(page.locator("#toast")).not_to_contain_text("No answer")


def test_a_script_that_did_not_come_is_the_networks_fault(live: Live, look: Opened) -> None:
    def cut(page: Page, url: str) -> None:
        page.route("**/companion.js*", lambda route: route.abort())
        page.goto(url)

    page = look("/", go=cut)
    expect(page.locator("#old")).to_contain_text("Offline")
    expect(page.locator("#plain")).to_be_hidden()
