"""Whoever sits out a match keeps their seat and phone, and plays again in one tap."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.access.rights_file import Phones
from companion.live.simulation import Simulation
from companion.live.table import Live
from tests.web.bots.sitting import ANY, begin_with_bots, look_at, names, sit
from tests.web.table import client_of, post, question


@pytest.fixture
def bos_phone(app: Flask, ana: FlaskClient) -> FlaskClient:
    """Bo's phone: they have played a match with Ana that was ended."""
    bo = sit(app, ana)
    end_match(ana, bo)
    return bo


def end_match(ana: FlaskClient, bo: FlaskClient) -> None:
    post(ana, "/end")
    if question_name := question(bo, "/seat/3"):
        post(bo, "/answer", question=question_name, answer="yes")


@pytest.mark.parametrize("by_host", [True, False])
@pytest.mark.parametrize(("path", "form"), [("/again", {}), ("/play", {"game": ANY, "bots": 2, "only": "on"})])
def test_who_sits_out_keeps_the_seat_and_plays_again_in_one_tap(
    live: Live,
    phones: Phones,
    simulation: Simulation,
    ana: FlaskClient,
    bos_phone: FlaskClient,
    by_host: bool,
    path: str,
    form: dict[str, object],
) -> None:
    client = ana if by_host else bos_phone
    holder = phones.rights.holders[3]
    assert post(client, "/sit-out", part=3, out="yes")[0] == 200
    assert "You sit out." in bos_phone.get("/seat/3").text
    assert all(words in ana.get("/host/match").text for words in ("sits out", ">Play again</button>"))
    assert post(ana, path, **form)[0] == 200
    assert "Bo" not in names(live)
    assert 3 not in simulation.bots
    assert phones.rights.holders[3] == holder
    waits = bos_phone.get("/seat/3").text
    assert "are playing Kartel now." in waits
    assert "Play in the next match" in waits
    assert '<a class="button quiet" href="/">Watch</a>' in waits, "a bot's place is for whoever has none"
    assert post(bos_phone, "/play/move", seat=3, what="roll")[0] == 409
    assert post(client, "/sit-out", part=3, out="no")[0] == 200
    assert all(
        sentence in bos_phone.get("/seat/3").text
        for sentence in ("You play from the next match on.", "are playing Kartel now.")
    )
    end_match(ana, bos_phone)
    assert post(ana, path, **form)[0] == 200
    assert "Bo" in names(live)
    assert phones.rights.holders[3] == holder


def test_whoever_has_played_is_unticked_and_ticked_again_like_whoever_has_just_come(
    live: Live, phones: Phones, ana: FlaskClient, bos_phone: FlaskClient
) -> None:
    holder = phones.rights.holders[3]
    form = {"game": ANY, "bots": 2, "only": "on", "plays-1": "Ana", "played-1": "Ana"}
    assert all(f'name="plays-{seat}"' in ana.get("/host/match").text for seat in (1, 3))
    assert post(ana, "/play", **form, **{"played-3": "Bo"})[0] == 200
    assert "Bo" not in names(live)
    assert phones.rights.holders[3] == holder
    end_match(ana, bos_phone)
    assert post(ana, "/play", **form, **{"sat-out-3": "Bo", "plays-3": "Bo"})[0] == 200
    assert "Bo" in names(live)


def test_whoever_sat_out_by_themselves_meanwhile_is_not_ticked_again(
    live: Live, ana: FlaskClient, bos_phone: FlaskClient
) -> None:
    assert post(bos_phone, "/sit-out", part=3, out="yes")[0] == 200
    assert post(ana, "/play", game=ANY, bots=2, only="on", **{"played-3": "Bo", "plays-3": "Bo"})[0] == 200
    assert "Bo" not in names(live)


def test_nobody_else_says_so_and_no_bot_sits_out(app: Flask, ana: FlaskClient, bos_phone: FlaskClient) -> None:
    assert post(client_of(app, None), "/sit-out", part=3, out="yes")[0] == 403
    assert post(bos_phone, "/sit-out", part=1, out="yes")[0] == 403
    assert post(ana, "/sit-out", part=4, out="yes")[0] == 409
    assert 'name="part" value="4"><input type="hidden" name="out"' not in ana.get("/host/match").text


