"""Names at the simulated table: put right after a match by one's own phone."""

import re

from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from tests.games.playing import button
from tests.on_paper import Phone
from tests.web.bots.sitting import look_at
from tests.web.table import post

TICK = "Correct the last match too"


def test_after_a_match_a_name_is_put_right_in_it_too_and_the_page_says_so(ana: FlaskClient, paper: Page) -> None:
    assert TICK not in ana.get("/join").text
    assert post(ana, "/end")[0] == 200
    expect(Phone(paper, ana, "/join").look().get_by_label(TICK)).to_be_checked()
    paper.get_by_label("Your name").fill("Anna")
    Phone(paper, ana, "/join").press(button(paper, "Save"))
    expect(Phone(paper, ana, "/seat/1").look().locator(".answer")).to_have_text("Corrected: Anna.")
    expect(paper.locator(".me h2")).to_have_text("Anna")
    for path in ("/", "/results/1", "/results"):
        expect(Phone(paper, ana, path).look().locator("main")).to_contain_text("Anna")
        expect(paper.locator("body")).not_to_contain_text(re.compile(r"\bAna\b"))


def test_after_a_match_somebody_else_goes_on_with_a_phone_and_has_not_played_it(ana: FlaskClient) -> None:
    assert post(ana, "/end")[0] == 200
    look_at(ana, 1, "Léo", "whale", "pink")
    page = ana.get("/seat/1").text
    assert ["You sit here, Léo." in page, ">Ana</h2>" in page] == [True, True]
    assert ["Ana" in (final := ana.get("/results/1").text.partition("<main")[2]), "Léo" in final] == [True, False]
    assert post(ana, "/again")[0] == 200
    assert ">Léo</h2>" in ana.get("/seat/1").text
