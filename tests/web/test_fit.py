"""Fit for everyone: every page in many states, looked at by axe and by what it cannot see, in a real Chromium.

axe-core is npm's, in `build/axe` (`make axe`). It says nothing of targets for fingers, of a page that scrolls sideways,
or of what moves: those are measured here.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.devices.check.checkup import Checkup
from companion.devices.check.walk import around
from companion.devices.clock import TableClock
from companion.devices.sensing import Appeared, Crowded, Failed, Working
from companion.live.table import Live
from companion.storage.log import LogFault
from tests.chromium import Opened
from tests.needs import needs
from tests.web.scenes import SCENES, Scene, pages_of, stood
from tests.web.table import PEOPLE, TABLET, Clock, app_of, app_with, count, living, phones_of, serving, to_count

ROOT = Path(__file__).parents[2]
AXE = ROOT / "build/axe/node_modules/axe-core/axe.min.js"
PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 800}
NARROW = {"width": 320, "height": 640}
"""As wide as 1280 pixels are at 400 %, and 640 at 200 %."""
STILL = ("/big", "/host/codes", "/join", "/story", "/results", "/season", "/tags", "/not-there")
"""Pages that no match changes much."""

WHOLE = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}
INK = {"runOnly": ["color-contrast"]}
CHECK = """asked => axe.run(document, {...asked, resultTypes: ['violations'], preload: false}).then(found =>
    found.violations.flatMap(one => one.nodes.map(node =>
        `${one.id}: ${node.html.slice(0, 200)} (${node.failureSummary})`)))"""
OPEN = "for (const one of document.querySelectorAll('details')) one.open = true"
TOO_SMALL = """() => [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, summary')]
    .filter(one => one.checkVisibility() && !one.disabled && getComputedStyle(one).display != 'inline')
    .map(one => [one, (one.closest('label') ?? one).getBoundingClientRect()])
    .filter(([, box]) => box.width < 43.9 || box.height < 43.9)
    .map(([one, box]) => `${box.width} x ${box.height}: ${one.outerHTML.slice(0, 120)}`)"""
TOO_WIDE = """() => document.documentElement.scrollWidth <= document.documentElement.clientWidth ? [] :
    [...document.querySelectorAll('body *')].filter(one => one.checkVisibility() &&
        one.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5)
    .map(one => `too wide: ${one.outerHTML.slice(0, 120)}`).slice(-3)"""
MOVING = """() => [...document.querySelectorAll('*')].map(one => getComputedStyle(one))
    .filter(style => !['none', 'settle'].includes(style.animationName) || style.transitionDuration != '0s')
    .map(style => `moves: ${style.animationName}`)"""
"""`settle` moves nothing: it keeps a second tap of the same finger from what has just appeared under it."""
LARGER = "size => { document.documentElement.style.fontSize = size; }"


@pytest.fixture(scope="module")
def axe() -> str:
    needs("axe-core", AXE.exists())
    return AXE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """One phone for all, for a cookie knows no port; in French, which needs more room than English."""
    context = browser.new_context(locale="fr-FR", viewport=PHONE, reduced_motion="reduce")
    context.add_cookies([{"name": "phone", "value": TABLET, "url": "http://127.0.0.1/"}])
    yield context.new_page()
    context.close()


def wrong_on(page: Page, address: str, axe: str) -> list[str]:
    """Give what is wrong with a page on a phone, in the dark, on a desk, at 400 % and with larger letters."""
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="light")
    page.goto(address)
    page.evaluate(OPEN)
    page.evaluate(axe)
    found: list[Any] = [*page.evaluate(CHECK, WHOLE), *page.evaluate(TOO_SMALL), *page.evaluate(MOVING)]
    page.emulate_media(color_scheme="dark")
    found += page.evaluate(CHECK, INK)
    page.evaluate(LARGER, "150%")
    found += page.evaluate(TOO_WIDE)
    page.evaluate(LARGER, "")
    page.set_viewport_size(NARROW)
    found += page.evaluate(TOO_WIDE)
    return [f"{address}: {one}" for one in found]


@pytest.mark.parametrize("scene", SCENES, ids=[scene.name for scene in SCENES])
def test_every_page_of_a_match_is_fit_for_everyone(scene: Scene, tmp_path: Path, page: Page, axe: str) -> None:
    with stood(scene, tmp_path) as live, serving(app_of(live)) as port:
        for path in pages_of(live):
            assert wrong_on(page, f"http://127.0.0.1:{port}{path}", axe) == []


@pytest.mark.parametrize("scene", [SCENES[0], SCENES[3]], ids=["before the first match", "in a match"])
def test_the_other_pages_are_fit_for_everyone(scene: Scene, tmp_path: Path, page: Page, axe: str) -> None:
    with stood(scene, tmp_path) as live, serving(app_of(live)) as port:
        for path in STILL:
            assert wrong_on(page, f"http://127.0.0.1:{port}{path}", axe) == []


@pytest.mark.parametrize("game", ["stop-it", "stop-me-go", "go", "kartel"])
def test_a_desk_is_as_good_as_a_phone(game: str, tmp_path: Path, page: Page, axe: str) -> None:
    scene = next(scene for scene in SCENES if scene.game == game and scene.filled)
    with stood(scene, tmp_path) as live, serving(app_of(live)) as port:
        page.set_viewport_size(DESK)
        for path in (*pages_of(live), "/big"):
            page.goto(f"http://127.0.0.1:{port}{path}?lang=en")
            page.evaluate(axe)
            for scheme in ("dark", "light"):
                page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
                assert page.evaluate(CHECK, WHOLE if scheme == "light" else INK) == [], path


def test_who_only_looks_on_finds_pages_that_fit(tmp_path: Path, opened: Opened, axe: str) -> None:
    with stood(SCENES[3], tmp_path) as live, serving(app_with(live, phones_of(live, {}))) as port:
        looking = opened(f"http://127.0.0.1:{port}/", token=None, reduced_motion="reduce")
        for path in ("/", "/seat/1", "/host", "/table", "/tags"):
            assert wrong_on(looking, f"http://127.0.0.1:{port}{path}", axe) == []


def test_what_is_wrong_is_told_to_everyone(
    tmp_path: Path, page: Page, axe: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*event: object) -> None:
        raise LogFault("the disk is full")

    with living(tmp_path, tags=tmp_path / "tags.toml") as live:
        checkup = Checkup([], around((1, 3), ("centre",)), live.clock, "2.0", live.tell, lambda: None)
        app = app_of(live, virtual=False, checkup=checkup)
        live.begin("stop-it", PEOPLE, {})
        live.enrol(lambda enrolment: enrolment.begin("kartel", {}))
        live.tell(Appeared("centre", "04A1B2C3D4E5F6", live.clock()), Crowded("seat-3", 0.0))
        live.tell(Failed("reader seat-2", "no answer: is it plugged in?", 0.0), Working("buzzers", "box 1.0", 0.0))
        checkup.begin()
        monkeypatch.setattr(live._recorder._log, "append", full)
        monkeypatch.setattr(live._recorder._log, "try_to_write", full)
        with serving(app) as port:
            address = f"http://127.0.0.1:{port}"
            app.test_client().post("/enter", data={"kind": "pressed", "seat": "1"})
            for path in ("/", "/seat/1", "/host", "/check", "/tags"):
                assert wrong_on(page, f"{address}{path}", axe) == []


def test_a_fresh_page_leaves_the_focus_and_what_is_typed(live: Live, clock: Clock, opened: Opened) -> None:
    to_count(live, clock, "special-stop-1")
    live.tell(Failed("reader seat-2", "no answer: is it plugged in?", 0.0))
    with serving(app_of(live)) as port:
        phone = opened(f"http://127.0.0.1:{port}/seat/3")
        field = phone.get_by_label("How many cards")
        field.focus()
        field.press_sequentially("3")
        live.tell(Working("reader seat-2", "PN532", 0.0))
        expect(phone.locator(".broken")).to_have_count(0)
        expect(field).to_be_focused()
        field.press_sequentially("1")
        count(live, 1, 8)
        expect(phone.locator(".now")).to_contain_text("Still to come: Bo")
        live.tell(Failed("reader seat-2", "no answer: is it plugged in?", 0.0))
        expect(phone.locator(".broken")).to_have_count(1)
        expect(field).to_be_focused()
        expect(field).to_have_value("31")


def test_what_is_gone_leaves_the_focus_where_it_stood(live: Live, clock: Clock, opened: Opened) -> None:
    to_count(live, clock)
    with serving(app_of(live)) as port:
        phone = opened(f"http://127.0.0.1:{port}/seat/3")
        phone.get_by_role("button", name="4", exact=True).focus()
        phone.keyboard.press("Enter")
        expect(phone.locator(".done")).to_contain_text("Your count is in")
        assert phone.evaluate("document.querySelector('main').contains(document.activeElement)")
        phone.keyboard.press("Tab")
        expect(phone.get_by_role("button", name="It was wrong")).to_be_focused()


def test_nothing_is_read_out_again_that_stays(live: Live, clock: Clock, opened: Opened) -> None:
    """A screen reader reads a live region out when its text changes, and when it is put into the page."""
    to_count(live, clock)
    live.tell(Failed("reader seat-2", "no answer: is it plugged in?", 0.0))
    with serving(app_of(live)) as port:
        phone = opened(f"http://127.0.0.1:{port}/seat/3")
        phone.evaluate("""() => {
            window.read = [];
            const live = one => (one.nodeType == 1 ? one : one.parentElement)?.closest('[role=status], [role=alert]');
            new MutationObserver(all => all.forEach(one => {
                const touched = one.type == 'characterData' ? [one.target] : [...one.addedNodes];
                touched.map(live).filter(Boolean).forEach(region => window.read.push(region.id));
            })).observe(document.querySelector('main'), {subtree: true, childList: true, characterData: true});
        }""")
        live.tell(Working("reader seat-2", "PN532", 0.0))
        expect(phone.locator(".broken")).to_have_count(0)
        assert phone.evaluate("window.read") == []
        count(live, 1, 2)
        expect(phone.locator("#now")).to_contain_text("Still to come: Bo")
        assert phone.evaluate("window.read") == ["now"]


def test_everything_is_done_with_the_keyboard_alone(tmp_path: Path, opened: Opened) -> None:
    with living(tmp_path, TableClock(), simulated=True) as live, serving(app_of(live)) as port:
        page = opened(f"http://127.0.0.1:{port}/host", viewport=DESK)
        for press in ("Tab", "ArrowDown"):  # the card of the next game
            page.keyboard.press(press)
            while press == "Tab" and page.evaluate("document.activeElement.name") != "game":
                page.keyboard.press("Tab")
        chosen = page.evaluate("document.activeElement.value")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")  # its options
        expect(page.locator("details.options[open]")).to_have_count(1)
        for seat, name in ((1, "Zoë"), (2, "Yan")):
            while page.evaluate("document.activeElement.name") != f"seat-{seat}":
                page.keyboard.press("Tab")
            page.keyboard.type(name)
        while page.evaluate("document.activeElement.textContent") != "Start the match":
            page.keyboard.press("Tab")
        ring = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert ring == "solid"
        page.keyboard.press("Space")
        page.wait_for_url(f"http://127.0.0.1:{port}/")
        assert live.snapshot.views[None]["game"] == chosen


def test_the_order_of_tab_is_the_order_on_the_page(live: Live, clock: Clock, opened: Opened) -> None:
    to_count(live, clock)
    with serving(app_of(live)) as port:
        page = opened(f"http://127.0.0.1:{port}/seat/1", viewport=PHONE)
        assert page.locator("[tabindex]:not([tabindex='-1'])").count() == 0
        number = page.locator("a[href]:visible, button:visible:enabled, summary:visible").count()
        tops = []
        for _ in range(number):
            page.keyboard.press("Tab")
            tops.append(page.evaluate("document.activeElement.getBoundingClientRect().bottom + scrollY"))
        assert tops == sorted(tops)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_the_system_chooses_leave_shapes_and_choices(
    live: Live, clock: Clock, opened: Opened, scheme: str
) -> None:
    to_count(live, clock)
    with serving(app_of(live)) as port:
        page = opened(f"http://127.0.0.1:{port}/table", forced_colors="active", color_scheme=scheme)
        symbol = page.locator(".now .symbol")
        seen = "one => getComputedStyle(one).backgroundColor"
        assert symbol.evaluate(seen) != page.locator(".now").evaluate(seen)
        page.get_by_text("Lay any card by hand").click()
        chip = page.get_by_role("group", name="red").get_by_role("radio", name="7", exact=True)
        chip.check(force=True)
        assert chip.evaluate("one => getComputedStyle(one.nextElementSibling).outlineStyle") == "solid"
