"""The pages in a real browser: live without a reload, back after a lost connection, a whole match by hand."""

import re
from pathlib import Path

from flask.testing import FlaskClient
from playwright.sync_api import APIResponse, Page, Route, expect

from companion.events import Pressed
from companion.kit.in_chromium import Glass, Rendered
from companion.live.table import Live
from tests.chromium import DESK, PHONE, Opened, in_still_time, module
from tests.waiting import until
from tests.web.table import PEOPLE, Clock, acts, app_of, count, counts, living, serving, to_count


def test_two_phones_see_the_same_without_a_reload(live: Live, look: Opened) -> None:
    score = look("/")
    phone = look("/seat/3", locale="fr-FR", viewport={"width": 360, "height": 740})
    score.evaluate("window.same = true")
    phone.evaluate("window.same = true")
    to_count(live, "violet-stop-1")
    expect(score.locator(".now")).to_contain_text("Count your violet cards")
    expect(phone.locator(".now")).to_contain_text("Comptez")
    phone.get_by_role("button", name="4", exact=True).click()
    expect(phone.locator(".done")).to_contain_text("On dévoile")
    expect(score.locator("#lies-3")).to_contain_text("✓")
    expect(score.locator("#lies-3")).not_to_contain_text("4")
    phone.get_by_role("button", name="J’ai mal compté : annuler").click()
    expect(score.locator("#lies-3")).to_contain_text("… counting")
    phone.get_by_role("button", name="5", exact=True).click()
    count(live, 1, 2)
    count(live, 5, 9)
    expect(score.locator(".rounds td")).to_have_text(["2+1", "5", "9"])
    assert score.evaluate("window.same")
    assert phone.evaluate("window.same")


def test_a_match_is_played_by_hand_to_its_end(tmp_path: Path, opened: Opened) -> None:
    clock = Clock()
    with living(tmp_path, clock, simulated=True) as live, serving(app_of(live)) as port:
        page = opened(f"http://127.0.0.1:{port}/host/match?game=stop-it", viewport={"width": 360, "height": 740})
        page.get_by_text("Options of stop it!").click()
        page.get_by_label("Penalty cards in play").fill("6")  # as many as two rounds take
        page.get_by_role("button", name="Start the match").click()
        page.wait_for_url("**/table")
        clock.now += 1
        page.get_by_role("button", name="Press Ana’s buzzer").click()
        over = page.locator(".won .headline")
        for colour in ("red", "special"):
            expect(page.locator(".hand")).to_contain_text("Everybody collects")
            clock.now += 1
            page.get_by_role("button", name="Press Bo’s buzzer").click()
            page.get_by_role("button", name=colour, exact=True).click()
            for name in ("Ana", "Bo", "Cléo"):
                expect(page.locator(".hand h3")).to_contain_text(f"does {name} hold")
                if colour == "special":
                    page.get_by_label("How many cards").fill("7")
                    page.get_by_role("button", name="That many").click()
                else:
                    page.get_by_role("button", name="3", exact=True).click()
            if colour == "red":
                clock.now += 1
                page.locator(".hand").get_by_role("button", name="Press Bo’s buzzer").click()
        expect(over).to_contain_text("win together")
        assert live.ask(lambda match: (match.over, match.misplays)) == (True, [])


BELOW = """toast => {
  const at = toast.getBoundingClientRect();
  return document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2).tagName;
}"""
"""What the toast, which lets every tap through, covers."""


def test_any_card_can_be_laid_on_any_place(live: Live, look: Opened) -> None:
    to_count(live)
    page = look("/table")
    page.get_by_role("button", name="Lay the chosen card here: seat 3").click()
    expect(page.locator("#toast")).to_contain_text("No card is chosen")
    assert page.locator("#toast").evaluate(BELOW) == "BODY"
    page.get_by_text("Lay any card by hand").click()
    page.get_by_role("group", name="red").get_by_role("radio", name="7", exact=True).check(force=True)
    page.get_by_role("button", name="Lay the chosen card here: seat 3").click()
    until(lambda: live.ask(lambda match: bool(match.state.tapped)))
    page.get_by_role("button", name="Press Bo’s buzzer").click()
    expect(page.locator("#chair-3")).not_to_have_class(re.compile("waited"))
    assert counts(live) == {3: 1}


def test_an_answer_is_gone_once_it_is_read_and_the_page_has_moved_on(live: Live, look: Opened) -> None:
    page = look("/table", go=in_still_time)
    toast = page.locator("#toast")
    for moves_on, stands in ((False, 12_000), (True, 5_000)):
        page.get_by_role("button", name="Lay the chosen card here: seat 3").click()
        expect(toast).to_contain_text("No card is chosen")
        if moves_on:
            to_count(live)
            expect(page.locator(".now")).to_contain_text("Count")
        page.clock.run_for(stands - 1)
        assert toast.inner_text()
        page.clock.run_for(50)  # a page that comes at that very moment begins to count anew, with nothing left
        expect(toast).to_be_empty()
    host = look("/host", go=in_still_time)
    host.get_by_role("button", name="Take a break").click()
    expect(host.locator("#toast")).to_contain_text("Paused")
    expect(host.locator(".news")).to_contain_text("Break")  # its own act moves the page on
    host.clock.run_for(1_999)
    assert host.locator("#toast").inner_text()
    host.clock.run_for(1)
    assert not host.locator("#toast").inner_text()


