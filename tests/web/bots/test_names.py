"""Names at the simulated table: put right after a match by one's own phone."""

import re
from collections.abc import Callable
from urllib.parse import urljoin

from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect

from tests.chromium import PHONE, Opened
from tests.web.bots.sitting import look_at
from tests.web.table import post, token_of

TICK = "Correct the last match too"


def test_after_a_match_a_name_is_put_right_in_it_too_and_the_page_says_so(
    ana: FlaskClient, app: Flask, served: Callable[[Flask], Opened]
) -> None:
    assert TICK not in ana.get("/join").text
    assert post(ana, "/end")[0] == 200
    page = served(app)("/join", token=token_of(ana), viewport=PHONE)
    expect(page.get_by_label(TICK)).to_be_checked()
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".answer")).to_have_text("Corrected: Anna.")
    expect(page.locator(".me h2")).to_have_text("Anna")
    for path in ("/", "/results/1", "/results"):
        page.goto(urljoin(page.url, path))
        expect(page.locator("main")).to_contain_text("Anna")
        expect(page.locator("body")).not_to_contain_text(re.compile(r"\bAna\b"))


def test_after_a_match_somebody_else_goes_on_with_a_phone_and_has_not_played_it(ana: FlaskClient) -> None:
    assert post(ana, "/end")[0] == 200
    look_at(ana, 1, "Léo", "whale", "pink")
    page = ana.get("/seat/1").text
    assert ["You sit here, Léo." in page, ">Ana</h2>" in page] == [True, True]
    assert ["Ana" in (final := ana.get("/results/1").text.partition("<main")[2]), "Léo" in final] == [True, False]
    assert post(ana, "/again")[0] == 200
    assert ">Léo</h2>" in ana.get("/seat/1").text
