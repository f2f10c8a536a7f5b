"""A room of phones in a real browser: they join, play, agree to a correction, hand a seat on, pass on the host."""

from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from msgspec.structs import replace
from playwright.sync_api import Page, Route, expect

from companion.access.seat_rights import phone_of
from companion.devices.sensing import Appeared, Buzzed
from companion.judge.match import judge
from companion.live.table import Live
from companion.web.render.words import PageWords
from tests.chromium import PHONE, Opened
from tests.waiting import until
from tests.web.table import ANAS, BOS, Clock, acts, app_with, counts, living, phones_of, to_count

Served = Callable[[Flask], Opened]


def button(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def go(page: Page, path: str) -> None:
    """Go to another page of the table."""
    page.goto(page.url[: page.url.index("/", 8)] + path)


def code_at(host: Page, seat: int) -> str:
    return host.locator(f"#code-{seat} strong").inner_text().replace(" ", "")


def ticket(page: Page, about: str) -> str:
    """Have a code made with which another phone takes this one's part."""
    page.get_by_text(about).click()
    button(page, "Show the code")
    return page.locator(".ticket strong").inner_text().replace(" ", "")


def start(page: Page, names: dict[int, str]) -> None:
    go(page, "/host/match")
    begin(page, names)
    page.wait_for_url("**/host/codes")


def begin(page: Page, names: dict[int, str]) -> None:
    page.check("[name=game][value=stop-it]")
    for seat, name in names.items():
        page.locator(".who").get_by_label(f"seat {seat}").fill(name)
    page.on("dialog", lambda asked: asked.accept())
    button(page, "Start the match")


def claim(phone: Page, host: Page, seat: int) -> None:
    """Scan the seat's code."""
    go(phone, f"/join/{code_at(host, seat)}")
    phone.wait_for_url(f"**/seat/{seat}")


@pytest.fixture
def live(tmp_path: Path, clock: Clock) -> Live:  # type: ignore[misc]
    """No match yet, and a real table."""
    with living(tmp_path, clock) as live:
        yield live


@pytest.fixture
def door(served: Served, live: Live) -> Opened:
    """A phone without any part opens a page."""
    opened = served(app_with(live, phones_of(live, {}), virtual=False))
    return lambda path, **more: opened(path, token=None, **{"viewport": PHONE, **more})


def test_where_an_answer_leads_is_reached_though_the_page_is_told_on_its_way_to_be_loaded_again(
    live: Live, served: Served
) -> None:
    phones, on_its_way = phones_of(live, {0: ANAS}), list[Route]()
    host = served(app_with(live, phones, virtual=False))("/host/match", token=ANAS)
    host.evaluate("EventSource.prototype.close = () => fetch('heard')")
    host.route("**/host/codes", lambda route: on_its_way.append(route))
    with host.expect_request("**/host/codes"):
        begin(host, {1: "Ana", 3: "Bo", 5: "Cléo"})
    with host.expect_request("**/host/heard"):
        phones.change(lambda now: replace(now, holders={0: phone_of(BOS)}))
    on_its_way[0].continue_()
    host.wait_for_url("**/host/codes")


def test_an_evening_with_phones(live: Live, door: Opened) -> None:
    host, bo, cleo, looker = (door("/") for _ in range(4))
    start(host, {1: "Ana", 3: "Bo", 5: "Cléo"})
    claim(bo, host, 3)
    expect(host.locator("#code-3 .state")).to_have_text("a phone holds it")
    go(cleo, "/seat/5")
    expect(cleo.locator(".now")).to_contain_text("Who sits at seat 5?")
    typed, tab = code_at(host, 5).lower(), cleo.context.new_page()
    tab.goto(cleo.url)
    tab.get_by_label("Code").fill(f"{typed[:3]} {typed[3:]}")
    button(tab, "That’s me")
    expect(tab.locator(".me")).to_contain_text("Cléo")
    expect(cleo.locator(".me")).to_contain_text("Cléo")  # whatever tab of theirs they have typed it in
    tab.close()
    claim(host, host, 1)
    go(looker, "/host")
    expect(looker.locator(".now")).to_contain_text("Only the host’s phone")
    expect(looker.get_by_role("link", name="stop it! is on: go to the match")).to_be_visible()

    to_count(live)
    button(bo, "4")
    expect(bo.locator(".done")).to_contain_text("Got it")
    # Ana, the host, has seen that it is wrong; Cléo agrees.
    go(looker, "/")
    go(host, "/host")
    expect(host.locator("#last-act")).to_contain_text("Bo has counted")
    host.locator("#last-act").get_by_role("button", name="Undo").click()
    expect(host.locator("#toast")).to_contain_text("another player must agree")
    expect(looker.locator("#question")).to_contain_text("Take back “Bo has counted”?")
    expect(looker.locator("#question button")).to_have_count(0)
    apart = (
        "words => { say(words); return question.getBoundingClientRect().top >= toast.getBoundingClientRect().bottom; }"
    )
    expect(cleo.locator("#question")).to_be_visible()
    for words in ("Noted.", "Benoît takes the bot’s place."):  # what is asked stays to be read below an answer
        assert cleo.evaluate(apart, words)
    button(cleo, "I agree")
    expect(bo.locator(".now")).to_have_text("Count your red cards.")
    expect(looker.locator("#question")).to_have_count(0)
    assert counts(live) == {}

    # Bo goes home and hands the seat on to who looked on.
    go(looker, f"/join/{ticket(bo, 'Pass my seat on')}")
    looker.wait_for_url("**/seat/3")
    expect(bo.locator(".now")).to_contain_text("Bo is on another phone now.")
    button(looker, "5")
    expect(looker.locator(".done")).to_contain_text("Got it")

    # Ana passes on the host's part and goes on playing.
    go(host, "/host/table")
    go(cleo, f"/join/{ticket(host, 'Make another phone the host')}")
    cleo.wait_for_url("**/host")
    expect(host.locator(".now")).to_contain_text("Only the host’s phone")
    go(host, "/seat/1")
    button(host, "2")
    go(cleo, "/seat/5")
    button(cleo, "1")
    expect(cleo.locator(".now")).to_contain_text("Ana’s turn: start again")
    assert live.snapshot.views[None]["table"]["rounds"][0]["counts"] == {"1": 2, "3": 5, "5": 1}


# Told by every page as soon as it shows what nobody may see in a match that goes well.
WATCH = """
addEventListener("DOMContentLoaded", () => {
  const look = () => {
    const wrong = document.querySelector("#toast.wrong, .answer.wrong, .now.refused, .hint, .trouble");
    if (wrong?.textContent) wentWrong(`${location.pathname}: ${wrong.textContent}`);
  };
  look();
  new MutationObserver(look).observe(document.body, {subtree: true, childList: true, attributes: true});
});
"""


def test_a_whole_match_ends_alike_on_every_page_in_both_languages(live: Live, clock: Clock, door: Opened) -> None:
    wrong: list[str] = []

    def browser(language: str, **more: object) -> Page:
        page = door("/join", locale=language, **more)
        page.expose_function("wentWrong", lambda told: wrong.append(told))
        page.add_init_script(WATCH)
        return page

    def press(seat: int, after: float = 2.0) -> None:
        clock.now += after
        live.tell(Buzzed(seat, clock(), 0.00005, ""))

    def touch(phone: Page, what: str) -> None:
        before = acts(live)
        clock.now += 2
        phone.locator(what).click()
        until(lambda: acts(live) > before)

    host, ana, cleo = browser("en"), browser("en"), browser("fr")
    start(host, {1: "Ana", 3: "Bo", 4: "Cléo"})
    for seat, phone in ((1, ana), (4, cleo)):
        claim(phone, host, seat)
    looker, big = browser("fr"), browser("en", viewport={"width": 1920, "height": 1080})
    go(looker, "/")
    go(big, "/big")

    touch(ana, ".buzzer.go")
    press(3)
    press(4, 0.0018)
    clock.now += 1
    expect(big.locator(".news")).to_contain_text("1.80 ms before Cléo")
    expect(looker.locator(".news")).to_contain_text("1,80 ms avant Cléo")
    live.tell(Appeared("centre", "virtual:stop-it/red-stop-1", clock()))
    for phone, cards in ((ana, 4), (cleo, 1)):
        touch(phone, f".pad18 [value='{cards}']")
    live.tell(Appeared("seat-3", "virtual:stop-it/red-7", clock()))
    press(3)
    expect(looker.locator("#r1")).to_contain_text("1,80 ms avant Cléo")
    press(3)
    touch(cleo, "button:has-text('Les talons sont vides')")
    clock.now += 60
    until(lambda: live.ask(lambda match: match.over))

    match = judge(live.ask(lambda match: list(match.events)))
    assert match.misplays == []
    winners, scores = match.outcome.winners, match.outcome.scores
    for page, language, own in ((ana, "en", 1), (cleo, "fr", 4), (looker, "fr", None), (big, "en", None)):
        words = PageWords(match.game.slug, language, match.names)
        said = words.say("news-end-me" if own in winners else "news-end", {"seats": winners})
        expect(page.locator(".won .headline:not(.soon)")).to_have_text(said)
    for seat, name in match.names.items():
        expect(big.locator(f"#s{seat} strong")).to_have_text(str(scores[seat]).replace("-", "−"))
        expect(big.locator(f"#s{seat} b")).to_have_text(name)
    expect(looker.locator(".scores > span")).to_have_text(
        [f"{match.names[seat]}{points}".replace("-", "−") for seat, points in scores.items()]
    )
    assert wrong == []


def test_at_the_virtual_table_two_commands_and_a_press_are_enough(tmp_path: Path, served: Served) -> None:
    with living(tmp_path, Clock(), simulated=True) as live:
        page = served(app_with(live, phones_of(live, {})))("/host/match?game=stop-it", token=None)
        button(page, "Start the match")
        page.wait_for_url("**/table")
        button(page, "Press Ana’s buzzer")
        expect(page.locator(".now")).to_contain_text("See a stop card?")


def test_a_phone_that_slept_while_its_seat_went_sees_so_when_it_wakes(live: Live, served: Served) -> None:
    phones = phones_of(live, {3: BOS})
    page = served(app_with(live, phones))("/seat/3", token=BOS)
    page.evaluate("source.close(); dropped = true; heard = -20000")
    phones.change(lambda now: type(now)(now.codes))
    expect(page.locator(".now")).to_contain_text("Who sits at seat 3?")


def test_codes_are_printed_for_the_seats_alone(live: Live, served: Served) -> None:
    page = served(app_with(live, phones_of(live, {0: ANAS})))("/host/codes", token=ANAS)
    page.emulate_media(media="print")
    expect(page.locator(".codes .ticket svg")).to_have_count(6)
    for one in page.locator(".codes .ticket").all():
        expect(one).to_be_visible()
    expect(page.locator("nav, button:visible, footer:visible")).to_have_count(1)
    assert not page.locator("nav").is_visible()