def test_a_page_about_other_matches_stays_where_it_is_when_it_hears_of_the_match_on(live: Live, look: Opened) -> None:
    to_count(live)
    requests: list[Route] = []

    def look_before_it_hears(page: Page, url: str) -> None:
        page.route("**/own?*", lambda route: route.fallback() if requests else requests.append(route))
        page.goto(url)

    page = look("/results", go=look_before_it_hears, viewport=PHONE)
    top = "() => document.getElementById('live').getBoundingClientRect().top"
    top_before = page.evaluate(top)
    until(lambda: page.evaluate("1") and requests)
    requests[0].continue_()
    expect(page.locator("#own-seats .awaited")).to_have_count(len(PEOPLE))
    assert page.evaluate(top) == top_before


def test_what_a_page_said_as_it_opened_is_gone_with_the_next_act(live: Live, look: Opened) -> None:
    page = look("/join")
    page.evaluate("""() => fetch("/sit", { method: "POST", redirect: "manual", body: new URLSearchParams(
        { page: "join", seat: 3, name: "Bob", animal: "owl", colour: "pink", played: "on" }) })""")
    page.goto(page.url.replace("/join", "/seat/3"))
    expect(page.locator(".answer")).to_contain_text("Bob")
    to_count(live)
    expect(page.locator(".now")).to_contain_text("Count")
    expect(page.locator(".answer")).to_have_count(0)


def test_what_is_pressed_is_what_lay_under_the_finger_when_it_came_down(live: Live, look: Opened) -> None:
    table = look("/table")
    page_before = table.locator("#live").inner_html()
    table.get_by_role("button", name="Lay the chosen card here: seat 3").hover()
    table.mouse.down()
    to_count(live)
    until(lambda: table.evaluate(f"async () => ({module('afresh')}).waiting.length"))
    assert table.locator("#live").inner_html() == page_before
    table.mouse.up()
    expect(table.locator(".now")).to_contain_text("Count")


def test_what_is_done_on_a_phone_comes_in_the_order_in_which_it_was_done(live: Live, look: Opened) -> None:
    table = look("/table")
    slow = list[Route]()
    table.route("**/press", lambda route: route.fallback() if slow else slow.append(route))
    for name in ("Bo", "Ana"):
        table.get_by_role("button", name=f"Press {name}’s buzzer").first.click()
    until(lambda: table.evaluate("1") and slow)
    slow[0].continue_()
    until(lambda: table.evaluate("1") and acts(live) == 3)
    assert live.ask(lambda match: [getattr(event, "seat", None) for event in match.events[1:]]) == [3, 1]


def test_who_presses_again_once_the_page_has_moved_on_need_not_wait_for_the_first_answer(
    live: Live, clock: Clock, look: Opened
) -> None:
    table = look("/table")
    late = list[tuple[Route, APIResponse]]()
    table.route("**/press", lambda route: route.fallback() if late else late.append((route, route.fetch())))
    press = table.get_by_role("button", name="Press Bo’s buzzer").first
    press.click()
    expect(table.locator(".hand")).to_contain_text("Everybody collects")
    until(lambda: table.evaluate("1") and late)
    clock.now += 1
    press.click()
    [(first, answer)] = late
    first.fulfill(response=answer)
    until(lambda: table.evaluate("1") and acts(live) == 3)
    assert live.ask(lambda match: [getattr(event, "seat", None) for event in match.events[1:]]) == [3, 3]


ASIDE = """() => {
  const range = document.createRange(), middle = document.querySelector(".middle").getBoundingClientRect();
  return [...document.querySelectorAll(".middle > :is(.news, .now)")].map((one) => {
    const boxes = [...one.querySelectorAll("svg.player-chip, .headline, .more, span")].map((part) => {
      range.selectNodeContents(part); return (part.matches("svg") ? part : range).getBoundingClientRect(); });
    return (Math.min(...boxes.map((box) => box.left)) + Math.max(...boxes.map((box) => box.right))) / 2;
  }).filter((at, _, { length }) => length !== 2 || Math.abs(at - middle.x - middle.width / 2) > 4);
}"""
"""Where news or task stand that do not stand in the middle."""


def test_at_the_virtual_table_news_and_task_stand_in_one_line(live: Live, client: FlaskClient, glass: Glass) -> None:
    live.enter(Pressed(0, 0.0, 1))
    page = client.get("/table").text
    assert 'class="news' in page
    assert glass.ask([Rendered("/table", "en", page)], ASIDE, DESK) == []
