"""Nobody sees a second hand: whoever plays takes no bot's seat, and whoever has left keeps the way back."""

from flask import Flask
from flask.testing import FlaskClient

from companion.access.presence import HAS_A_SAY
from companion.live.simulation import Simulation
from tests.web.bots.sitting import sit
from tests.web.table import Clock, client_of, post, question


def test_who_plays_takes_no_bots_seat_as_well(app: Flask, simulation: Simulation, ana: FlaskClient) -> None:
    bo = sit(app, ana)
    for phone in (ana, bo):
        status, message = post(phone, "/play/sit", seat=4, name="Peek")
        assert (status, message) == (409, "You play in this match already, and nobody plays two hands.")
        assert phone.get("/seat/4").status_code == 403
    assert list(simulation.bots) == [4]


def test_whoever_has_given_a_seat_back_is_let_in_elsewhere_by_another_the_host_too(
    app: Flask, simulation: Simulation, ana: FlaskClient
) -> None:
    bo = sit(app, ana)
    post(ana, "/free", part=1)
    assert "Waiting for a yes." in post(ana, "/play/sit", seat=4, name="Peek")[1]
    assert (ana.get("/seat/4").status_code, 4 in simulation.bots) == (403, True)
    assert post(bo, "/answer", question=question(bo, "/seat/3"), answer="yes")[0] == 200
    assert ana.get("/seat/4").status_code == 200
    assert post(ana, "/play/back", seat=1)[0] == 403, "two hands would be hers"


def test_whoever_has_left_comes_back_though_the_host_wants_the_seat(
    app: Flask, simulation: Simulation, ana: FlaskClient
) -> None:
    bo = sit(app, ana)
    post(bo, "/free", part=3)
    for seat in (1, 1):  # while the host plays, and then without a seat
        assert post(ana, "/play/sit", seat=3, name="Bo")[0] == 409
        post(ana, "/free", part=seat)
    assert ana.get("/seat/3").status_code == 403
    assert post(bo, "/play/back", seat=3)[0] == 200
    assert 3 not in simulation.bots


def test_a_phone_that_has_long_been_gone_keeps_nobody_out(
    app: Flask, simulation: Simulation, ana: FlaskClient, ticks: Clock
) -> None:
    bo = sit(app, ana)
    post(bo, "/free", part=3)
    post(ana, "/free", part=1)
    ticks.now += HAS_A_SAY - 1
    bo.get("/")
    ticks.now += 1
    assert "Bo may still come back" in post(ana, "/play/sit", seat=3, name="Ana")[1]
    ticks.now += HAS_A_SAY
    assert post(client_of(app, None), "/play/sit", seat=3, name="Cléo")[0] == 200
