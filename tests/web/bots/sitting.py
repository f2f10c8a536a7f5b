"""Phones that play at the simulated table."""

from flask import Flask
from flask.testing import FlaskClient

from companion.live.simulation import Simulation
from companion.live.table import Live
from tests.web.table import client_of, post, question

ANY = "kartel"


def begun(app: Flask, slug: str) -> FlaskClient:
    phone = client_of(app, None)
    assert post(phone, "/play", game=slug, name="Ana", bots=2)[0] == 200
    return phone


def sit(app: Flask, ana: FlaskClient, name: str = "Bo", seat: int = 3) -> FlaskClient:
    """Somebody sits down in a bot's place, and Ana agrees."""
    other = client_of(app, None)
    assert post(other, "/play/sit", seat=seat, name=name)[0] == 200
    assert post(ana, "/answer", question=question(ana, "/seat/1"), answer="yes")[0] == 200
    return other


def first_move(simulation: Simulation) -> dict[str, object]:
    move = simulation.sights[1].moves[0]
    return {"seat": 1, "what": move.what, "card": move.card, "number": move.number}


def names(live: Live) -> list[str]:
    return live.ask(lambda match: list(match.names.values()))


def look_at(phone: FlaskClient, seat: int, name: str, animal: str, colour: str) -> None:
    assert post(phone, "/sit", seat=seat, name=name, animal=animal, colour=colour)[0] == 200
