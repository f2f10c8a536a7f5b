"""Names at the simulated table: put right by one's own phone, and chosen for bots."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from companion.access.rights_file import Phones
from companion.access.seat_rights import phone_of
from companion.live.table import Live
from tests.games.playing import button
from tests.on_paper import Phone
from tests.web.bots.sitting import ANY, look_at, names, sit
from tests.web.table import BOS, client_of, post

SAME = "The same player: this evening’s matches get the new name too"
ANOTHER = "Somebody else from now on"


def test_after_a_match_a_name_is_put_right_in_it_too_and_the_page_says_so(ana: FlaskClient, paper: Page) -> None:
    assert post(ana, "/end")[0] == 200
    expect(Phone(paper, ana, "/join").look().get_by_label(SAME)).to_be_checked()
    paper.get_by_label("Your name").fill("Anna")
    Phone(paper, ana, "/join").press(button(paper, "Save"))
    expect(Phone(paper, ana, "/seat/1").look().locator(".answer")).to_have_text(
        "Corrected: Anna, in this evening’s matches too."
    )
    expect(paper.locator(".me h2")).to_have_text("Anna")
    for path in ("/", "/results/1", "/results"):
        expect(Phone(paper, ana, path).look().locator("main")).to_contain_text("Anna")
        expect(paper.locator("body")).not_to_contain_text(re.compile(r"\bAna\b"))


def test_after_a_match_somebody_else_goes_on_with_a_phone_and_has_not_played_it(ana: FlaskClient, paper: Page) -> None:
    assert post(ana, "/end")[0] == 200
    phone = Phone(paper, ana, "/join")
    phone.look().get_by_label("Your name").fill("Léo")
    paper.get_by_label(ANOTHER).check()
    phone.press(button(paper, "Save"))
    page = ana.get("/seat/1").text
    sentence = "Léo plays from now on. Earlier matches stay Ana’s."
    assert [sentence in page, ">Ana</h2>" in page] == [True, True]
    assert ["Ana" in (final := ana.get("/results/1").text.partition("<main")[2]), "Léo" in final] == [True, False]
    assert post(ana, "/again")[0] == 200
    assert ">Léo</h2>" in ana.get("/seat/1").text


@pytest.mark.parametrize("another", [True, False])
def test_in_a_match_somebody_else_plays_on_with_a_phone_and_inherits_nothing(
    ana: FlaskClient, phones: Phones, another: bool
) -> None:
    assert post(ana, "/again")[0] == 200
    look = {"animal": "whale", "colour": "pink", "person": "another" if another else "same"}
    assert post(ana, "/sit", seat=1, name="Léo", **look)[0] == 200
    assert phones.rights.people.corrected == ({2: {1: "Léo"}} if another else {1: {1: "Léo"}, 2: {1: "Léo"}})
    assert [person.name for person in phones.rights.people.known] == (["Ana"] if another else ["Léo"])


def test_whoever_is_chosen_among_those_known_is_taken_for_somebody_else(ana: FlaskClient) -> None:
    assert post(ana, "/end")[0] == 200
    for query, chosen in (("", "same"), ("?name=Léo", "another"), ("?name=Ana", "same")):
        assert f'value="{chosen}" checked' in ana.get(f"/join{query}").text


def test_whoever_saves_another_look_alone_reads_that_it_is_saved(ana: FlaskClient) -> None:
    assert post(ana, "/sit", seat=1, name="Ana", animal="whale", colour="pink")[0] == 200
    assert "Saved, Ana." in ana.get("/seat/1").text


def test_no_bot_has_the_first_name_of_somebody_at_the_table(app: Flask, live: Live) -> None:
    kim = client_of(app, None)
    max_ = client_of(app, None)
    look_at(max_, 2, "max", "owl", "pink")
    assert post(max_, "/sit-out", part=2, out="yes")[0] == 200
    assert post(kim, "/play", game=ANY, name="Kim", bots=2)[0] == 200
    assert names(live) == ["Kim", "Bot Lou", "Bot Sam"]
    sit(app, kim, "Alex")
    assert post(kim, "/free", part=1)[0] == 200
    assert "Kim has gone; Bot Noa plays on." in client_of(app, None).get("/").text


def test_whoever_sits_down_where_a_bot_has_played_is_not_written_into_its_match(
    app: Flask, phones: Phones, ana: FlaskClient
) -> None:
    assert post(ana, "/end")[0] == 200
    zoe = client_of(app, BOS)
    assert phones.claim(phone_of(BOS), phones.rights.codes[3]) == 3  # as a code does once the match is over
    assert 'name="name" value=""' in zoe.get("/join?seat=3").text
    assert post(zoe, "/sit", seat=3, name="Zoé", animal="whale", colour="pink")[0] == 200
    assert phones.rights.people.seated[3].name == "Zoé"
    assert phones.rights.people.corrected == {}
