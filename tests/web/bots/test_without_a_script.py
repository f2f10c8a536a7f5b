"""A player's phone without a script: it waits by itself, and never loses what is being chosen."""

from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.live.simulation import Simulation
from tests.chromium import PHONE, Opened
from tests.web.bots.sitting import sit
from tests.web.table import client_of, token_of


def test_a_seats_page_loads_itself_again_where_there_is_nothing_to_choose(
    ana: FlaskClient, simulation: Simulation
) -> None:
    waits: set[bool] = set()
    for _ in range(6):
        moves = simulation.sights[1].moves
        page = ana.get("/seat/1").text
        assert 'href="/seat/1">Look again</a>' in page
        assert ('http-equiv="refresh"' in page) == (not moves)
        waits.add(not moves)
        simulation.play((moves or next(sight.moves for sight in simulation.sights.values() if sight.moves))[0])
    assert waits == {True, False}


def test_who_has_come_is_told_beside_the_way_to_ones_seat(
    app: Flask, ana: FlaskClient, served: Callable[[Flask], Opened]
) -> None:
    """What is loaded again every few seconds would lie there for ever."""
    sit(app, ana)
    page = served(app)("/", token=token_of(ana), viewport=PHONE, java_script_enabled=False)
    notice, way = (page.locator(css).bounding_box() for css in ("#came-3", "#own-1"))
    assert notice
    assert way
    assert notice["y"] >= way["y"] + way["height"]


@pytest.mark.parametrize(("language", "sentence"), [("en", "Waiting for a yes."), ("fr", "On attend l")])
def test_whoever_asks_for_a_bots_place_reads_once_that_they_wait(
    app: Flask, ana: FlaskClient, language: str, sentence: str
) -> None:
    form = {"seat": 3, "name": "Tom", "page": "score"}
    wished = {"Accept-Language": language}
    page = client_of(app, None).post("/play/sit", data=form, headers=wished, follow_redirects=True).text
    assert page.count(sentence) == 1
