"""Whoever has gone from the simulated table, and comes back to a seat at which a bot has played on for them."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from companion.access.presence import GOES_ON_WITHOUT
from companion.access.rights_file import Phones
from companion.kit.in_chromium import Glass, Rendered
from companion.live.simulation import Simulation
from tests.chromium import PHONE
from tests.on_paper import Phone
from tests.web.bots.sitting import ANY, begin_with_bots, look_at, sit
from tests.web.table import SCRIPT, Clock, client_of, post, question, token_of

OFFER = re.compile(r'value="(\d)">\s*<button class="own back">.*?<b>(.*?)</b> Take your seat back', re.DOTALL)


def freed(ana: FlaskClient, seat: int, ticks: Clock) -> None:
    """The phone there is off; the host has a bot play on."""
    assert post(ana, "/free", part=seat)[0] == 200
    ticks.now += GOES_ON_WITHOUT
    ana.get("/seat/1")
    assert post(ana, "/free", part=seat)[0] == 200


@pytest.mark.parametrize("path", ["/seat/3", "/", "/join", "/results", "/own?page=score"])
def test_the_phone_that_held_a_seat_takes_it_back_from_a_bot_in_one_tap(
    app: Flask, ana: FlaskClient, simulation: Simulation, ticks: Clock, path: str
) -> None:
    bo = sit(app, ana)
    look_at(bo, 3, "Bo", "whale", "pink")
    freed(ana, 3, ticks)
    assert OFFER.findall(bo.get(path).text) == [("3", "Bo")]
    assert not any(OFFER.search(phone.get(path).text) for phone in (ana, client_of(app, None)))
    old = token_of(bo)
    assert post(bo, "/play/back", seat=3)[0] == 200
    assert list(simulation.bots) == [4]
    top = bo.get("/seat/3").text.partition('class="top me')[2].partition("</header>")[0]
    assert ["Bo" in top, "#chip-whale" in top, "c-pink" in top] == [True, True, True]
    assert 'id="question"' not in ana.get("/seat/1").text
    assert client_of(app, old).get("/seat/3").status_code == 403


def test_no_other_phone_takes_it_back_nor_that_one_before_or_after(
    app: Flask, ana: FlaskClient, simulation: Simulation, ticks: Clock
) -> None:
    bo = sit(app, ana)
    eve = client_of(app, None)
    assert post(bo, "/play/back", seat=3)[0] == 403
    freed(ana, 3, ticks)
    for phone, seat in ((eve, 3), (ana, 3), (bo, 4)):
        assert post(phone, "/play/back", seat=seat)[0] == 403
    assert post(eve, "/play/sit", seat=3, name="Eve")[0] == 200
    assert post(ana, "/answer", question=question(ana, "/seat/1"), answer="yes")[0] == 200
    assert (post(bo, "/play/back", seat=3)[0], OFFER.search(bo.get("/").text)) == (403, None)
    assert post(eve, "/free", part=3)[0] == 200
    assert [OFFER.findall(phone.get("/").text) for phone in (bo, eve)] == [[], [("3", "Eve")]]
    assert post(ana, "/end")[0] == 200
    assert (post(eve, "/play/back", seat=3)[0], OFFER.search(eve.get("/").text)) == (409, None)
    assert post(ana, "/again")[0] == 200
    assert (post(eve, "/play/back", seat=3)[0], 3 in simulation.bots) == (403, True)


def test_it_is_offered_above_all_else_instead_of_a_strangers_way(
    app: Flask, ana: FlaskClient, phones: Phones, paper: Page, glass: Glass
) -> None:
    bo = sit(app, ana)
    assert post(bo, "/free", part=3)[0] == 200
    strange = "() => document.getElementById('for-a-bot').checkVisibility() ? ['a stranger’s way'] : []"
    assert glass.ask([Rendered("seat 3", "en", bo.get("/seat/3").text)], strange, PHONE) == []
    page = Phone(paper, bo, "/seat/3")
    page.press(page.look().get_by_role("button", name="Take your seat back"))
    expect(page.look().locator(".me").get_by_text("Bo")).to_have_count(1)
    assert 3 in phones.rights.holders


def arrivals(phone: FlaskClient) -> list[str]:
    return re.findall(r'<p id="came-\d"[^>]*>(.*?)</p>', phone.get("/big").text)


def test_whoever_has_come_back_and_puts_their_name_right_takes_over_from_nobody(
    app: Flask, simulation: Simulation, ticks: Clock
) -> None:
    bo = client_of(app, None)
    look_at(bo, 3, "Bo", "whale", "pink")
    ana = begin_with_bots(app, ANY)
    for back in ("by its own phone", "by another"):
        freed(ana, 3, ticks)
        if back == "by another":
            bo = client_of(app, None)
            form = {"seat": 3, "name": "Bob"}
            answer = bo.post("/play/sit", data=form, headers=SCRIPT, environ_base={"REMOTE_ADDR": "192.0.2.7"})
            assert answer.status_code == 200
            assert post(ana, "/answer", question=question(ana, "/seat/1"), answer="yes")[0] == 200
        else:
            assert post(bo, "/play/back", seat=3)[0] == 200
        name = "Bobby" if back == "by another" else "Bob"
        look_at(bo, 3, name, "whale", "pink")
        assert arrivals(ana) == []
        assert f">{name}</h2>" in bo.get("/seat/3").text
    assert 3 not in simulation.bots


@pytest.mark.parametrize(
    ("language", "one_gone", "three"),
    [
        ("en", "Bo has gone; Bot Kim plays on.", "Bo, Cléo and Dan have gone; bots play on."),
        (
            "fr",
            "Bo n’est plus là\u202f; Bot Kim continue.",
            "Bo, Cléo et Dan ne sont plus là\u202f; des bots continuent.",
        ),
    ],
)
def test_however_many_have_gone_everybody_reads_it_in_one_line_by_name(
    app: Flask, ticks: Clock, language: str, one_gone: str, three: str
) -> None:
    people = [("Bo", 3, "whale"), ("Cléo", 4, "owl"), ("Dan", 5, "frog")]
    phones = [client_of(app, None) for _ in people]
    for phone, (name, seat, animal) in zip(phones, people, strict=True):
        look_at(phone, seat, name, animal, ("pink", "green", "violet")[seat - 3])
    ana = client_of(app, None)
    assert post(ana, "/play", game=ANY, name="Ana", bots=0)[0] == 200

    def notices(path: str) -> list[str]:
        page = ana.get(path, headers={"Accept-Language": language}).text
        return re.findall(r'<p class="crowded"[^>]*>(.*?)</p>', page)

    freed(ana, 3, ticks)
    assert notices("/big") == [one_gone]
    assert post(phones[1], "/free", part=4)[0] == 200
    assert post(ana, "/free", part=5)[0] == 200
    assert [notices(path) for path in ("/big", "/", "/host", "/seat/1")] == [[three]] * 4
