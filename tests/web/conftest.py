"""Fixtures: a live table of three with its page."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.live.table import Live
from tests.web.table import PEOPLE, Clock, app_of, living


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def live(tmp_path: Path, clock: Clock) -> Iterator[Live]:
    with living(tmp_path, clock, simulated=True) as live:
        live.begin("stop-it", PEOPLE, {})
        yield live


@pytest.fixture
def client(live: Live) -> FlaskClient:
    return app_of(live).test_client()
