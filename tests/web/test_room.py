"""A room of phones: they join, play, agree to a correction, hand a seat on, pass on the host."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec.structs import replace
from playwright.sync_api import Page, Route, expect

from companion.access.seat_rights import HOST, phone_of
from companion.devices.sensing import Appeared, Buzzed
from companion.judge.match import judge
from companion.live.table import Live
from companion.web.render.words import PageWords
from tests.access.codes import hand_on
from tests.chromium import PHONE, Opened, module
from tests.waiting import until
from tests.web.table import (
    ANAS,
    BOS,
    CLEOS,
    PEOPLE,
    Clock,
    app_with,
    client_of,
    counts,
    living,
    phones_of,
    post,
    to_count,
)

Served = Callable[[Flask], Opened]


def button(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def text(html: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", html).split())


def start_match(page: Page, names: dict[int, str]) -> None:
    page.check("[name=game][value=stop-it]")
    for seat, name in names.items():
        page.locator(".who").get_by_label(f"seat {seat}").fill(name)
    page.on("dialog", lambda dialog: dialog.accept())
    button(page, "Start the match")


@pytest.fixture
def live(tmp_path: Path, clock: Clock) -> Live:  # type: ignore[misc]
    """No match yet, and a real table."""
    with living(tmp_path, clock) as live:
        yield live


def test_where_an_answer_leads_is_reached_though_the_page_is_told_on_its_way_to_be_loaded_again(
    live: Live, served: Served
) -> None:
    phones = phones_of(live, {0: ANAS})
    on_its_way = list[Route]()
    host = served(app_with(live, phones, virtual=False))("/host/match", token=ANAS)
    host.evaluate("EventSource.prototype.close = () => fetch('heard')")
    host.route("**/host/codes", lambda route: on_its_way.append(route))
    with host.expect_request("**/host/codes"):
        start_match(host, {1: "Ana", 3: "Bo", 5: "Cléo"})
    with host.expect_request("**/host/heard"):
        phones.change(lambda rights: replace(rights, holders={0: phone_of(BOS)}))
    on_its_way[0].continue_()
    host.wait_for_url("**/host/codes")


def test_an_evening_with_a_phone(live: Live, served: Served) -> None:
    live.begin("stop-it", PEOPLE, {})
    phones = phones_of(live, {HOST: ANAS, 1: ANAS, 3: BOS})
    app = app_with(live, phones, virtual=False)
    host, bo, looker = (client_of(app, token) for token in (ANAS, BOS, None))
    cleo = served(app)("/seat/5", token=None, viewport=PHONE)
    expect(cleo.locator(".now")).to_contain_text("Who sits at seat 5?")
    typed = phones.rights.codes[5].lower()
    tab = cleo.context.new_page()
    tab.goto(cleo.url)
    tab.get_by_label("Code").fill(f"{typed[:3]} {typed[3:]}")
    button(tab, "That’s me")
    expect(tab.locator(".me")).to_contain_text("Cléo")
    expect(cleo.locator(".me")).to_contain_text("Cléo")  # whatever tab of theirs they have typed it in

    # Ana, the host, has seen that Bo's count is wrong; Cléo agrees.
    to_count(live)
    assert post(bo, "/enter", kind="said", seat=3, what="count", value=4)[0] == 200
    form = re.search(r'name="entry" value="(\d+)".*?name="code" value="(counted)"', host.get("/host").text, re.DOTALL)
    assert form
    assert "another player must agree" in post(host, "/take-back", entry=form[1], code=form[2])[1]
    expect(cleo.locator("#question")).to_contain_text("Take back “Bo has counted”?")
    apart = "() => question.getBoundingClientRect().top >= toast.getBoundingClientRect().bottom"
    for words in ("Noted.", "Benoît takes the bot’s place."):  # what is asked stays to be read below an answer
        cleo.evaluate("words => document.dispatchEvent(new CustomEvent('gone', { detail: words }))", words)
        expect(cleo.locator("#toast")).to_have_text(words)
        assert cleo.evaluate(apart)
    button(cleo, "I agree")
    expect(cleo.locator("#question")).to_have_count(0)
    assert counts(live) == {}

    # Cléo goes home and hands the seat on to who looked on; Ana passes on the host's part.
    cleo.get_by_text("Pass my seat on").click()
    button(cleo, "Show the code")
    assert post(looker, "/join", code=cleo.locator(".ticket strong").inner_text())[0] == 200
    expect(cleo.locator(".now")).to_contain_text("Cléo is on another phone now.")
    hand_on(phones, HOST)
    tab.goto(cleo.url.replace("seat/5", f"join/{phones.rights.passing[HOST]}"))
    tab.wait_for_url("**/host")


WRONG = re.compile('class="(?:hint|trouble|now refused|answer wrong)')
"""What nobody may see in a match that goes well."""


def test_a_whole_match_ends_alike_on_every_page_in_both_languages(live: Live, clock: Clock) -> None:
    live.begin("stop-it", PEOPLE, {})
    app = app_with(live, phones_of(live, {HOST: ANAS, 1: ANAS, 5: CLEOS}), virtual=False)
    ana, cleo, looker = (client_of(app, token) for token in (ANAS, CLEOS, None))
    pages = (
        (ana, "/seat/1", "en", 1),
        (cleo, "/seat/5", "fr", 5),
        (looker, "/", "fr", None),
        (looker, "/big", "en", None),
    )

    def shown() -> list[str]:
        pages_now = [client.get(path, query_string={"lang": language}).text for client, path, language, _ in pages]
        assert not [page for page in pages_now if WRONG.search(page)]
        return pages_now

    def press(seat: int, delay: float = 2.0) -> None:
        clock.now += delay
        live.tell(Buzzed(seat, clock(), 0.00005, ""))
        shown()

    def touch(phone: FlaskClient, **form: object) -> None:
        clock.now += 2
        assert post(phone, "/enter", **form)[0] == 200
        shown()

    touch(ana, kind="pressed", seat=1)
    press(3)
    press(5, 0.0018)
    clock.now += 1
    _, _, score, big = shown()
    assert "1.80 ms before Cléo" in text(big)
    assert "1,80 ms avant Cléo" in text(score)
    live.tell(Appeared("centre", "virtual:stop-it/red-stop-1", clock()))
    for phone, seat, cards in ((ana, 1, 4), (cleo, 5, 1)):
        touch(phone, kind="said", seat=seat, what="count", value=cards)
    live.tell(Appeared("seat-3", "virtual:stop-it/red-7", clock()))
    press(3)
    press(3)
    touch(cleo, kind="said", seat=5, what="piles-empty")
    clock.now += 60
    until(lambda: live.ask(lambda match: match.over))

    match = judge(live.ask(lambda match: list(match.events)))
    assert match.misplays == []
    winners = match.outcome.winners
    scores = match.outcome.scores
    for page, (_, _, language, own_seat) in zip(shown(), pages, strict=True):
        words = PageWords(match.game.slug, language, match.names)
        sentence = words.say("news-end-me" if own_seat in winners else "news-end", {"seats": winners})
        headline = re.search(r'<p class="headline"[^>]*>.*?</p>', page.partition(" won")[2])
        assert headline
        assert text(headline[0]) == text(sentence)
    _, _, score, big = shown()
    for seat, points in scores.items():
        sentence = rf"\b{match.names[seat]} .*\b{points}\b"
        for page, place in ((score, f'id="lies-{seat}"'), (big, f'id="s{seat}"')):
            assert re.search(sentence, text(page.partition(place)[2].partition("</li>")[0]))


def test_a_phone_that_slept_while_its_seat_went_sees_so_when_it_wakes(live: Live, served: Served) -> None:
    phones = phones_of(live, {3: BOS})
    page = served(app_with(live, phones))("/seat/3", token=BOS)
    slept = "connection.source.close(); Object.assign(connection, { dropped: true, heard: -20000 });"
    page.evaluate(f"async () => {{ const {{ connection }} = {module('stream')}; {slept} }}")
    phones.change(lambda rights: type(rights)(rights.codes))
    expect(page.locator(".now")).to_contain_text("Who sits at seat 3?")


def test_codes_are_printed_for_the_seats_alone(live: Live, served: Served) -> None:
    page = served(app_with(live, phones_of(live, {0: ANAS})))("/host/codes", token=ANAS)
    page.emulate_media(media="print")
    expect(page.locator(".codes .ticket svg")).to_have_count(6)
    for ticket in page.locator(".codes .ticket").all():
        expect(ticket).to_be_visible()
    expect(page.locator("nav, button:visible, footer:visible")).to_have_count(1)
    assert not page.locator("nav").is_visible()
