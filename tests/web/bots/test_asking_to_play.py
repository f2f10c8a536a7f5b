"""Whoever asks to play waits, and everybody else keeps their choice."""

from collections.abc import Callable

from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from companion.kit.in_chromium import Glass, Rendered
from companion.live.simulation import Simulation
from tests.chromium import PHONE, Opened
from tests.on_paper import Phone
from tests.web.bots.test_seats import FORMS, UNSEEN
from tests.web.table import client_of, post, question


def test_whoever_asks_to_play_finds_that_they_wait_and_nothing_to_choose_but_to_withdraw(
    app: Flask, ana: FlaskClient, simulation: Simulation, served: Callable[[Flask], Opened]
) -> None:
    asker = served(app)("/", token=None, viewport=PHONE)
    asker.locator("#for-a-bot summary").click()
    asker.get_by_label("Your name").fill("Bo")
    asker.locator("#for-a-bot button").first.click()
    expect(asker.locator("#own-seats")).to_be_visible()
    for form in FORMS:
        expect(asker.locator(form).locator("visible=true")).to_have_count(0)
    asker.get_by_role("button", name="Withdraw").click()
    expect(asker.locator("#for-a-bot")).to_be_visible()
    expect(asker.locator("#own-seats")).to_be_hidden()
    # What is said covers nothing, and leaves no empty strip.
    top = "live => live.getBoundingClientRect().top"
    toast = asker.locator("#toast")
    assert asker.locator("#live").evaluate(top) > toast.evaluate("toast => toast.getBoundingClientRect().bottom")
    toast.evaluate("toast => { toast.textContent = ''; }")
    assert asker.locator("#live").evaluate(top) == 0
    assert 'id="question"' not in ana.get("/seat/1").text
    assert list(simulation.bots) == [3, 4]


def test_nor_does_the_page_on_which_one_sits_down_offer_more_than_to_withdraw(
    app: Flask, ana: FlaskClient, paper: Page, glass: Glass
) -> None:
    bo = client_of(app, None)
    assert post(bo, "/play/sit", seat=3, name="Bo")[0] == 200
    visible_forms = (
        f"() => {[*FORMS]}.filter((css) => [...document.querySelectorAll(css)].some((one) => one.checkVisibility()))"
    )
    assert glass.ask([Rendered("join", "en", bo.get("/join").text)], visible_forms, PHONE) == []
    Phone(paper, bo, "/join").press("Withdraw")
    assert 'id="question"' not in ana.get("/seat/1").text


def test_what_a_newcomer_asks_leaves_all_others_their_choice(app: Flask, ana: FlaskClient, glass: Glass) -> None:
    assert post(client_of(app, None), "/play/sit", seat=3, name="Bo")[0] == 200
    other = client_of(app, None).get("/").text
    assert "Withdraw" not in other
    assert glass.ask([Rendered("another's", "en", other)], UNSEEN, PHONE) == []


def test_nobody_else_withdraws_what_a_newcomer_asks(app: Flask, ana: FlaskClient) -> None:
    bo = client_of(app, None)
    eve = client_of(app, None)
    assert post(bo, "/play/sit", seat=3, name="Bo")[0] == 200
    question_name = question(ana, "/seat/1")
    assert [post(client, "/answer", question=question_name, answer="no")[0] for client in (eve, bo)] == [403, 200]
