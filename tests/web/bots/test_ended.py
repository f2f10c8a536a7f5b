"""A match at the simulated table that was ended early stays as it is."""

from flask import Flask
from flask.testing import FlaskClient

from companion.live.simulation import Simulation
from companion.live.table import Live
from tests.web.bots.sitting import first_move, sit
from tests.web.table import acts, post, question
from tests.web.test_undo import line


def test_no_move_is_taken_back_and_nobody_is_asked_to(
    app: Flask, live: Live, simulation: Simulation, ana: FlaskClient
) -> None:
    bo = sit(app, ana)
    assert post(ana, "/play/move", **first_move(simulation))[0] == 200
    moved = line(ana, 1)
    assert moved
    post(ana, "/end")
    post(bo, "/answer", question=question(bo, "/seat/3"), answer="yes")
    acts_before = acts(live)
    for phone in (ana, bo):
        assert post(phone, "/take-back", **moved)[0] == 409
        assert question(ana, "/seat/1") == ""
        assert all('action="/take-back"' not in ana.get(path).text for path in ("/host", "/story", "/table", "/seat/1"))
    assert acts(live) == acts_before
