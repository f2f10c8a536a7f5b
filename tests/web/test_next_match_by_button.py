"""What begins by itself is told on every page, with who plays and how one objects."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.devices.sensing import Appeared, Buzzed
from companion.live.pause import Why
from companion.live.table import Live
from tests.web.table import PEOPLE, Clock, living


@pytest.fixture
def live(tmp_path: Path, clock: Clock) -> Iterator[Live]:
    """A table with real buttons; a match has been ended, and Bo has pressed for the next one."""
    with living(tmp_path, clock) as live:
        live.begin("stop-it", PEOPLE, {})
        live.pause(Why.ENDED)
        clock.now += 60
        live.tell(Buzzed(3, clock.now, 0.0, ""))
        yield live


@pytest.mark.parametrize("page", ["/host", "/seat/3", "/", "/big"])
def test_every_page_tells_what_begins_and_how_to_object(host: FlaskClient, bo: FlaskClient, page: str) -> None:
    client = host if page == "/host" else bo
    assert "stop it! again: Ana, Bo and Cléo. It begins in ten seconds. Not yet? Press." in client.get(page).text
    assert "Début dans dix secondes" in client.get(page, headers={"Accept-Language": "fr"}).text


def test_a_card_of_the_tables_own_that_says_nothing_now_is_named(live: Live, bo: FlaskClient) -> None:
    live.tell(Appeared("seat-3", "virtual:table/end", 1.0))
    assert "END says nothing now (seat 3). Take it away." in bo.get("/big").text
