"""For who plays by keyboard, by ear or in the system's own colours. How every page looks: `test_states.py`."""

from pathlib import Path

from playwright.sync_api import Page, expect

from companion.devices.monotonic_clock import TableClock
from companion.devices.sensing import Failed, Working
from companion.live.table import Live
from tests.chromium import DESK, PHONE, Opened, until_news
from tests.web.listening import RECORD, hear, take_heard
from tests.web.table import app_of, count, living, serving, to_count


def test_a_fresh_page_leaves_the_focus_and_what_is_typed(live: Live, look: Opened) -> None:
    to_count(live, "special-stop-1")
    live.tell(Failed("reader seat-2", "no answer: is it plugged in?", 0.0))
    phone = look("/seat/3")
    phone.get_by_text("Report a fault").click()
    field = phone.get_by_label("How many cards")
    field.focus()
    field.press_sequentially("3")
    live.tell(Working("reader seat-2", "PN532", 0.0))
    expect(phone.locator(".broken")).to_have_count(0)
    expect(field).to_be_focused()
    field.press_sequentially("1")
    count(live, 1, 8)
    expect(phone.locator(".news")).to_have_count(0)
    live.tell(Failed("reader seat-2", "no answer: is it plugged in?", 0.0))
    expect(phone.locator(".broken")).to_have_count(1)
    expect(field).to_be_focused()
    expect(field).to_have_value("31")
    expect(phone.locator(".faults")).to_have_attribute("open", "")


def test_what_is_gone_leaves_the_focus_to_the_sentence_that_says_what_to_do_now(live: Live, look: Opened) -> None:
    to_count(live)
    phone = look("/seat/3")
    phone.get_by_role("button", name="4", exact=True).focus()
    phone.keyboard.press("Enter")
    expect(phone.locator(".done")).to_contain_text("Got it")
    expect(phone.locator("#now")).to_be_focused()
    phone.keyboard.press("Tab")
    expect(phone.get_by_role("button", name="I counted wrong")).to_be_focused()


def test_nothing_is_said_again_that_stays(live: Live, look: Opened) -> None:
    def go(page: Page, url: str) -> None:
        page.add_init_script(RECORD)
        page.goto(url)
        until_news(page)

    to_count(live)
    live.tell(Failed("reader seat-2", "no answer: is it plugged in?", 0.0))
    phone = look("/", go=go)
    take_heard(phone)
    live.tell(Working("reader seat-2", "PN532", 0.0))
    expect(phone.locator(".broken")).to_have_count(0)
    assert take_heard(phone) == []
    count(live, 1, 2)
    assert [how for how, text in hear(phone, "Waiting for Bo")] == ["said"]


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
        for seat, name in ((1, "Zoë"), (2, "Yan"), (3, "Xia")):  # as many as any game needs
            while page.evaluate("document.activeElement.name") != f"seat-{seat}":
                page.keyboard.press("Tab")
            page.keyboard.type(name)
        while page.evaluate("document.activeElement.textContent") != "Start the match":
            page.keyboard.press("Tab")
        ring = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert ring == "solid"
        page.keyboard.press("Space")
        page.wait_for_url(f"http://127.0.0.1:{port}/table")
        assert live.snapshot.views[None]["game"] == chosen


def test_the_order_of_tab_is_the_order_on_the_page(live: Live, look: Opened) -> None:
    to_count(live)
    page = look("/seat/1", viewport=PHONE)
    assert page.locator("[tabindex]:not([tabindex='-1'])").count() == 0
    number = page.locator("a[href]:visible, button:visible:enabled, summary:visible").count()
    tops = []
    for _ in range(number):
        page.keyboard.press("Tab")
        tops.append(page.evaluate("document.activeElement.getBoundingClientRect().bottom + scrollY"))
    assert tops == sorted(tops)


def test_colours_the_system_chooses_leave_shapes_and_choices(live: Live, look: Opened) -> None:
    to_count(live)
    page = look("/table", forced_colors="active")
    page.get_by_text("Lay any card by hand").click()
    chip = page.get_by_role("group", name="red").get_by_role("radio", name="7", exact=True)
    chip.check(force=True)
    symbol = page.locator(".now .symbol")
    background = "one => getComputedStyle(one).backgroundColor"
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert symbol.evaluate(background) != page.locator(".now").evaluate(background)
        assert chip.evaluate("one => getComputedStyle(one.nextElementSibling).outlineStyle") == "solid"


def test_words_are_in_the_colours_the_system_chooses(live: Live, look: Opened) -> None:
    """On a seat's page too, though it is a player's: only things keep a game's colours."""
    to_count(live)
    page = look("/seat/1", forced_colors="active")
    ink = "one => getComputedStyle(one).color"
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        chosen = page.locator("body").evaluate(ink)
        for words in page.locator("#phone :is(h2, .now, .headline):visible").all():
            assert words.evaluate(ink) == chosen, words.inner_text()


def test_of_all_ones_seats_that_which_is_shown_is_in_view(tmp_path: Path, opened: Opened) -> None:
    with living(tmp_path, TableClock(), simulated=True) as live, serving(app_of(live)) as port:
        page = opened(f"http://127.0.0.1:{port}/seat/6", viewport=PHONE)
        expect(page.locator("#own-6")).to_be_in_viewport(ratio=1)
        page.goto(f"http://127.0.0.1:{port}/seat/1")
        expect(page.locator("#own-1")).to_be_in_viewport(ratio=1)