def test_the_host_who_sits_out_starts_a_match_of_the_others(app: Flask, live: Live) -> None:
    ana = begin_with_bots(app, ANY)
    bo = sit(app, ana)
    cleo = sit(app, ana, "Cléo", 4)
    post(ana, "/end")
    assert post(bo, "/answer", question=question(bo, "/seat/3"), answer="yes")[0] == 200
    assert post(ana, "/sit-out", part=1, out="yes")[0] == 200
    assert post(ana, "/again")[0] == 200
    assert names(live) == ["Bo", "Cléo"]
    assert "You sit out." in ana.get("/seat/1").text
    assert cleo.get("/seat/4").status_code == 200


def test_before_the_first_match_too_and_the_host_still_decides_who_sits_there(app: Flask, live: Live) -> None:
    bo = client_of(app, None)
    mallory = client_of(app, None)
    host = client_of(app, None)
    look_at(bo, 3, "Bo", "whale", "pink")
    look_at(mallory, 5, "Mallory", "owl", "green")
    for phone, seat in ((bo, 3), (mallory, 5)):
        assert post(phone, "/sit-out", part=seat, out="yes")[0] == 200
    assert "You sit out." in bo.get("/lobby/3").text
    form = host.get("/").text
    assert 'name="plays-3" value="Bo" data-whom="Bo">' in form, "unticked"
    chosen = {"game": ANY, "name": "Ana", "bots": 2, "only": "on", "sat-out-3": "Bo"}
    assert post(host, "/play", **chosen)[0] == 200
    assert names(live) == ["Ana", "Bot Kim", "Bot Max"]
    assert bo.get("/lobby/3").status_code == 200
    assert mallory.get("/lobby/5").status_code == 302, "the host has not seen them"


def test_whoever_has_just_come_and_sits_out_reads_what_is_on_and_not_that_they_are_in(
    app: Flask, ana: FlaskClient
) -> None:
    zoe = client_of(app, None)
    look_at(zoe, 6, "Zoé", "owl", "pink")
    assert "You are in." in zoe.get("/lobby/6").text
    assert post(zoe, "/sit-out", part=6, out="yes")[0] == 200
    page = zoe.get("/lobby/6").text
    assert "3 are playing Kartel now." in page
    assert "You are in." not in page
    assert post(ana, "/end")[0] == 200
    assert '<p class="now" data-announced>You sit out. Your seat stays yours.</p>' in zoe.get("/lobby/6").text


def bots_offered(host: FlaskClient, path: str = "/host/match") -> tuple[list[int], int]:
    """Return how many bots the form offers, and how many are preset."""
    choice = host.get(path).text.partition('name="bots"')[2].partition("</select>")[0]
    offered = [int(number) for number in re.findall(r">(\d)</option>", choice)]
    return offered, int(choice.partition("selected>")[2][:1])


@pytest.mark.parametrize("out", [False, True])
def test_as_many_bots_as_there_were_are_preset_and_as_many_offered_as_fit_and_obeyed(
    app: Flask, simulation: Simulation, out: bool
) -> None:
    """Seats where bots have played are free for bots; whoever sits out keeps theirs."""
    ana = client_of(app, None)
    bo = client_of(app, None)
    assert post(ana, "/play", game=ANY, name="Ana", bots=3)[0] == 200
    assert post(ana, "/end")[0] == 200
    look_at(bo, 2, "Bo", "whale", "pink")
    if out:
        assert post(bo, "/sit-out", part=2, out="yes")[0] == 200
    assert bots_offered(ana) == ([1, 2, 3, 4] if out else [0, 1, 2, 3, 4], 3)
    assert post(ana, "/play", game=ANY, bots=4)[0] == 200
    assert len(simulation.bots) == 4
    assert 2 not in simulation.bots


def test_the_page_for_all_takes_whoever_looks_at_it_for_one_of_those_who_sit_there(app: Flask) -> None:
    ana = client_of(app, None)
    bo = client_of(app, None)
    assert bots_offered(ana, "/") == ([1, 2, 3, 4, 5], 2)
    look_at(ana, 1, "Ana", "owl", "green")
    assert bots_offered(ana, "/") == ([1, 2, 3, 4, 5], 2)
    look_at(bo, 2, "Bo", "whale", "pink")
    assert bots_offered(ana, "/") == ([0, 1, 2, 3, 4], 0)
