"""Fixtures: a simulated table at which nobody plays yet, and Ana's phone, which has begun a match there."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.access.rights_file import Phones
from companion.live.simulation import Simulation
from companion.live.table import Live
from tests.web.bots.sitting import ANY, begin_with_bots
from tests.web.table import Clock, app_with, living, phones_of


@pytest.fixture
def live(tmp_path: Path, clock: Clock) -> Iterator[Live]:
    """No match yet."""
    with living(tmp_path, clock, simulated=True) as live:
        yield live


@pytest.fixture
def simulation(live: Live) -> Simulation:
    """Its bots do nothing by themselves."""
    return Simulation(live, seed=lambda: "always the same")


@pytest.fixture
def ticks() -> Clock:
    return Clock()


@pytest.fixture
def phones(live: Live, ticks: Clock) -> Phones:
    return phones_of(live, {}, ticks)


@pytest.fixture
def app(live: Live, phones: Phones, simulation: Simulation, ticks: Clock) -> Flask:
    return app_with(live, phones, simulation=simulation, clock=ticks)


@pytest.fixture
def ana(app: Flask) -> FlaskClient:
    """Her phone has begun a match against two bots."""
    return begin_with_bots(app, ANY)
