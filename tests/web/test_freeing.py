"""A seat whose phone was in the room lately is freed only where that phone agrees, and everybody sees it."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.access import seat_rights
from companion.access.presence import GOES_ON_WITHOUT
from companion.access.rights_file import Phones
from companion.acts.question import LAPSES
from companion.live.table import Live
from tests.access.codes import hand_on
from tests.web.table import PEOPLE, Clock, client_of, count, post, question, reply, to_count

EVERY_PAGE = ("/", "/big", "/story", "/join", "/seat/5", "/host", "/host/codes")
FREED = "the host has freed seat 3"


@pytest.fixture
def two(live: Live, phones: Phones) -> None:
    """Ana and Bo play alone."""
    live.begin("stop-it", (PEOPLE[0], PEOPLE[1]), {})
    phones.change(lambda rights: seat_rights.free(rights, {5}))


def test_the_phone_that_holds_a_seat_is_asked_before_it_is_freed(
    phones: Phones, host: FlaskClient, bo: FlaskClient, cleo: FlaskClient
) -> None:
    assert "again" in post(host, "/free", part="3")[1]
    assert "I agree" in bo.get("/seat/3").text
    assert "The phone that holds seat 3 answers" in cleo.get("/seat/5").text
    assert post(cleo, "/answer", question=question(bo, "/seat/3"), answer="yes")[0] == 403
    assert reply(bo, "/seat/3", "no") == (200, "It stays as it is.")
    assert bo.get("/seat/3").status_code == 200


def test_every_page_tells_for_a_few_acts_that_a_seat_was_freed(
    live: Live, clock: Clock, phones: Phones, host: FlaskClient, bo: FlaskClient, cleo: FlaskClient, app: Flask
) -> None:
    post(host, "/free", part="3")
    assert reply(bo, "/seat/3")[0] == 200
    other = client_of(app, None)
    post(other, "/join", code=phones.rights.codes[3])
    for path in EVERY_PAGE:
        client = cleo if path == "/seat/5" else host
        assert FREED in client.get(path).text
    assert FREED in bo.get("/seat/3").text
    assert FREED not in bo.get(f"/results/{live.snapshot.match}").text
    to_count(live)
    assert FREED in host.get("/big").text
    for seat in (1, 3, 5):
        count(live, seat, 4)
    assert not any(FREED in host.get(path).text for path in EVERY_PAGE if path != "/seat/5")


def test_of_each_seat_it_is_told_what_came_last(
    live: Live, phones: Phones, host: FlaskClient, bo: FlaskClient, cleo: FlaskClient, app: Flask
) -> None:
    assert post(bo, "/free", part="3")[0] == 200
    assert "Bo has left: seat 3 is free" in host.get("/big").text
    other = client_of(app, None)
    post(other, "/join", code=phones.rights.codes[3])
    assert "Bo has left" not in host.get("/big").text
    post(host, "/free", part="3")
    assert reply(other, "/seat/3")[0] == 200
    page = host.get("/big").text
    assert (FREED in page, "Bo has left" in page) == (True, False)


@pytest.mark.parametrize("somebody", [True, False])
def test_where_no_other_phone_shows_a_sign_the_host_frees_a_seat_by_asking_twice(
    phones: Phones, ticks: Clock, host: FlaskClient, bo: FlaskClient, cleo: FlaskClient, somebody: bool
) -> None:
    bo.get("/seat/3")
    cleo.get("/seat/5")
    post(host, "/free", part="3")
    ticks.now += LAPSES + 1
    assert "it is done if no other phone is there" in host.get("/host/table").text
    if somebody:
        cleo.get("/seat/5")
    post(host, "/free", part="3")
    assert (3 in phones.rights.holders) == somebody


@pytest.mark.usefixtures("two")
def test_with_two_players_the_host_takes_no_seat_whose_phone_is_there(
    phones: Phones, ticks: Clock, host: FlaskClient, bo: FlaskClient
) -> None:
    post(host, "/free", part="3")
    for _ in range(3):
        assert "I agree" in bo.get("/seat/3").text
        ticks.now += GOES_ON_WITHOUT / 3
        assert post(host, "/free", part="3")[0] == 409
    assert bo.get("/seat/3").status_code == 200


@pytest.mark.usefixtures("two")
def test_it_goes_on_without_a_phone_that_shows_no_sign(
    phones: Phones, ticks: Clock, host: FlaskClient, bo: FlaskClient
) -> None:
    bo.get("/seat/3")
    ticks.now += 10
    post(host, "/free", part="3")
    ticks.now += GOES_ON_WITHOUT - 11
    status, message = post(host, "/free", part="3")
    assert (status, "1 s" in message) == (409, True)
    ticks.now += 1
    assert post(host, "/free", part="3")[0] == 200
    assert 3 not in phones.rights.holders
    assert FREED in host.get("/").text


def test_for_a_phone_that_shows_no_sign_another_player_agrees(
    phones: Phones, ticks: Clock, host: FlaskClient, cleo: FlaskClient
) -> None:
    post(host, "/free", part="3")
    ticks.now += GOES_ON_WITHOUT
    cleo.get("/seat/5")
    assert post(host, "/free", part="3")[1].startswith("That concerns others")
    assert "Free seat 3" in cleo.get("/seat/5").text
    assert reply(cleo, "/seat/5")[0] == 200
    assert 3 not in phones.rights.holders


def test_a_seat_that_has_changed_hands_since_is_not_freed(app: Flask, phones: Phones, host: FlaskClient) -> None:
    post(host, "/free", part="3")
    hand_on(phones, 3)
    new = client_of(app, None)
    post(new, "/join", code=phones.rights.passing[3])
    assert reply(new, "/seat/3")[0] == 409
    assert new.get("/seat/3").status_code == 200
