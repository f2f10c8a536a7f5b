"""Phones that play at the simulated table."""

import random

from flask import Flask
from flask.testing import FlaskClient

from companion import games
from companion.game.simulated_world import Move, Sight
from companion.live.simulation import Simulation
from companion.live.table import Live
from tests.web.table import Clock, client_of, post, question
from tests.web.test_undo import line

ANY = "kartel"


def begin_with_bots(app: Flask, slug: str) -> FlaskClient:
    """Begin a match of Ana and two bots, or one where the game is for two."""
    phone = client_of(app, None)
    bots = min(2, games.known()[slug].most_players - 1)
    assert post(phone, "/play", game=slug, name="Ana", bots=bots)[0] == 200
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


def one_move(slug: str, live: Live, simulation: Simulation, clock: Clock) -> Move:
    """Play whatever somebody would, and return it."""
    chance = random.Random(clock.now)
    for _ in range(100):
        clock.now += 1.0  # a press is shown once no earlier one can come
        live.ask(lambda match: None)
        move = next(filter(None, (bots_move(slug, sight, chance) for sight in simulation.sights.values())), None)
        if move:
            simulation.play(move)
            return move
    raise AssertionError("nobody can do anything")


def bots_move(slug: str, sight: Sight, chance: random.Random) -> Move | None:
    physics = games.known()[slug].physics
    return physics.choose(sight, "middle", chance) if physics and sight.moves else None


def moves_of_bo(simulation: Simulation, bo: FlaskClient, until: int) -> dict[str, str]:
    return moves_of(simulation, bo, 3, until)


def moves_of(simulation: Simulation, phone: FlaskClient, seat: int, until: int) -> dict[str, str]:
    """Have everybody move until this phone's seat has and that one can; the line by which it takes its move back."""
    offer: dict[str, str] = {}
    while not (offer and not line(phone, seat) and simulation.sights[until].moves):
        offer = line(phone, seat) or offer
        simulation.play(next(move for sight in simulation.sights.values() for move in sight.moves))
    return offer
