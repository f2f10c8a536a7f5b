"""Newcomers count each for themselves: none keeps another out of a bot's place, and none disturbs people for ever."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.access.rights_file import Phones
from companion.acts.question import AGAIN
from companion.live.simulation import Simulation
from tests.web.table import SCRIPT, Clock, client_of, post, question

GUESTS = "192.0.2.7"
FRIENDS = "192.0.2.8"


def asks(phone: FlaskClient, address: str, seat: int = 3, name: str = "Zed", **form: str) -> tuple[int, str]:
    """Ask for a bot's place from this address."""
    form = {"seat": str(seat), "name": name, **form}
    answer = phone.post("/play/sit", data=form, headers=SCRIPT, environ_base={"REMOTE_ADDR": address})
    return answer.status_code, answer.get_json()["message"]


def replies(ana: FlaskClient, answer: str) -> int:
    return post(ana, "/answer", question=question(ana, "/seat/1"), answer=answer)[0]


@pytest.fixture
def declined(app: Flask, ana: FlaskClient) -> FlaskClient:
    """A guest who has asked in vain."""
    guest = client_of(app, None)
    assert asks(guest, GUESTS)[0] == 200
    assert replies(ana, "no") == 200
    return guest


@pytest.mark.parametrize("address", [GUESTS, FRIENDS])
def test_who_has_not_asked_need_not_wait_for_who_has(
    app: Flask, ana: FlaskClient, declined: FlaskClient, address: str
) -> None:
    assert asks(client_of(app, None), address, 4, "Cléo")[0] == 200
    assert replies(ana, "yes") == 200


def test_who_has_asked_in_vain_waits_twice_as_long_each_time(
    ana: FlaskClient, declined: FlaskClient, ticks: Clock
) -> None:
    for times in range(3):
        assert asks(declined, GUESTS)[1].startswith("You asked a moment ago.")
        ticks.now += AGAIN * (1 << times) - 1
        assert asks(declined, GUESTS)[0] == 409
        ticks.now += 1
        assert asks(declined, GUESTS)[0] == 200
        assert replies(ana, "no") == 200


def test_who_forgets_their_cookies_is_known_by_their_address(app: Flask, ana: FlaskClient, ticks: Clock) -> None:
    heard = 0
    for _ in range(120):
        ticks.now += 1
        if asks(client_of(app, None), GUESTS)[0] == 200:
            heard += 1
            assert replies(ana, "no") == 200
    assert heard == 6
    assert "Somebody on this connection asked in vain." in asks(client_of(app, None), GUESTS)[1]
    assert asks(client_of(app, None), FRIENDS)[0] == 200


def test_the_host_may_have_nobody_ask_again_in_this_match(app: Flask, phones: Phones, ana: FlaskClient) -> None:
    assert "nobody asks again in this match" not in ana.get("/seat/1").text
    assert asks(client_of(app, None), GUESTS)[0] == 200
    assert "nobody asks again in this match" in ana.get("/seat/1").text
    assert replies(ana, "nobody") == 200
    friend = client_of(app, None)
    status, message = asks(friend, FRIENDS, 4, "Cléo")
    assert (status, question(ana, "/seat/1")) == (403, "")
    assert "Ask the host for the code of seat 4." in message
    assert asks(friend, FRIENDS, 4, "Cléo", code=phones.rights.codes[4])[0] == 200
    assert friend.get("/seat/4").status_code == 200


def test_only_the_host_has_nobody_ask_again(app: Flask, ana: FlaskClient) -> None:
    assert asks(bo := client_of(app, None), GUESTS, 3, "Bo")[0] == 200
    assert replies(ana, "yes") == 200
    assert asks(client_of(app, None), FRIENDS, 4)[0] == 200
    assert "nobody asks again" not in bo.get("/seat/3").text
    assert post(bo, "/answer", question=question(bo, "/seat/3"), answer="nobody")[0] == 200
    assert asks(client_of(app, None), "192.0.2.9", 4)[0] == 200


def test_a_seats_code_lets_in_where_a_bot_plays(
    app: Flask, phones: Phones, simulation: Simulation, ana: FlaskClient
) -> None:
    late = client_of(app, None)
    answer = late.post("/join", data={"code": phones.rights.codes[4]}, headers=SCRIPT)
    page = late.get(answer.get_json()["go"]).text
    assert "A bot plays at seat 4. Say who you are, and the place is yours." in page
    assert f'name="code" value="{phones.rights.codes[4]}"' in page
    assert late.get("/seat/4").status_code == 403
    assert asks(late, FRIENDS, 4, "Cléo", code=phones.rights.codes[4])[0] == 200
    assert (list(simulation.bots), late.get("/seat/4").status_code) == ([3], 200)
    assert question(ana, "/seat/1") == ""


def test_no_other_code_lets_in(app: Flask, phones: Phones, simulation: Simulation, ana: FlaskClient) -> None:
    for code in (phones.rights.codes[3], phones.rights.codes[0], "A" * 10):
        asks(client_of(app, None), FRIENDS, 4, "Cléo", code=code)
    assert list(simulation.bots) == [3, 4]


def test_the_code_of_a_bots_seat_opens_it_to_nobody_who_plays_or_can_read_every_code(
    app: Flask, phones: Phones, simulation: Simulation, ana: FlaskClient
) -> None:
    assert asks(bo := client_of(app, None), GUESTS, 3, "Bo")[0] == 200
    assert replies(ana, "yes") == 200
    assert asks(bo, GUESTS, 4, "Bob", code=phones.rights.codes[4])[0] == 409
    assert post(ana, "/free", part="1")[0] == 200
    assert asks(ana, FRIENDS, 4, "Ann", code=phones.rights.codes[4])[0] == 200
    assert question(bo, "/seat/3")
    assert 4 in simulation.bots
